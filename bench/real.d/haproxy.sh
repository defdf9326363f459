# haproxy: an HTTP proxy whose threads share listeners, pools, queues and tables through atomics and locks of its own.  Two
# frontends, the first of which has the second as its servers, are asked over Unix sockets by real.d/haproxy_client.py,
# which ends the proxy.
needs=(python3)

build() {
	make TARGET=linux-glibc CC="$CC" USE_CRYPT_H= USE_LIBCRYPT=
}

ask() { # [REQUESTS]
	local server status=0
	limit=240 run "$tree/haproxy" -db -q -f "$recipes/haproxy.cfg" >"$out.server" 2>&1 &
	server=$!
	timeout --kill-after=5 200 "$recipes/haproxy_client.py" front "${1:-40}" || status=$?
	# The client failed before it could end the server: end it through the timeout(1) that is its parent.
	((status == 0)) || pkill -TERM -P "$server" || true
	wait "$server" || {
		echo "the server ended with status $? (see $out.server)" >&2
		return 1
	}
	return $status
}

check_config() {
	run "$tree/haproxy" -c -f "$tree/examples/basic-config-edge.cfg"
	run "$tree/haproxy" -vv | sed -n 's/^Running on.*//; /^Feature list/p'
}

check() {
	same "four threads, eight connections" ask
	tools "four threads, eight connections" ask
}
