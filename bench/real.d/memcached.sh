# memcached: a libevent server with four worker threads, asked over loopback by real.d/memcached_client.py, and the
# tests of its own suite that are quick.  The port is the kernel's choice; the client ends the server.
needs=(libevent-dev perl python3)
tests=(cas incrdecr flags getset noreply 64bit stats touch expirations binary-get lru multiversioning maxconns
	chunked-items)

build() {
	./configure --disable-docs
	# Patched files are newer than what autotools made of them; the generated ones are good.
	make ACLOCAL=: AUTOCONF=: AUTOMAKE=: AUTOHEADER=: memcached memcached-debug timedrun sizes
}

ask() {
	local server status=0 user=()
	((EUID == 0)) && user=(-u root)
	MEMCACHED_PORT_FILENAME=$out.port limit=240 \
		run "$tree/memcached" -l 127.0.0.1 -p -1 -U 0 -t 4 -m 64 -A "${user[@]}" >"$out.server" 2>&1 &
	server=$!
	timeout --kill-after=5 200 "$recipes/memcached_client.py" "$out.port" || status=$?
	# The client failed before it could end the server: end it through the timeout(1) that is its parent.
	((status == 0)) || pkill -TERM -P "$server" || true
	wait "$server" || {
		echo "the server ended with status $? (see $out.server)" >&2
		return 1
	}
	return $status
}

own_tests() {
	local files=("${tests[@]/#/t/}")
	cd "$tree" && timeout --kill-after=5 900 prove "${files[@]/%/.t}"
}

check() {
	same "-t 4, six connections: set, get, add, append, incr, cas, delete" ask
	suite "its own tests (${#tests[@]} files of t/)" own_tests
}
