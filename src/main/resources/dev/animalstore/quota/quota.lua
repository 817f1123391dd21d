-- Charges one request to a subject's quota: both windows have room and are both charged, or neither is. A subject that keeps sending
-- requests after a refusal is banned temporarily.
--
-- KEYS[1]  the hash of the subject's whole state; one key, so that it works in any slot of a Redis Cluster
-- ARGV[1]  version of the caller's copy of the subject
-- ARGV[2]  requests per minute
-- ARGV[3]  requests per day
-- ARGV[4]  1 to charge a request, 0 to peek
-- ARGV[5]  number of refusals after the first one that cause a ban
-- ARGV[6]  how long they count, from the first refusal
-- ARGV[7]  length of the first ban
-- ARGV[8]  length of the longest ban; each ban is twice as long as the previous one, up to this
-- ARGV[9]  how long a ban, from its start, doubles the next one
-- ARGV[10] the time after which the caller no longer waits, so that nothing may be charged
-- ARGV[11] the current time, in tests only; otherwise Redis's own clock is used, which all replicas share
--
-- Times are milliseconds since 1970, lengths are milliseconds. The hash: v version; mc and me count and end of the minute; dc and de
-- count and end of the day; sc and se count and end of the strikes; be end of the ban; bl and bf number of bans and when it is reset;
-- p the version that last lifted a ban, written by raise.lua. No hash means no usage, no ban and the caller's version.
--
-- For the collection of usage: dc minus dx requests were admitted on the day, dr refused and db banned. di is the incarnation of these
-- counts, the time when they started at 0, greater than any earlier one. dx is the value of dc at that time, 0 unless the clock was set
-- back. When the day changes its counts are appended to du, as "day admitted refused banned incarnation" with the day in days since 1970,
-- separated by semicolons; collected.lua removes them. An absent count is 0.
--
-- Result, integers only: outcome (0 admitted, 1 refused, 3 banned), the time, count and end of the minute, count and end of the day, end
-- and number of the ban (0 if none), all after this request. A window that is not open has count 0 and the end it would have if it opened
-- now. If a newer version than the caller's is known, nothing is charged, and the result is 2 (stale) and that version. If the caller no
-- longer waits, nothing is read or charged, and the result is 4 (late) and the time.
--
-- Atomic because Redis runs one script at a time: nothing runs between the check of the counters and their increase.

local MINUTE, DAY = 60000, 86400000
local ADMITTED, REFUSED, STALE, BANNED, LATE = 0, 1, 2, 3, 4

local version, per_minute, per_day, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local now = tonumber(ARGV[11])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
if now > tonumber(ARGV[10]) then
  return {LATE, now}
end

local state = redis.call('HMGET', KEYS[1], 'v', 'mc', 'me', 'dc', 'de', 'sc', 'se', 'be', 'bl', 'bf')
for i = 1, #state do
  state[i] = tonumber(state[i]) or 0
end
local known_version, minute_count, minute_end, day_count, day_end, strikes, strikes_end, ban_end, bans, bans_forgotten = unpack(state)

if known_version > version then
  return {STALE, known_version}
end

-- A window never ends later than one that opens now, and a ban never later than the longest one that starts now. A later end, left by a
-- clock that was set back, is corrected in the hash, since the response contains the new end, and a client that waits for it must be
-- admitted.
local fresh_minute_end, midnight = now + MINUTE, (math.floor(now / DAY) + 1) * DAY
if minute_end > fresh_minute_end then
  minute_end = fresh_minute_end
  redis.call('HSET', KEYS[1], 'me', minute_end)
end
local last_ban_end, last_forgotten = now + tonumber(ARGV[8]), now + tonumber(ARGV[9])
if ban_end > last_ban_end or bans_forgotten > last_forgotten then
  ban_end, bans_forgotten = math.min(ban_end, last_ban_end), math.min(bans_forgotten, last_forgotten)
  redis.call('HSET', KEYS[1], 'be', ban_end, 'bf', bans_forgotten)
