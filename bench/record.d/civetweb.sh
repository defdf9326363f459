# civetweb, a web server with a pool of four threads, asked over loopback by http.c: on eight connections at a time,
# one for each request (civetweb), or on four, the same to the end (civetweb-keep); a thread serves one until it ends.
requests=1000
[[ ${row:-} != *-keep ]] || requests=10000

build() {
	"$CC" $flags -w -Iinclude -DNO_SSL -DNO_CGI src/civetweb.c src/main.c -o civetweb -lpthread -ldl -lm
}

input() {
	mkdir root
	text 2000 >root/page.txt
}

arguments() {
	port=$("$bin/free_port")
	cmd=("$tree/civetweb" -listening_ports "127.0.0.1:$port" -num_threads 4 -document_root "$in/root" -tcp_nodelay 1)
	[[ $row != *-keep ]] || cmd+=(-enable_keep_alive yes)
}

# Its main thread looks once a second whether a signal has come.
client() {
	local keep=() connections=8
	[[ $row != *-keep ]] || keep=(keep) connections=4
	"$bin/http" "$port" "$connections" "$requests" /page.txt 2000 seconds "${keep[@]}" && kill -TERM $(processes_of "$tree/civetweb")
}
