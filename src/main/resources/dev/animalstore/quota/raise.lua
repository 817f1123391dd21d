-- Makes a newer version of a subject known, so that quota.lua calls every older copy stale.
--
-- KEYS[1]  the subject's hash, as in quota.lua
-- ARGV[1]  the version
-- ARGV[2]  how long it has to be known, in milliseconds; at least as long as any replica may believe an older copy
--
-- Result: the version that is known now. Atomic, so that of two changes at the same time the newer version stays.

local version = math.max(tonumber(redis.call('HGET', KEYS[1], 'v')) or 0, tonumber(ARGV[1]))
redis.call('HSET', KEYS[1], 'v', version)
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return version
