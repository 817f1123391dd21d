-- The requests of wrk: with the keys of the file KEYS in turn (without a key if absent), METHOD (GET) and BODY from the environment.
-- Prints one line of figures for ./run at the end, with times in microseconds.

local requests, nth = {}, 0

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
  nth = nth % #requests + 1
  return requests[nth]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format("FIGURES requests=%d micros=%d p50=%d p99=%d max=%d refused=%d broken=%d\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), latency.max, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout))
end