end
if now >= minute_end then
  minute_count, minute_end = 0, fresh_minute_end
end

-- The day changes: the counts of the previous day are kept until they are collected. If the clock was set back to an earlier day, the
-- charges of the later day remain.
local turned = day_end ~= midnight
if turned then
  local set_back = day_end > midnight
  local count = set_back and day_count or 0
  if cost > 0 or set_back then
    local refused, banned, incarnation, carried, uncollected =
      unpack(redis.call('HMGET', KEYS[1], 'dr', 'db', 'di', 'dx', 'du'))
    if day_end > 0 then
      local last = string.format('%.0f %.0f %d %d %s',
        day_end / DAY - 1, day_count - (carried or 0), refused or 0, banned or 0, incarnation or 0)
      redis.call('HSET', KEYS[1], 'du', uncollected and uncollected .. ';' .. last or last)
      redis.call('HDEL', KEYS[1], 'dr', 'db', 'dx')
    else
      -- The fields that every request reads come first in the hash, where a look-up finds them fastest.
      redis.call('HSET', KEYS[1], 'v', ARGV[1], 'mc', 0, 'me', 0)
    end
    redis.call('HSET', KEYS[1], 'dc', count, 'de', midnight, 'di', math.max(now, (incarnation or 0) + 1))
    if count > 0 then
      redis.call('HSET', KEYS[1], 'dx', count)
    end
  end
  day_count, day_end = count, midnight
end

local function result(outcome)
  return {outcome, now, minute_count, minute_end, day_count, day_end, ban_end, bans}
end

-- Three days longer than the counters need, so that the last counts of a day can still be collected after an outage; a version raised just
-- before midnight also outlives every replica's cached copy.
local function expire()
  redis.call('PEXPIREAT', KEYS[1], math.max(day_end + 3 * DAY, bans_forgotten, ban_end))
end

if now < ban_end then
  if cost > 0 then
    redis.call('HSET', KEYS[1], 'db', (redis.call('HGET', KEYS[1], 'db') or 0) + 1)
  end
  if turned or redis.call('PTTL', KEYS[1]) < 0 then
    expire()
  end
  return result(BANNED)
end
ban_end = 0
if now >= bans_forgotten then
  bans, bans_forgotten = 0, 0
end

if minute_count < per_minute and day_count < per_day then
  if cost > 0 then
    minute_count, day_count = minute_count + cost, day_count + cost
    if minute_count == cost or turned or known_version < version then
      redis.call('HSET', KEYS[1], 'v', ARGV[1], 'mc', minute_count, 'me', minute_end, 'dc', day_count, 'de', day_end)
    else
      redis.call('HSET', KEYS[1], 'mc', minute_count, 'dc', day_count)
    end
    expire()
  end
  return result(ADMITTED)
end
if cost == 0 then
  return result(REFUSED)
end

-- The first refusal opens the strike window, further ones are strikes.
if now >= strikes_end or strikes_end > now + tonumber(ARGV[6]) then
  strikes, strikes_end = 0, now + tonumber(ARGV[6])
else
  strikes = strikes + 1
end
if strikes < tonumber(ARGV[5]) then
  redis.call('HSET', KEYS[1], 'v', ARGV[1], 'sc', strikes, 'se', strikes_end, 'dr', (redis.call('HGET', KEYS[1], 'dr') or 0) + 1)
  expire()
  return result(REFUSED)
end
ban_end = math.min(now + tonumber(ARGV[7]) * 2 ^ bans, last_ban_end)
bans, bans_forgotten = bans + 1, last_forgotten
redis.call('HSET', KEYS[1], 'v', ARGV[1], 'se', 0, 'be', ban_end, 'bl', bans, 'bf', bans_forgotten, 'db', (redis.call('HGET', KEYS[1], 'db') or 0) + 1)
expire()
return result(BANNED)
