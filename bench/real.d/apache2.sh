# Apache's httpd with the event MPM, on apr and apr-util that the same compiler has built, asked by `ab` over loopback.  As
# it is used, workers are threads of a child process; under the tool it runs as one process (httpd -X), since what a
# child does is not recorded.  SIGTERM ends it.
needs=(libpcre2-dev apache2-utils curl python3)
uses=(apr apr-util)

build() {
	# Debian's own rules define these two: its patches need them.
	export CPPFLAGS="-DPLATFORM='\"Debian\"' -DBUILD_DATETIME='\"2026-01-01T00:00:00\"'"
	./configure --prefix="$tree/installed" --with-mpm=event --enable-mods-shared=none \
		--enable-mods-static="unixd log_config mime dir alias authz_core reqtimeout status env headers setenvif" \
		--with-apr="$(tree_of "$side" apr)/installed" --with-apr-util="$(tree_of "$side" apr-util)/installed"
	make
}

configure() { # a server of eight threads, with its files beside $out
	port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])') &&
		rm -rf "$out.root" && mkdir -p "$out.root/htdocs" "$out.root/logs" && chmod 755 "$out.root" &&
		echo "what the server says" >"$out.root/htdocs/index.html" && sample 100000 >"$out.root/htdocs/large.txt" &&
		cat >"$out.root/httpd.conf" <<-END
		ServerRoot "$out.root"
		ServerName localhost
		Listen 127.0.0.1:$port
		PidFile logs/httpd.pid
		DefaultRuntimeDir logs
		ErrorLog logs/error
		CustomLog logs/access "%r %>s %b"
		TypesConfig /dev/null
		DocumentRoot htdocs
		User nobody
		Group nogroup
		StartServers 1
		ServerLimit 1
		ThreadLimit 8
		ThreadsPerChild 8
		MaxRequestWorkers 8
		MinSpareThreads 1
		MaxSpareThreads 8
		END
}

serve() { # FUNCTION OPTION...: a server under `run`, while FUNCTION asks it
	local server status=0 i port url
	configure || return
	url=http://127.0.0.1:$port
	limit=240 run "$tree/httpd" -f "$out.root/httpd.conf" "${@:2}" >"$out.server" 2>&1 &
	server=$!
	for ((i = 0; i < 300; i++)); do
		! curl -s -m 5 -o /dev/null "$url/" || break
		sleep 0.1
	done
	"$1" || status=$?
	kill -TERM "$(<"$out.root/logs/httpd.pid")" || pkill -TERM -P "$server" || true
	wait "$server" || {
		echo "the server ended with status $? (see $out.server)" >&2
		return 1
	}
	return $status
}

# How many of the requests failed, whatever they were.
load() { # REQUESTS
	timeout 120 ab -q -n "${1:-200}" -c 8 "$url/index.html" >"$out.ab" && grep -E '^(Complete|Failed) requests' "$out.ab"
}

questions() {
	load 500 && timeout 120 ab -q -k -n 100 -c 4 "$url/large.txt" >"$out.ab" &&
		grep -E '^(Complete|Failed) requests|^Keep-Alive' "$out.ab" &&
		curl -s -m 20 "$url/" && curl -s -m 20 "$url/large.txt" | cksum &&
		curl -s -m 20 -r 10-29 "$url/large.txt" && curl -s -m 20 -o /dev/null -w '%{http_code}\n' "$url/nothing"
}

ask() { serve questions -DFOREGROUND; }
ask_one() { serve questions -X; }
job() { serve load -X; }

# It reads a configuration and all that it names, and ends.
configuration() {
	configure && run "$tree/httpd" -f "$out.root/httpd.conf" -t -D DUMP_RUN_CFG
}

check() {
	note "its own tests are not in the Debian package"
	same "ab -c 8, curl, workers in a child" ask
	same "ab -c 8, curl, one process" ask_one
	tools "httpd -X under ab -c 8" job configuration
}
