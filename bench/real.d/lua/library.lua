-- The standard library: strings, patterns, tables, utf8, math, os, io.
print(("%5d|%-5s|%05.2f|%x|%q|%g|%a"):format(42, "ab", 3.14159, 255, "a\n\"b\"", 1e20, 1.0))
print(("hello world"):gsub("o", "0"), ("hello"):rep(3, "-"), ("hello"):byte(1, -1))
print(("key = value"):match("^(%w+)%s*=%s*(%w+)$"), ("[[x]]"):find("[[", 1, true), ("abc"):reverse():upper())
print(("THE (quick) fox"):find("%((%a+)%)"), ("f(a(b)c)d"):match("%b()"), ("THE fox"):gsub("%f[%a]%a+", string.lower))
for word, digits in ("one1 two22 three333"):gmatch("(%a+)(%d+)") do io.write(word, "=", digits, " ") end
print()
print(string.pack("<i4z", 77, "packed"):byte(1, -1))
print(string.unpack("<i4z", string.pack("<i4z", -77, "packed")))

local t = {}
for i = 1, 200 do t[i] = (i * 7919) % 211 end
table.sort(t)
print("sorted", table.concat(t, ",", 1, 12), #t)
table.sort(t, function(l, r) return l > r end)
table.insert(t, 1, "head"); table.insert(t, "tail"); table.remove(t, 2)
print("edited", t[1], t[2], t[#t], table.unpack(t, 3, 6))
print("moved", table.concat(table.move({ 1, 2, 3 }, 1, 3, 3), " "))

print("utf8", utf8.char(72, 228, 8364, 128512), utf8.len("häß€"), utf8.codepoint("€", 1))
for position, code in utf8.codes("aé€") do io.write(position, ":", code, " ") end
print()

math.randomseed(42, 7)
print("random", math.random(1000), math.random(1000), math.random(10, 20))
print("math", math.floor(-3.5), math.ceil(3.2), math.fmod(-7, 3), math.ult(1, -1), math.max(3, 9, 4), math.pi)
print("functions", ("%.10f %.10f %.10f"):format(math.sin(1), math.exp(1), math.log(10, 2)))
print("time", os.time({ year = 2020, month = 2, day = 29, hour = 12 }) > 0, os.date("!%Y-%m-%d %H:%M:%S", 86400))

local name = os.tmpname()
local file <close> = assert(io.open(name, "w+"))
file:setvbuf("full", 512)
for i = 1, 500 do file:write(i, " line\n") end
file:seek("set", 0)
print("read", file:read("n", "l", "L", 5))
local lines = 0
for _ in file:lines() do lines = lines + 1 end
print("lines", lines, file:seek("end"))
print("removed", os.remove(name), io.open(name) == nil)
print("missing", select(2, io.open("/nonexistent/file")))
print("require", pcall(require, "no.such.module") == false, package.loaded.string == string)
