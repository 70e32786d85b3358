-- For wrk: sessions that are refreshed in turn, each with the token that its last answer gave.
-- Arguments: a file with one refresh token on each line; the request's headers, separated by tabs.
local tokens, first, last = {}, 1, 0
local head

function init(arguments)
  for line in io.lines(arguments[1]) do
    last = last + 1
    tokens[last] = line
  end
  head = "POST /auth/v1/token?grant_type=refresh_token HTTP/1.1\r\n" .. arguments[2]:gsub("\t", "\r\n")
    .. "\r\nContent-Type: application/json\r\n"
end

function request()
  local content = '{"refresh_token":"' .. tokens[first] .. '"}'
  tokens[first] = nil
  first = first + 1
  return head .. "Content-Length: " .. #content .. "\r\n\r\n" .. content
end

function response(status, headers, body)
  last = last + 1
  tokens[last] = body:match('"refresh_token":"([^"]+)"')
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format("answers %d in %d us, p50 %d us, p99 %d us, failed %d\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99),
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
