-- Gives the catalogue a new version, which names the additions before it.
--
-- KEYS[1]  the catalogue's hash; its field v is the version
-- ARGV[1]  a text that was never used before
-- ARGV[2]  the identifier of the pet that was added; empty if anything may have changed
-- ARGV[3]  how many additions a version names at most
--
-- A version is a text: additions separated by commas, the latest first, each "text:identifier". Without an identifier anything may have
-- changed. What somebody else wrote there is kept as it is, as one or more additions of which nothing is known.
--
-- Atomic because Redis runs one script at a time: of two additions at the same time each is in the version.

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
