-- Publishes a newer version of a subject, so that quota.lua reports every older copy as stale; lifts the subject's ban if the version says so.
--
-- KEYS[1]  the subject's hash, as in quota.lua
-- ARGV[1]  the version
-- ARGV[2]  how long it must be kept, in milliseconds; at least as long as any replica may use an older copy
-- ARGV[3]  1 to end the ban and clear the refusals and bans before it, otherwise 0
--
-- Result: the version in the hash now. Atomic, so that of two concurrent changes the newer version stays. Running it again, or late, changes
-- nothing.

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
