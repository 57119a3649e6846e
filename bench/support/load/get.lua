-- Each request reads one of the first thousand plants.
local headers = { ["Authorization"] = "Bearer " .. (os.getenv("TOKEN") or "") }

function request()
  return wrk.format("GET", "/plants/" .. math.random(1, 1000), headers)
end
