# libuv: an event loop and a pool of threads; its own test suite, and a driver of ours.  Some of its tests ask the network:
# they have one of their own with nothing but loopback, and the two that want hosts of the internet are left out.
needs=(cmake netbase iproute2)
extra=(libuv_pool.c)
outside=(tcp_close_while_connecting tcp_connect_timeout)

build() {
	cmake -S . -B omen-build -DCMAKE_BUILD_TYPE=RelWithDebInfo
	cmake --build omen-build
	"$CC" -O2 -g -Iinclude "$recipes/libuv_pool.c" omen-build/libuv_a.a -o omen-build/libuv_pool -lpthread -ldl
}

# Each test is a process of its own, as in the suite's own loop.  The suite refuses to run as root, and wants to write
# where it stands.
own_tests() {
	local name status=0 as=() tests=$tree/omen-build/uv_run_tests_a alone=(unshare --net)
	((EUID == 0)) || alone+=(--map-root-user)
	alone+=(sh -c 'ip link set lo up && exec "$@"' sh)
	if ((EUID == 0)); then
		as=(setpriv --reuid=65534 --regid=65534 --clear-groups)
		chown -R 65534 "$tree" || return
	fi
	cd "$tree" || return
	export RES_OPTIONS=attempts:0 UV_TEST_TIMEOUT_MULTIPLIER=4 HOME=/tmp
	for name in $("${as[@]}" "$tests" --list | sed -n 's/^\([a-z][a-z0-9_]*\).*/\1/p'); do
		[[ " ${outside[*]} " != *" $name "* ]] || continue
		# The status of a test that skips itself is not 0: its line says ok.
		timeout --kill-after=5 120 "${alone[@]}" "${as[@]}" "$tests" "$name" >"$out.one" 2>&1
		grep -q '^ok 1 - ' "$out.one" || {
			cat "$out.one"
			echo "$name: $(grep -m1 '^# [A-Z].*[^:]$' "$out.one" || tail -n 1 "$out.one")" >&2
			status=1
		}
	done
	return $status
}

pool() { run "$tree/omen-build/libuv_pool"; }

check() {
	same "jobs, files, wakes and echoes" pool
	suite "its own tests (all but ${#outside[@]})" own_tests
	tools "jobs, files, wakes and echoes" pool
}
