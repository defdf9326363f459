# Redis: a server with four I/O threads that read and write, asked over loopback by the native redis-benchmark and
# redis-cli, which ends it; and some of its own tests.  Its redis-benchmark has threads too: it is what is explored,
# beside a native server.  Its usual allocator is left out, as for every such tool: libc's is seen.
needs=(tcl procps)
# redis-benchmark goes through large histograms whenever time has passed, so some executions are long.
explore_options=(--budget-events 200000000)
tests=(unit/type/string unit/type/incr unit/expire unit/multi unit/pubsub unit/introspection-2 unit/networking)

build() {
	make MALLOC=libc
}

up() { # until the server answers
	local i
	for ((i = 0; i < 300; i++)); do
		[[ $(timeout 5 "$(tree_of native)/src/redis-cli" -s "$out.socket" ping 2>/dev/null) != PONG ]] || return 0
		sleep 0.1
	done
	echo "the server does not answer (see $out.server)" >&2
	return 1
}

options=(--port 0 --save '' --appendonly no)
threaded=(--io-threads 4 --io-threads-do-reads yes)

serve() { # FUNCTION: a server under `run`, while FUNCTION asks it
	local server status=0
	limit=240 run "$tree/src/redis-server" "${options[@]}" "${threaded[@]}" --unixsocket "$out.socket" \
		>"$out.server" 2>&1 &
	server=$!
	up && "$1" || status=$?
	timeout 20 "$(tree_of native)/src/redis-cli" -s "$out.socket" shutdown nosave || pkill -TERM -P "$server" || true
	wait "$server" || {
		echo "the server ended with status $? (see $out.server)" >&2
		return 1
	}
	return $status
}

load() {
	native_benchmark -c 16 -n 1000 -P 4 -t set,get,incr,lpush,lrange_100
}

native_benchmark() {
	timeout 120 "$(tree_of native)/src/redis-benchmark" -s "$out.socket" -q "$@" >"$out.benchmark" 2>&1
}

# What the server answers, and that its I/O threads were at work.
questions() {
	local cli=("$(tree_of native)/src/redis-cli" -s "$out.socket") i
	load && for ((i = 0; i < 20; i++)); do
		echo "set key:$i value-$i"
		echo "append key:$i -more"
		echo "get key:$i"
		echo "rpush list $i"
		echo "incrby sum $i"
		echo "zadd ranks $i member-$i"
	done | "${cli[@]}" && "${cli[@]}" lrange list 0 -1 && "${cli[@]}" zrange ranks 0 -1 withscores &&
		"${cli[@]}" llen mylist && "${cli[@]}" strlen key:3 &&
		"${cli[@]}" info stats | awk -F : '/^io_threaded_(reads|writes)_processed/ { print $1, ($2 > 0 ? "used" : "not used") }'
}

ask() { serve questions; }
job() { serve load; }

# redis-benchmark of the side, with four threads, and a native server.
benchmark() {
	local server status=0
	timeout --kill-after=5 900 "$(tree_of native)/src/redis-server" "${options[@]}" --unixsocket "$out.socket" \
		>"$out.server" 2>&1 &
	server=$!
	up && limit=900 run "$tree/src/redis-benchmark" -s "$out.socket" --threads 4 -c 8 -n 100 -t set -q || status=$?
	timeout 20 "$(tree_of native)/src/redis-cli" -s "$out.socket" shutdown nosave || kill "$server"
	wait "$server" || true
	return $status
}

own_tests() {
	local name single=()
	for name in "${tests[@]}"; do single+=(--single "$name"); done
	cd "$tree" && timeout --kill-after=5 900 ./runtest --clients 1 --baseport 28111 "${single[@]}" \
		--config io-threads 4 --config io-threads-do-reads yes
}

check() {
	same "--io-threads 4: benchmark, then questions" ask
	suite "its own tests (${#tests[@]} files)" own_tests
	tools "--io-threads 4 under redis-benchmark" job benchmark
}
