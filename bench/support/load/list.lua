-- Each request reads the page in PAGE. Default: the first hundred plants.
local headers = { ["Authorization"] = "Bearer " .. (os.getenv("TOKEN") or "") }
local page = os.getenv("PAGE") or ""
if page == "" then page = "/plants?limit=100" end

function request()
  return wrk.format("GET", page, headers)
end
