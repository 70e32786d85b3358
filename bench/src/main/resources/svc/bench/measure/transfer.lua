-- For wrk: files that are read or written, one after the other.
-- Arguments: a file with a target (path and query) on each line; the request's headers, separated by tabs; the method; the
-- bytes of the body, 0 for none. A new number for each request goes where a target has {n}.
local targets, turn, count = {}, 0, 0
local method, head, content

function setup(thread)
  thread:set("seed", os.time())
end

function init(arguments)
  for line in io.lines(arguments[1]) do
    targets[#targets + 1] = line
  end
  method = arguments[3]
  local length = tonumber(arguments[4])
  head = " HTTP/1.1\r\n" .. (arguments[2]:gsub("\t", "\r\n")) .. "\r\n"
  content = ""
  if length > 0 then
    local piece = {}
    math.randomseed(seed)
    for i = 1, length do
      piece[i] = string.char(math.random(0, 255))
    end
    content = table.concat(piece)
    head = head .. "Content-Type: application/octet-stream\r\nContent-Length: " .. length .. "\r\n"
  end
  head = head .. "\r\n"
end

function request()
  turn = turn % #targets + 1
  count = count + 1
  local target = targets[turn]:gsub("{n}", seed .. "-" .. count)
  return method .. " " .. target .. head .. content
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format("answers %d in %d us, p50 %d us, p99 %d us, failed %d\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99),
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
