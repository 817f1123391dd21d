-- Takes the counts of past days out of a subject's hash, once they have been collected.
--
-- KEYS[1]  the subject's hash, as in quota.lua
-- ARGV[1]  those counts as they were read
--
-- Result: 1 if they were taken out, 0 if they have changed meanwhile, or are gone. Atomic, so that the counts of a day that turns between the
-- look and the removal stay.

if redis.call('HGET', KEYS[1], 'du') ~= ARGV[1] then
  return 0
end
return redis.call('HDEL', KEYS[1], 'du')
