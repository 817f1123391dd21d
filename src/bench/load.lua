-- The requests of wrk: with the keys of the file KEYS in turn (without a key if absent), METHOD (GET) and BODY from the environment, and, if UNIQUE is
-- set, each with an Idempotency-Key of its own that begins with it.
-- Prints one line of figures for ./run at the end, with times in microseconds.

local requests, nth, unique = {}, 0, os.getenv("UNIQUE")

function init()
  local headers = { ["Accept"] = "application/json" }
  local body = os.getenv("BODY")
  if body then headers["Content-Type"] = "application/json" end
  local method, keys = os.getenv("METHOD") or "GET", os.getenv("KEYS")
  if not keys then
    requests[1] = wrk.format(method, nil, headers, body)
    return
  end
  for key in io.lines(keys) do
    headers["Authorization"] = "Bearer " .. key
    requests[#requests + 1] = wrk.format(method, nil, headers, body)
  end
end

function request()
  nth = nth + 1
  local request = requests[(nth - 1) % #requests + 1]
  -- Behind the request line, which is followed by the headers.
  return unique and request:gsub("\r\n", "\r\nIdempotency-Key: " .. unique .. "-" .. nth .. "\r\n", 1) or request
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format("FIGURES requests=%d micros=%d p50=%d p99=%d max=%d refused=%d broken=%d\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), latency.max, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout))
end
