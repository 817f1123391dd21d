-- Spends one request of a subject's quota: both windows have room and are both charged, or neither is. Whoever goes on after a refusal
-- is banned for some time.
--
-- KEYS[1]  the hash that holds the subject's whole state; one key, so that any slot of a Redis Cluster serves it
-- ARGV[1]  version of the caller's copy of the subject
-- ARGV[2]  requests a minute
-- ARGV[3]  requests a day
-- ARGV[4]  1 to spend a request, 0 to look only
-- ARGV[5]  refusals after the first one that bring a ban
-- ARGV[6]  how long, from that first one, they are counted
-- ARGV[7]  the first ban's length
-- ARGV[8]  the longest ban's length; each ban is twice as long as the one before, up to this
-- ARGV[9]  how long, from its beginning, a ban makes the next one longer
-- ARGV[10] the time, given by tests only; otherwise Redis's own clock counts, which all replicas share
--
-- Times are milliseconds since 1970, lengths are milliseconds. The hash: v version; mc and me count and end of the minute; dc and de
-- count and end of the day; sc and se count and end of the strikes; be end of the ban; bl and bf number of bans and when that number is
-- forgotten; p the version that ended a ban last, of which raise.lua takes note. No hash means no usage, no ban and the version that the caller says.
--
-- Result, integers only: outcome (0 admitted, 1 refused, 3 banned), the time, count and end of the minute, count and end of the day, end
-- and number of the ban (0 without), all as they are after this request. A window that is not open has count 0 and the end it would have if
-- it were opened now. If a newer version than the caller's is known nothing is charged, and the result is 2 (stale) and that version.
--
-- Atomic because Redis runs one script at a time: nobody reads between the look at the counters and their increase.

local MINUTE, HOUR, DAY = 60000, 3600000, 86400000
local ADMITTED, REFUSED, STALE, BANNED = 0, 1, 2, 3

local version, per_minute, per_day, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local now = tonumber(ARGV[10])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end

local state = redis.call('HMGET', KEYS[1], 'v', 'mc', 'me', 'dc', 'de', 'sc', 'se', 'be', 'bl', 'bf')
for i = 1, #state do
  state[i] = tonumber(state[i]) or 0
end
local known_version, minute_count, minute_end, day_count, day_end, strikes, strikes_end, ban_end, bans, bans_forgotten = unpack(state)

if known_version > version then
  return {STALE, known_version}
end

-- A window never ends later than one that opens now, and a ban not later than the longest one that begins now. If a clock that was set
-- back left a later end behind, it is corrected for good, since the new end is in the response, and a client that waits for it is to be
-- admitted.
local fresh_minute_end, midnight = now + MINUTE, (math.floor(now / DAY) + 1) * DAY
if minute_end > fresh_minute_end or day_end > midnight then
  minute_end, day_end = math.min(minute_end, fresh_minute_end), math.min(day_end, midnight)
  redis.call('HSET', KEYS[1], 'me', minute_end, 'de', day_end)
end
local last_ban_end, last_forgotten = now + tonumber(ARGV[8]), now + tonumber(ARGV[9])
if ban_end > last_ban_end or bans_forgotten > last_forgotten then
  ban_end, bans_forgotten = math.min(ban_end, last_ban_end), math.min(bans_forgotten, last_forgotten)
  redis.call('HSET', KEYS[1], 'be', ban_end, 'bf', bans_forgotten)
end
if now >= minute_end then
  minute_count, minute_end = 0, fresh_minute_end
end
if now >= day_end then
  day_count, day_end = 0, midnight
end

local function result(outcome)
  return {outcome, now, minute_count, minute_end, day_count, day_end, ban_end, bans}
end

-- An hour more than the counters need, so that a version that was raised just before midnight outlives every replica's cached copy.
local function expire()
  redis.call('PEXPIREAT', KEYS[1], math.max(day_end + HOUR, bans_forgotten, ban_end))
end

if now < ban_end then
  if redis.call('PTTL', KEYS[1]) < 0 then
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
    redis.call('HSET', KEYS[1], 'v', ARGV[1], 'mc', minute_count, 'me', minute_end, 'dc', day_count, 'de', day_end)
    expire()
  end
  return result(ADMITTED)
end
if cost == 0 then
  return result(REFUSED)
end

-- The first refusal opens the count, the further ones are strikes.
if now >= strikes_end or strikes_end > now + tonumber(ARGV[6]) then
  strikes, strikes_end = 0, now + tonumber(ARGV[6])
else
  strikes = strikes + 1
end
if strikes < tonumber(ARGV[5]) then
  redis.call('HSET', KEYS[1], 'v', ARGV[1], 'sc', strikes, 'se', strikes_end)
  expire()
  return result(REFUSED)
end
ban_end = math.min(now + tonumber(ARGV[7]) * 2 ^ bans, last_ban_end)
bans, bans_forgotten = bans + 1, last_forgotten
redis.call('HSET', KEYS[1], 'v', ARGV[1], 'se', 0, 'be', ban_end, 'bl', bans, 'bf', bans_forgotten)
expire()
return result(BANNED)
