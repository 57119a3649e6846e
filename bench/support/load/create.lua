-- Each request creates a new plant. The first argument is the id before the first one.
local id = 0

function init(args)
  id = tonumber(args[1])
end

local headers = { ["Authorization"] = "Bearer " .. (os.getenv("TOKEN") or ""), ["Content-Type"] = "application/json" }

function request()
  id = id + 1
  return wrk.format("POST", "/plants", headers, '{"id":' .. id .. ',"name":"Monstera","tag":"tropical"}')
end
