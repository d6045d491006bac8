-- One raw request after another, as the plan says, each with its own Idempotency-Key; the outcome goes out as JSON.
local heads, tail, stored, sent = {}, nil, nil, 0

function init(args)
  local plan = dofile(args[1])
  local lines = { plan.method .. ' ' .. plan.path .. ' HTTP/1.1', 'Host: ' .. plan.host }
  for name, value in pairs(plan.headers) do lines[#lines + 1] = name .. ': ' .. value end
  if plan.body then lines[#lines + 1] = 'Content-Length: ' .. #plan.body end
  local common = table.concat(lines, '\r\n') .. '\r\n'
  local key = 'Idempotency-Key: ' .. plan.prefix
  for index, bearer in ipairs(plan.bearers) do
    heads[index] = common .. 'Authorization: Bearer ' .. bearer .. '\r\n' .. key
  end
  if #heads == 0 then heads[1] = common .. key end
  tail = '\r\n\r\n' .. (plan.body or '')
  stored = plan.stored
end

function request()
  local turn = sent % #heads
  local number = stored and math.floor(sent / #heads) % stored + 1 or sent + 1
  sent = sent + 1
  return heads[turn + 1] .. string.format('%d', number) .. tail
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"seconds":%.6f,"p50Ms":%.3f,"p99Ms":%.3f,"refused":%d,"broken":%d,"bytes":%d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    errors.status, errors.connect + errors.read + errors.write + errors.timeout, summary.bytes
  ))
end
