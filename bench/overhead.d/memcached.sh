# memcached -t 2, asked over loopback by load.c (native on all sides).  CPU and memory are the server's from start to
# end, the wall clock is the client's: from its first request to the last answer.
. "$recipes/../real.d/memcached.sh"
needs=(libevent-dev)
extra=(../real.d/memcached.sh)

build() {
	./configure --disable-docs CFLAGS="$flags"
	# Patched files are newer than what autotools made of them; the generated ones are good.
	make ACLOCAL=: AUTOCONF=: AUTOMAKE=: AUTOHEADER=: memcached
}

workload() {
	local server status=0 user=()
	((EUID == 0)) && user=(-u root)
	MEMCACHED_PORT_FILENAME=$PWD/port measured "$tree/memcached" -l 127.0.0.1 -p -1 -U 0 -t 2 -m 64 -A "${user[@]}" &
	server=$!
	timeout --kill-after=5 "$limit" "$bin/load" port 4 100000 numbers.client >result.client || status=$?
	if ((status)); then
		pkill -TERM -P "$server" || true
		wait "$server" || true
		echo "the client failed with status $status" >>stderr
		return 1
	fi
	wait "$server" || return
	mv result.client result
	# Its wall clock instead of the server's.
	awk -v wall="$(<numbers.client)" '{ print $1, wall, $3 }' numbers >numbers.both && mv numbers.both numbers
}
