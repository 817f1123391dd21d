-- Removes the counts of past days from a subject's hash, after they have been collected.
--
-- KEYS[1]  the subject's hash, as in quota.lua
-- ARGV[1]  the counts that were read
--
-- Result: 1 if they were removed, 0 if they have changed meanwhile or no longer exist. Atomic, so that the counts of a day that ends between
-- the check and the removal stay.

if redis.call('HGET', KEYS[1], 'du') ~= ARGV[1] then
  return 0
end
return redis.call('HDEL', KEYS[1], 'du')
