-- A plant of its own in each request, from an id on that the first argument names.
local id = 0

function init(args)
  id = tonumber(args[1])
end

local headers = { ["Authorization"] = "Bearer " .. (os.getenv("TOKEN") or ""), ["Content-Type"] = "application/json" }

function request()
  id = id + 1
  return wrk.format("POST", "/plants", headers, '{"id":' .. id .. ',"name":"Monstera","tag":"tropical"}')
end
