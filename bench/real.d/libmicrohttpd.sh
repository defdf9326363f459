# libmicrohttpd: a web server as a library.  Its example server with a pool of threads, asked by `ab` over loopback and
# ended by a byte on its standard input; its own tests.  A test of its own that needs no client is what is explored.
needs=(libcurl4-gnutls-dev libgnutls28-dev pkg-config apache2-utils curl python3)
curl_tests=(test_get test_get11 test_get_chunked test_post test_post11 test_postform test_put test_put_chunked test_delete
	test_large_put test_add_conn test_termination test_quiesce test_iplimit11 test_process_headers)

build() {
	./configure --disable-doc --disable-dependency-tracking
	make
	make -C src/microhttpd check TESTS=
	make -C src/testcurl check TESTS=
}

own_tests() {
	timeout --kill-after=5 600 make -C "$tree/src/microhttpd" check-TESTS >tests.log 2>&1 ||
		{ grep -a '^FAIL\|^ERROR' tests.log >&2; return 1; }
	timeout --kill-after=5 600 make -C "$tree/src/testcurl" check-TESTS TESTS="${curl_tests[*]}" >curl.log 2>&1 ||
		{ grep -a '^FAIL\|^ERROR' curl.log >&2; return 1; }
}

# The program that libtool's script would start.
program() { # PATH...
	export LD_LIBRARY_PATH=$tree/src/microhttpd/.libs
	limit=240 run "$tree/src/${1%/*}/.libs/${1##*/}" "${@:2}"
}

serve() { # FUNCTION: the server, while FUNCTION asks it
	local server status=0 i port url
	port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])') || return
	url=http://127.0.0.1:$port
	mkfifo "$out.stdin" || return
	program examples/benchmark "$port" <"$out.stdin" >"$out.server" 2>&1 &
	server=$!
	exec 8>"$out.stdin"
	for ((i = 0; i < 300; i++)); do
		! curl -s -m 5 -o /dev/null "$url/" || break
		sleep 0.1
	done
	"$1" || status=$?
	echo >&8
	exec 8>&-
	wait "$server" || {
		echo "the server ended with status $? (see $out.server)" >&2
		return 1
	}
	return $status
}

load() { timeout 120 ab -q -n 200 -c 8 "$url/" >"$out.ab" && grep -E '^(Complete|Failed) requests' "$out.ab"; }

questions() {
	load && timeout 120 ab -q -k -n 400 -c 8 "$url/" >"$out.ab" && grep -E '^(Complete|Failed) req|^Keep' "$out.ab" &&
		curl -s -m 20 "$url/" && curl -s -m 20 -i "$url/any" | tr -d '\r'
}

ask() { serve questions; }
job() { serve load; }
start_stop() { program microhttpd/test_start_stop; }

check() {
	same "ab -c 8, curl, a pool of threads" ask
	suite "its own tests (src/microhttpd, ${#curl_tests[@]} of src/testcurl)" own_tests
	tools "a pool of threads under ab -c 8" job start_stop
}
