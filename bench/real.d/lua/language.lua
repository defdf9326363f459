-- The language: closures, varargs, goto, integer and float arithmetic, metatables, to-be-closed variables, errors.
print(_VERSION, ...)

local function fib(n) return n < 2 and n or fib(n - 1) + fib(n - 2) end
print("fib", fib(22))

local function counter()
  local n = 0
  return function(step) n = n + (step or 1); return n end
end
local a, b = counter(), counter()
a(); a(5); b()
print("closures", a(), b())

local function spread(...) return select("#", ...), table.pack(...).n, (select(-1, ...)) end
print("varargs", spread(1, nil, 3, nil, "last"))

for i = 1, 3 do
  for j = 1, 3 do
    if j == 2 then goto continue end
    io.write(i, ":", j, " ")
    ::continue::
  end
end
print()

print("integers", 7 // 2, -7 // 2, 7 % -3, 1 << 62, math.maxinteger + 1 == math.mininteger, 5 & 3 | 8 ~ 1, ~0)
print("floats", 7 / 2, 2 ^ 0.5, 1e308 * 10, -(0 / 0) ~= 0, 3 | 0, 1e15, 0x1p-3, math.tointeger(3.0))

local vector = {}
vector.__index = vector
vector.__add = function(l, r) return setmetatable({ l[1] + r[1], l[2] + r[2] }, vector) end
vector.__eq = function(l, r) return l[1] == r[1] and l[2] == r[2] end
vector.__lt = function(l, r) return l[1] < r[1] end
vector.__le = function(l, r) return l[1] <= r[1] end
vector.__len = function() return 2 end
vector.__call = function(self, k) return self[k] * 10 end
vector.__concat = function(l, r) return tostring(l) .. "|" .. tostring(r) end
vector.__tostring = function(v) return "(" .. v[1] .. "," .. v[2] .. ")" end
vector.__unm = function(v) return setmetatable({ -v[1], -v[2] }, vector) end
local v, w = setmetatable({ 1, 2 }, vector), setmetatable({ 3, 4 }, vector)
print("metatables", tostring(v + w), v == w, v < w, v <= w, #v, v(2), v .. w, tostring(-w))

local log = {}
do
  local first <close> = setmetatable({}, { __close = function() log[#log + 1] = "first" end })
  local second <close> = setmetatable({}, { __close = function() log[#log + 1] = "second" end })
  local fixed <const> = 42
  log[#log + 1] = "body " .. fixed
end
print("close", table.concat(log, " "))

print("pcall", pcall(error, { code = 7 }) == false, select(2, pcall(error, "plain", 0)))
print("xpcall", xpcall(function() local t = nil; return t.field end, function(m) return (m:gsub("^.-:%d+: ", "")) end))
print("overflow", pcall(function() local function f() return 1 + f() end return f() end) == false)
print("load", load("return 6 * ...")(7), load("syntax error here") == nil)
print("compare", "a" < "b", 1 < 1.5, math.type(1), math.type(1.0), math.type("1"), "10" + 5, 10 .. 20)
