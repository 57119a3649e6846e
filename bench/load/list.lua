-- The first hundred plants.
local headers = { ["Authorization"] = "Bearer " .. (os.getenv("TOKEN") or "") }

function request()
  return wrk.format("GET", "/plants?limit=100", headers)
end
