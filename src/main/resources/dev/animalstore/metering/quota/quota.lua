-- Charges one request to a subject's quota: both windows have room and are both charged, or neither is. A subject that keeps sending
-- requests after a refusal is banned temporarily.
--
-- KEYS[1]  the hash of the subject's whole state, whose name no other subject ever had; one key, so that it works in any slot of a Redis
--          Cluster
-- ARGV[1]  version of the caller's copy of the subject; 0 for a subject whose usage is not collected
-- ARGV[2]  requests per minute
-- ARGV[3]  requests per day
-- ARGV[4]  when the subject ends, by the caller's copy: at 0 it has ended, whatever clocks say; empty if never
-- ARGV[5]  1 to charge a request, 0 to peek
-- ARGV[6]  the rules of bans, separated by spaces: number of refusals after the first one that cause a ban, as a multiple of the requests
--          per minute, at least 1; how long they count, from the first refusal; from when on they count, so that what was in flight does
--          not; length of the first ban; length of the longest ban, each ban being twice as long as the previous one, up to this; how long
--          a ban, from its start, doubles the next one
-- ARGV[7]  the current time, in tests only; 0 for Redis's own clock, which all replicas share
--
-- Times are milliseconds since 1970, lengths are milliseconds. The hash, of which an absent count is 0; no hash means no usage and no ban. Names are short, since there
-- is one for each key that was used lately:
--
--   v         version that was announced last
--   mc, me    minute: count, end
--   dc, de    day: count, which is the number of admitted requests, and end
--   dr, db    day: refused and banned requests, for the collection of usage
--   u<day>    an earlier day, in days since 1970, as "admitted refused banned", until it has been collected
--   sc, se    strikes: count, end
--   be        ban: end
--   bl, bf    bans: their number, and when it is reset
--
-- Result, a string of numbers, each a double of 8 bytes, big-endian: outcome (0 admitted, 1 refused, 2 banned), the time, count and end of
-- the minute, count and end of the day, end and number of the ban (if banned), all after this request. A window that is not open has count
-- 0 and the end it would have if it opened now. If a newer version than the caller's is known, the result is 3 (outdated) and that version; if the
-- subject has ended, it is 4. Neither writes anything, so a Redis that refuses writes gives these results too.
--
-- Atomic because Redis runs one script at a time: nothing runs between the check of the counters and their increase.

local MINUTE, DAY = 60000, 86400000
local ADMITTED, REFUSED, BANNED, OUTDATED, ENDED = 0, 1, 2, 3, 4

local call, key = redis.call, KEYS[1]
local version, per_minute, per_day, ends, charged = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5] == '1'
local now = tonumber(ARGV[7])
if now == 0 then
  local time = call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end

-- Parsed only if needed, which most requests do not.
local function ban_rules()
  local strikes, window, grace, first, longest, remembered = string.match(ARGV[6], '(%S+) (%S+) (%S+) (%S+) (%S+) (%S+)')
  return {
    strikes = tonumber(strikes),
    window = tonumber(window),
    grace = tonumber(grace),
    first = tonumber(first),
    longest = tonumber(longest),
    remembered = tonumber(remembered),
  }
end

local state = call('HMGET', key, 'v', 'mc', 'me', 'dc', 'de', 'be', 'bf')
for i = 1, 7 do
  state[i] = tonumber(state[i]) or 0
end
local known_version, minute_count, minute_end, day_count, day_end, ban_end, bans_forgotten = unpack(state)

-- No replica announces a version over 2^53, the limit of Lua's integers: such a value says as little as none.
if known_version > version and known_version <= 2 ^ 53 then
  return struct.pack('>dd', OUTDATED, known_version)
end
if ends and now >= ends then
  return struct.pack('>d', ENDED)
end

-- A window never ends later than one that opens now, and a ban never later than the longest one that starts now. A later end, left by a
-- clock that was set back, is corrected in the hash, since the response contains the new end, and a client that waits for it must be
-- admitted.
local fresh_minute_end, midnight = now + MINUTE, (math.floor(now / DAY) + 1) * DAY
if minute_end > fresh_minute_end then
  minute_end = fresh_minute_end
  call('HSET', key, 'me', minute_end)
end
if ban_end > 0 or bans_forgotten > 0 then
  local rules = ban_rules()
  if ban_end > now + rules.longest or bans_forgotten > now + rules.remembered then
    ban_end, bans_forgotten = math.min(ban_end, now + rules.longest), math.min(bans_forgotten, now + rules.remembered)
    call('HSET', key, 'be', ban_end, 'bf', bans_forgotten)
  end
end
if now >= minute_end then
  minute_count, minute_end = 0, fresh_minute_end
end

-- Counts of a later day, left by such a clock, remain.
local turned = day_end ~= midnight
if day_end > midnight then
  call('HSET', key, 'de', midnight)
elseif turned then
  if charged then
    if day_end > 0 and version > 0 then
      local day, counts = day_end / DAY - 1, call('HMGET', key, 'dr', 'db')
      call('HSET', key, 'u' .. day, string.format('%.0f %d %d', day_count, counts[1] or 0, counts[2] or 0))
      call('HDEL', key, 'dr', 'db')
    end
    call('HSET', key, 'dc', 0, 'de', midnight)
  end
  day_count = 0
end

local outcome, bans, renewed = ADMITTED, 0, false
if now < ban_end then
  local counts = call('HMGET', key, 'bl', 'db')
  outcome, bans, renewed = BANNED, tonumber(counts[1]) or 0, charged
  if charged then
    call('HSET', key, 'db', (counts[2] or 0) + 1)
  end
elseif minute_count < per_minute and day_count < per_day then
  if charged then
    renewed = minute_count == 0 or turned
    minute_count, day_count = minute_count + 1, day_count + 1
    if renewed then
      call('HSET', key, 'mc', minute_count, 'me', minute_end, 'dc', day_count, 'de', midnight)
    else
      call('HSET', key, 'mc', minute_count, 'dc', day_count)
    end
  end
else
  outcome, renewed = REFUSED, charged
  if charged then
    -- The first refusal opens the strike window, further ones are strikes, but for those that were sent before it was known.
    local counts = call('HMGET', key, 'sc', 'se', 'bl', 'dr', 'db')
    local strikes, strikes_end, rules = tonumber(counts[1]) or 0, tonumber(counts[2]) or 0, ban_rules()
    if now >= strikes_end or strikes_end > now + rules.window then
      strikes, strikes_end = 0, now + rules.window
    elseif now >= strikes_end - rules.window + rules.grace then
      strikes = strikes + 1
    end
    if strikes < math.max(1, math.floor(per_minute * rules.strikes + 0.5)) then
      call('HSET', key, 'sc', strikes, 'se', strikes_end, 'dr', (counts[4] or 0) + 1)
    else
      bans = now < bans_forgotten and tonumber(counts[3]) or 0
      ban_end = now + math.min(rules.first * 2 ^ bans, rules.longest)
      outcome, bans, bans_forgotten = BANNED, bans + 1, now + rules.remembered
      call('HSET', key, 'se', 0, 'be', ban_end, 'bl', bans, 'bf', bans_forgotten, 'db', (counts[5] or 0) + 1)
    end
  end
end

-- Three days longer than the counters need, so that the last counts of a day can still be collected after an outage.
if renewed then
  call('PEXPIREAT', key, math.max(midnight + 3 * DAY, bans_forgotten, ban_end))
end
return struct.pack('>dddddddd', outcome, now, minute_count, minute_end, day_count, midnight, ban_end, bans)
