-- The benchmark origin's answers. The posts stay in memory, newest first: a page is a binary search and one concatenation.
-- As on a real server the Link of a page carries limit but not since_id, the last page still names a next one, which is
-- empty, and limit is 20 unless asked for and 40 at most.
local origin = {}
local knobs, counts = ngx.shared.knobs, ngx.shared.counts
local ids, posts, accounts, filled = {}, {}, {}, {}
local largest_page = 40

local defaults = {
  latency_ms = 0, -- before every answer
  hide = 5,       -- the newest posts held back
  visible = 0,    -- how many posts there are after those, 0 for all
}

local function lines_of(path) -- none where files alone are served
  local file = io.open(path, "rb")
  if not file then return function() end end
  local all = file:read("*a")
  file:close()
  return all:gmatch("[^\n]+")
end

function origin.load(folder)
  for line in lines_of(folder .. "/statuses.ndjson") do
    posts[#posts + 1] = line
    ids[#ids + 1] = line:match('^{"id":"(%d+)"')
  end
  for line in lines_of(folder .. "/accounts.ndjson") do accounts[#accounts + 1] = line end
  for name, value in pairs(defaults) do knobs:set(name, value) end
end

local function less(one, other) -- decimal numbers as text
  if #one ~= #other then return #one < #other end
  return one < other
end

-- The first index from low to high whose id is not above the given one, or high + 1.
local function reach(id, low, high)
  while low <= high do
    local middle = math.floor((low + high) / 2)
    if less(id, ids[middle]) then low = middle + 1 else high = middle - 1 end
  end
  return low
end

local function base() return ngx.var.scheme .. "://" .. ngx.var.http_host end

local function send(body)
  ngx.header["Content-Type"] = "application/json; charset=utf-8"
  ngx.header["X-RateLimit-Limit"] = "300"
  ngx.header["X-RateLimit-Remaining"] = "299"
  ngx.header["X-RateLimit-Reset"] = os.date("!%Y-%m-%dT%H:%M:%S.000000Z", ngx.time() + 300)
  ngx.print(body)
end

local function arguments() -- of a name given twice, the last one counts
  local given = ngx.req.get_uri_args()
  for name, value in pairs(given) do
    if type(value) == "table" then given[name] = value[#value] end
  end
  return given
end

local function filled_in(place, here)
  local cache = filled[here]
  if not cache then cache = {}; filled[here] = cache end
  if not cache[place] then
    -- What two servers show of one author is one post: so those of the other servers have another home.
    cache[place] = posts[place]:gsub("@BASE@", here):gsub("%.example", ngx.var.home)
  end
  return cache[place]
end

-- The first and the last index of the requested posts.
local function bounds(given, limit)
  local from = knobs:get("hide") + 1
  local visible = knobs:get("visible")
  local last = visible > 0 and math.min(#ids, from + visible - 1) or #ids
  local to = last
  if given.max_id then
    from = reach(given.max_id, from, last)
    if ids[from] == given.max_id then from = from + 1 end
  end
  local above = given.min_id or given.since_id
  if above then to = reach(above, from, last) - 1 end
  if given.min_id then from = math.max(from, to - limit + 1) end
  return from, math.min(to, from + limit - 1)
end

function origin.timeline()
  local given, here = arguments(), base()
  local limit = math.max(1, math.min(tonumber(given.limit) or 20, largest_page))
  local from, to = bounds(given, limit)
  local page = {}
  for place = from, to do page[#page + 1] = filled_in(place, here) end
  if from <= to then
    local keep = given.limit and "limit=" .. ngx.escape_uri(given.limit) .. "&" or ""
    local url = "<" .. here .. ngx.var.uri .. "?" .. keep
    ngx.header["Link"] = url .. "max_id=" .. ids[to] .. '>; rel="next", ' .. url .. "min_id=" .. ids[from] .. '>; rel="prev"'
  end
  send("[" .. table.concat(page, ",") .. "]")
end

function origin.account() send((accounts[1]:gsub("@BASE@", base()))) end

function origin.instance()
  send('{"uri":"' .. ngx.var.http_host .. '","domain":"' .. ngx.var.http_host .. '","title":"Bench","version":"4.5.0",'
    .. '"description":"","languages":["en"],"rules":[],"configuration":{"statuses":{"max_characters":5000},'
    .. '"urls":{}},"urls":{},"registrations":false,"api_versions":{"mastodon":7}}')
end

function origin.unknown()
  ngx.status = 404
  send('{"error":"Record not found"}')
end

function origin.before()
  local wait = knobs:get("latency_ms")
  if wait > 0 then ngx.sleep(wait / 1000) end
end

function origin.after()
  counts:incr("requests", 1, 0)
  counts:incr("bytes", tonumber(ngx.var.bytes_sent) or 0, 0)
end

-- Changes the named settings, and resets the counters.
function origin.set()
  for name, value in pairs(arguments()) do
    if not defaults[name] then
      ngx.status = 400
      return ngx.say("no knob named ", name)
    end
    knobs:set(name, tonumber(value))
  end
  counts:flush_all()
end

function origin.counts()
  ngx.print(string.format('{"requests":%d,"bytes":%d}', counts:get("requests") or 0, counts:get("bytes") or 0))
end

return origin
