-- Coroutines and memory: generators, wrap and close, incremental and generational collection, weak tables, finalizers.
local function permutations(list, n)
  n = n or #list
  if n <= 1 then coroutine.yield(table.concat(list)) end
  for i = 1, n do
    list[n], list[i] = list[i], list[n]
    if n > 1 then permutations(list, n - 1) end
    list[n], list[i] = list[i], list[n]
  end
end
local count, last = 0, nil
for p in coroutine.wrap(function() permutations({ "a", "b", "c", "d", "e" }) end) do count, last = count + 1, p end
print("permutations", count, last)

local co = coroutine.create(function(x)
  local y = coroutine.yield(x * 2)
  error("stopped at " .. y, 0)
end)
print("coroutine", coroutine.resume(co, 21))
print("coroutine", coroutine.resume(co, "y"))
print("coroutine", coroutine.status(co), coroutine.isyieldable(), coroutine.resume(co))

local function tree(depth) return depth == 0 and {} or { tree(depth - 1), tree(depth - 1) } end
local function nodes(t) return t[1] and 1 + nodes(t[1]) + nodes(t[2]) or 1 end
for _, mode in ipairs { "incremental", "generational" } do
  collectgarbage(mode)
  local total = 0
  for _ = 1, 6 do total = total + nodes(tree(11)) end
  print(mode, total)
end

local weak = setmetatable({}, { __mode = "k" })
local kept = {}
weak[kept] = "kept"
for i = 1, 100 do weak[{}] = i end
collectgarbage()
local left = 0
for _ in pairs(weak) do left = left + 1 end
print("weak", left, weak[kept])

local finalized = 0
for _ = 1, 50 do setmetatable({}, { __gc = function() finalized = finalized + 1 end }) end
collectgarbage(); collectgarbage()
print("finalized", finalized)

local sieve, primes = {}, 0
for i = 2, 30000 do
  if not sieve[i] then
    primes = primes + 1
    for j = i * i, 30000, i do sieve[j] = true end
  end
end
print("primes", primes)

local words = {}
for i = 1, 5000 do
  local key = "k" .. (i * 31 % 977)
  words[key] = (words[key] or 0) + i
end
local keys = {}
for key in pairs(words) do keys[#keys + 1] = key end
table.sort(keys)
print("hash", #keys, keys[1], words[keys[1]], keys[#keys], words[keys[#keys]])
print("hook", pcall(function()
  local steps = 0
  debug.sethook(function() steps = steps + 1 end, "", 1000)
  for _ = 1, 20000 do end
  debug.sethook()
  return steps > 0
end))
