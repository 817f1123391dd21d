-- Announces a newer version of a subject, so that quota.lua reports every older copy as stale.
--
-- KEYS[1]  the subject's hash, as in quota.lua
-- ARGV[1]  the version
-- ARGV[2]  how long it must be kept, in milliseconds; at least as long as any replica may use an older copy
-- ARGV[3]  0, or the last moment at which the subject's ban is to end too, by Redis's clock in milliseconds since 1970. What led to the ban
--          is forgotten with it. After that moment a ban is an error, since the operator has been told that nothing was changed
--
-- Atomic, so that of two concurrent changes the newer version stays. Running it again, or late, changes nothing.

if (tonumber(redis.call('HGET', KEYS[1], 'v')) or 0) <= tonumber(ARGV[1]) then
  redis.call('HSET', KEYS[1], 'v', ARGV[1])
end
if ARGV[3] ~= '0' then
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  if now <= tonumber(ARGV[3]) then
    redis.call('HDEL', KEYS[1], 'sc', 'se', 'be', 'bl', 'bf')
  elseif (tonumber(redis.call('HGET', KEYS[1], 'be')) or 0) > now then
    return redis.error_reply('LATE to end a ban')
  end
end
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return redis.status_reply('OK')
