-- Work for the interpreter: calls, tables, strings, closures, garbage.  Prints what it computed.

local function fib(n)
	if n < 2 then return n end
	return fib(n - 1) + fib(n - 2)
end
print("fib", fib(32))

local function sieve(n)
	local composite, count = {}, 0
	for i = 2, n do
		if not composite[i] then
			count = count + 1
			for j = i * i, n, i do composite[j] = true end
		end
	end
	return count
end
print("primes", sieve(1000000))

local state = 42
local function random(below)
	state = (state * 1103515245 + 12345) % 2147483648
	return state // 65536 % below
end

local numbers = {}
for i = 1, 100000 do numbers[i] = random(1000000) end
table.sort(numbers, function(x, y) return x > y end)
print("sorted", numbers[1], numbers[#numbers])

local words, counts = {}, {}
for i = 1, 100000 do words[i] = string.format("w%03d", random(700)) end
local text = table.concat(words, " ")
for word in text:gmatch("%a%d+") do counts[word] = (counts[word] or 0) + 1 end
print("words", #text, counts.w007, (text:gsub("w0", "v")):sub(1, 40))

local Tree = {}
Tree.__index = Tree
function Tree.new(depth)
	if depth == 0 then return setmetatable({}, Tree) end
	return setmetatable({left = Tree.new(depth - 1), right = Tree.new(depth - 1)}, Tree)
end
function Tree:size()
	return self.left and 1 + self.left:size() + self.right:size() or 1
end
local nodes = 0
for _ = 1, 60 do nodes = nodes + Tree.new(12):size() end
print("nodes", nodes)

local function adder(step)
	local sum = 0
	return function(x) sum = sum + x * step; return sum end
end
local total = 0
for i = 1, 2000 do
	local add = adder(i % 7)
	for j = 1, 100 do total = total + add(j) end
end
print("closures", total)

-- Not many: with ThreadSanitizer some ten thousand yields end in a crash.
local produce = coroutine.wrap(function()
	for i = 1, 5000 do coroutine.yield(i) end
end)
local produced = 0
for _ = 1, 5000 do produced = produced + produce() end
print("coroutine", produced)

local x, y = 0.5, 0.25
for _ = 1, 9000000 do x, y = x * 3.7 * (1 - x), (x + y) / 2 end
print("float", string.format("%.6f", y))
