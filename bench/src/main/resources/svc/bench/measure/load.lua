-- For wrk: one request after the other, in the name of one caller after the other, each with another key.
-- Arguments: a file with the headers of a caller on each line, separated by tabs; method; target and, where there is
-- one, body, both with %d where the key goes; the largest key.
local callers, turn = {}, 0
local method, target, body, keys

function init(arguments)
  for line in io.lines(arguments[1]) do
    callers[#callers + 1] = line:gsub("\t", "\r\n") .. "\r\n"
  end
  method, target, keys, body = arguments[2], arguments[3], tonumber(arguments[4]), arguments[5]
end

function request()
  turn = turn % #callers + 1
  local key = math.random(keys)
  local head = method .. " " .. string.format(target, key) .. " HTTP/1.1\r\n" .. callers[turn]
  if not body then
    return head .. "\r\n"
  end
  local content = string.format(body, key)
  return head .. "Content-Type: application/json\r\nContent-Length: " .. #content .. "\r\n\r\n" .. content
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format("answers %d in %d us, p50 %d us, p99 %d us, failed %d\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99),
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
