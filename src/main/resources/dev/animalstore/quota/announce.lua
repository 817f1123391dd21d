-- Announces a newer version of a subject, so that quota.lua reports every older copy as stale.
--
-- KEYS[1]  the subject's hash, as in quota.lua
-- ARGV[1]  the version
-- ARGV[2]  how long it must be kept, in milliseconds; at least as long as any replica may use an older copy
-- ARGV[3]  the subject's origin; a hash with another one is that of another subject, and is removed
-- ARGV[4]  1 to end the subject's ban as well, and to clear the refusals and bans before it; otherwise 0
--
-- Atomic, so that of two concurrent changes the newer version stays. Running it again, or late, changes nothing.

local known, origin = unpack(redis.call('HMGET', KEYS[1], 'v', 'o'))
if (tonumber(known) or 0) <= tonumber(ARGV[1]) then
  if origin and origin ~= ARGV[3] then
    redis.call('PEXPIRE', KEYS[1], 0)
  end
  redis.call('HSET', KEYS[1], 'v', ARGV[1], 'o', ARGV[3])
end
if ARGV[4] == '1' then
  redis.call('HDEL', KEYS[1], 'sc', 'se', 'be', 'bl', 'bf')
end
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return redis.status_reply('OK')
