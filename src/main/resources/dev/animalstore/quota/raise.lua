-- Makes a newer version of a subject known, so that quota.lua calls every older copy stale; ends the subject's ban if that is what the version
-- is about.
--
-- KEYS[1]  the subject's hash, as in quota.lua
-- ARGV[1]  the version
-- ARGV[2]  how long it has to be known, in milliseconds; at least as long as any replica may believe an older copy
-- ARGV[3]  1 to end the ban and forget the refusals and bans that led to it, otherwise 0
--
-- Result: the version that is known now. Atomic, so that of two changes at the same time the newer version stays. Doing so again, or late,
-- changes nothing.

local version = math.max(tonumber(redis.call('HGET', KEYS[1], 'v')) or 0, tonumber(ARGV[1]))
redis.call('HSET', KEYS[1], 'v', string.format('%.0f', version))
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
if ARGV[3] == '1' and (tonumber(redis.call('HGET', KEYS[1], 'p')) or 0) < tonumber(ARGV[1]) then
  redis.call('HDEL', KEYS[1], 'sc', 'se', 'be', 'bl', 'bf')
  redis.call('HSET', KEYS[1], 'p', ARGV[1])
end
return version
