-- Spends one request of a subject's quota: both windows have room and are both charged, or neither is.
--
-- KEYS[1]  the hash that holds the subject's whole state; one key, so that any slot of a Redis Cluster serves it
-- ARGV[1]  version of the caller's copy of the subject
-- ARGV[2]  requests a minute
-- ARGV[3]  requests a day
-- ARGV[4]  the time in milliseconds since 1970, given by tests only; otherwise Redis's own clock counts, which all replicas share
--
-- The hash: v version, mc and me count and end of the minute, dc and de count and end of the day (ends in milliseconds since 1970).
-- No hash means no usage and the version that the caller says.
--
-- Result, integers only: outcome (0 admitted, 1 refused, 2 stale: a newer version is known, nothing was charged), the time, then count
-- and end of the minute, count and end of the day, as they are after this request. A window that is not open has count 0 and the end it
-- would have if it were opened now.
--
-- Atomic because Redis runs one script at a time: nobody reads between the look at the counters and their increase.

local MINUTE, HOUR, DAY = 60000, 3600000, 86400000
local ADMITTED, REFUSED, STALE = 0, 1, 2

local version, per_minute, per_day = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local now = tonumber(ARGV[4])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end

local state = redis.call('HMGET', KEYS[1], 'v', 'mc', 'me', 'dc', 'de')
for i = 1, #state do
  state[i] = tonumber(state[i]) or 0
end
local known_version, minute_count, minute_end, day_count, day_end = unpack(state)

if known_version > version then
  return {STALE, now, 0, 0, 0, 0}
end

-- A window never ends later than one that opens now, which also mends what a clock that was set back left behind.
if now >= minute_end then
  minute_count = 0
end
if minute_count == 0 or minute_end > now + MINUTE then
  minute_end = now + MINUTE
end
if now >= day_end then
  day_count = 0
end
day_end = (math.floor(now / DAY) + 1) * DAY

if minute_count >= per_minute or day_count >= per_day then
  return {REFUSED, now, minute_count, minute_end, day_count, day_end}
end

minute_count = minute_count + 1
day_count = day_count + 1
redis.call('HSET', KEYS[1], 'v', version, 'mc', minute_count, 'me', minute_end, 'dc', day_count, 'de', day_end)
-- An hour more than the counters need, so that a version that was raised just before midnight outlives every replica's cached copy.
redis.call('PEXPIREAT', KEYS[1], day_end + HOUR)
return {ADMITTED, now, minute_count, minute_end, day_count, day_end}
