# memcached -t 4, asked over loopback by overhead.d/load.c on four connections, which also ends it.
. "$recipes/../overhead.d/memcached.sh"
extra=(../overhead.d/memcached.sh ../real.d/memcached.sh)

arguments() {
	local user=()
	((EUID == 0)) && user=(-u root)
	export MEMCACHED_PORT_FILENAME=$PWD/port
	cmd=("$tree/memcached" -l 127.0.0.1 -p -1 -U 0 -t 4 -m 64 -A "${user[@]}")
}

client() { "$bin/load" port 4 200 seconds; }
