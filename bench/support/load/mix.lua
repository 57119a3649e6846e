-- Nine of ten requests read a plant, and one creates a plant.
local id = 0

function init(args)
  id = tonumber(args[1])
end

local authorization = "Bearer " .. (os.getenv("TOKEN") or "")
local reading = { ["Authorization"] = authorization }
local writing = { ["Authorization"] = authorization, ["Content-Type"] = "application/json" }

function request()
  if math.random(10) > 1 then
    return wrk.format("GET", "/plants/" .. math.random(1, 1000), reading)
  end
  id = id + 1
  return wrk.format("POST", "/plants", writing, '{"id":' .. id .. ',"name":"Monstera","tag":"tropical"}')
end
