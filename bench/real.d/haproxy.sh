# haproxy: an HTTP proxy whose threads share listeners, pools, queues and tables through atomics and locks of its own.  Two
# frontends, the first of which has the second as its servers, are asked over Unix sockets by real.d/haproxy_client.py,
# which ends the proxy.  Explored is a small program with its lists (real.d/haproxy_list.c), which needs no client.  Its own
# tests are scripts for vtest, which varnish has under another name.
needs=(python3 varnish)
extra=(haproxy_list.c)
# Main has freed fd_updt when deinit() closes the idle connections to servers, and fd_nbupdt may still count updates.
own_failures=("crash at src/fd.c:343")
tests=(balance/balance-rr stick-table/unknown_key stick-table/converteers_ref_cnt_never_dec http-rules/http_return
	http-rules/del_header http-messaging/h1_to_h1 connection/http_reuse_always connection/http_reuse_aggressive
	http-messaging/http_abortonclose server/cli_add_server server/cli_delete_server http-rules/path_and_pathq)

build() {
	make TARGET=linux-glibc CC="$CC" USE_CRYPT_H= USE_LIBCRYPT=
	"$CC" -O2 -g -w -Iinclude "$recipes/haproxy_list.c" -o haproxy_list -pthread
}

# With connections to servers that are used again it crashes at its end now and then (own_failures), so what it does is
# compared without.
ask() { # [HOW]: which connections to servers are used again
	local server status=0
	REUSE=${1:-never} limit=240 run "$tree/haproxy" -db -q -f "$recipes/haproxy.cfg" >"$out.server" 2>&1 &
	server=$!
	timeout --kill-after=5 200 "$recipes/haproxy_client.py" front 40 || status=$?
	# The client failed before it could end the server: end it through the timeout(1) that is its parent.
	((status == 0)) || pkill -TERM -P "$server" || true
	rm -f front back back2 stats
	wait "$server" || {
		echo "the server ended with status $? (see $out.server)" >&2
		return 1
	}
	return $status
}

ask_reusing() { ask safe; }

lists() { run "$tree/haproxy_list"; }

own_tests() {
	local name
	for name in "${tests[@]}"; do
		HAPROXY_PROGRAM=$tree/haproxy timeout --kill-after=5 120 varnishtest -t 60 "$tree/reg-tests/$name.vtc" || return
	done
}

check() {
	suite "its own tests (${#tests[@]} files of reg-tests)" own_tests
	same "four threads, eight connections" ask
	same "lists of three threads" lists
	tools "four threads, eight connections" ask_reusing lists
}
