-- Gives the catalogue a new version, which names the latest additions.
--
-- KEYS[1]  the catalogue's hash; its field v is the version
-- ARGV[1]  a unique string
-- ARGV[2]  the identifier of the added pet; empty if anything may have changed
-- ARGV[3]  the maximum number of additions in a version
--
-- A version is a string: additions separated by commas, the latest first, each "unique:identifier". Without an identifier anything may have
-- changed. Values written by others are kept unchanged, as additions with an unknown identifier.
--
-- Atomic because Redis runs one script at a time: of two concurrent additions each is in the version.

local version = ARGV[1] .. ':' .. ARGV[2]
local count = 1
for earlier in string.gmatch(redis.call('HGET', KEYS[1], 'v') or '', '[^,]+') do
  if count >= tonumber(ARGV[3]) then
    break
  end
  version, count = version .. ',' .. earlier, count + 1
end
redis.call('HSET', KEYS[1], 'v', version)
return count
