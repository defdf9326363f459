#!/bin/bash
# robust.sh BUILD_DIR: Omen under bad conditions: no debug info, Ctrl-C, closed pipes, full disks, all kinds of stdin.
. "$(dirname "$0")/lib.sh"

# The names of the programs are unique to this run, so that the test finds its own leftover processes.
bug=omen-bug-$$
endless=omen-endless-$$
reader=omen-reader-$$

prepare() {
	build_program "$build/omen-cc" "$tests/bugs/abba.c" "$bug" || return
	cat >endless.c <<-'C'
		#include <pthread.h>
		static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
		static volatile long n;
		static void *work(void *unused)
		{
			for (int i = 0; i < 100000; i++) {
				pthread_mutex_lock(&lock);
				n++;
				pthread_mutex_unlock(&lock);
			}
			return unused;
		}
		int main(void)
		{
			pthread_t a, b;
			pthread_create(&a, NULL, work, NULL);
			pthread_create(&b, NULL, work, NULL);
			pthread_join(a, NULL);
			pthread_join(b, NULL);
			return 0;
		}
	C
	cat >reader.c <<-'C'
		#include <pthread.h>
		#include <stdio.h>
		static void *count(void *sum)
		{
			char line[100];
			while (fgets(line, sizeof line, stdin))
				++*(int *)sum;
			return NULL;
		}
		int main(void)
		{
			pthread_t thread;
			int lines = 0;
			pthread_create(&thread, NULL, count, &lines);
			pthread_join(thread, NULL);
			printf("%d lines\n", lines);
			return lines != 3;
		}
	C
	limit 60 "$build/omen-cc" -g -O1 endless.c -pthread -o "$endless" >log 2>&1 || because "$(said log)" || return
	limit 60 "$build/omen-cc" -g -O1 reader.c -pthread -o "$reader" >log 2>&1 || because "$(said log)"
}

nothing_left() {
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		[ -z "$(processes_of "$1")" ] && return
		sleep 0.1
	done
	because "still running: $(processes_of "$1" | tr '\n' ' ')"
}

# Without debug info Omen finds and replays the bug all the same; only names and lines are missing.
finds_bug_in() {
	limit 30 "$omen" explore --runs 500 --data "data-$1" --format json -o report.json -- "./$1" >out 2>err
	local status=$?
	[ $status = 66 ] || because "omen explore exits $status: $(said err)" || return
	[ "$(failure_kinds report.json)" = deadlock ] || because "found: $(failure_kinds report.json)" || return
	limit 30 "$omen" explore --runs 500 --data "data-$1" -- "./$1" >out 2>err
	[ $? = 66 ] && grep -q deadlock out || because "the text report does not say deadlock: $(said out)" || return
	limit 20 "$omen" replay "data-$1/failures/1" >out 2>err
	status=$?
	[ $status = 66 ] || because "omen replay exits $status: $(said err)"
}

without_debug_info() {
	limit 60 "$build/omen-cc" -g0 -O1 "$tests/bugs/abba.c" -pthread -o no-debug >log 2>&1 || because "$(said log)" || return
	finds_bug_in no-debug
}

stripped() {
	cp "$bug" stripped && strip stripped || because "strip fails" || return
	finds_bug_in stripped
}

# The signal goes to omen alone, as from another terminal: omen must end its workers.
ends_on() {
	local signal=$1 pid start status
	shift
	"$@" >out 2>err &
	pid=$!
	sleep 1.5
	[ -n "$(processes_of "$endless")" ] || because "it never started: $(said err)" || return
	start=$(date +%s%N)
	kill -s "$signal" "$pid"
	wait "$pid"
	status=$?
	local took=$((($(date +%s%N) - start) / 1000000))
	[ $took -lt 2000 ] || because "took $took ms to end" || return
	[ $status != 0 ] && [ $status != 66 ] || because "exits $status as if nothing had happened" || return
	nothing_left "$endless"
}

# A background job of a script ignores SIGINT, so perl restores the default first.
interrupted() {
	ends_on INT perl -e '$SIG{INT} = "DEFAULT"; exec @ARGV' "$omen" explore --runs 1000000 --data data-int -- "./$endless"
}

terminated() { ends_on TERM "$omen" explore --runs 1000000 --data data-term -- "./$endless"; }

# SIGKILL hits omen only, and omen cannot react: the workers must notice by themselves.
killed() { ends_on KILL "$omen" explore --runs 1000000 --data data-kill -- "./$endless"; }

# The reader of the report ends before it has read anything.
into_a_closed_pipe() {
	local status
	{ limit 30 "$omen" explore --runs 200 --data data-pipe -- "./$bug" 2>err; echo $? >status; } | true
	status=$(cat status)
	[ "$status" != 139 ] && [ "$status" != 134 ] && [ "$status" != 124 ] && [ "$status" != 137 ] ||
		because "exits $status" || return
	[ "$status" != 0 ] || because "exits 0 though a bug was found and not reported" || return
	nothing_left "$bug" || return
	limit 20 "$omen" replay data-pipe/failures/1 >out 2>err
	[ $? = 66 ] || because "the evidence is lost: $(said err)"
}

# With every standard descriptor closed omen cannot print, but it finds the bug and keeps the evidence.
with_closed_descriptors() {
	limit 30 "$omen" explore --runs 200 --data data-closed -- "./$bug" <&- >&- 2>&-
	[ -d data-closed/failures/1 ] || because "no evidence was kept"
}

unwritable_data() {
	local status directory
	for directory in /proc/omen-data /no-such-directory/data; do
		limit 30 "$omen" explore --runs 200 --data "$directory" -- "./$bug" >out 2>err
		status=$?
		[ $status = 1 ] || [ $status = 2 ] || because "$directory: exits $status: $(said err)" || return
		[ "$(grep -c '^omen: ' err)" = 1 ] || because "$directory: not one omen: line: $(said err)" || return
	done
	nothing_left "$bug"
}

full_disk() {
	local status
	mkdir -p small
	mount -t tmpfs -o size=64k tmpfs small 2>/dev/null || { echo "ok robust full disk (skipped: cannot mount a tmpfs)"; return 2; }
	dd if=/dev/zero of=small/ballast bs=1k count=60 status=none 2>/dev/null
	limit 30 "$omen" explore --runs 500 --data small/data -- "./$bug" >out 2>err
	status=$?
	rm -f small/ballast
	umount small
	[ $status = 1 ] || [ $status = 2 ] || because "exits $status: $(said err)" || return
	grep -q '^omen: ' err || because "does not say why: $(said err)"
}

full_report() {
	limit 30 "$omen" explore --runs 200 --data data-full -- "./$bug" >/dev/full 2>err
	local status=$?
	[ $status = 1 ] && grep -q '^omen: ' err || because "exits $status with '$(said err)' though the report is lost"
}

stdin_from_file() {
	printf 'a\nb\nc\n' >input
	[ "$(limit 20 "$omen" record --data data-in -- "./$reader" <input 2>err)" = "3 lines" ] || because "record: $(said err)" || return
	[ "$(limit 20 "$omen" replay data-in </dev/null 2>err)" = "3 lines" ] || because "replay: $(said err)" || return
	# Each execution reads the input from its beginning.
	limit 30 "$omen" explore --runs 50 --data data-in -- "./$reader" <input >out 2>err || because "explore exits $?: $(said err)"
}

stdin_from_pipe() {
	[ "$(printf 'a\nb\nc\n' | limit 20 "$omen" record --data data-in -- "./$reader" 2>err)" = "3 lines" ] ||
		because "record: $(said err)" || return
	printf 'a\nb\nc\n' | limit 30 "$omen" explore --runs 50 --data data-in -- "./$reader" >out 2>err ||
		because "explore exits $?: $(said err)"
}

# A pipe with a slow writer: waiting for the world is not a deadlock.
stdin_comes_late() {
	[ "$({ echo a; sleep 0.3; echo b; sleep 0.3; echo c; } | limit 20 "$omen" record --data data-in -- "./$reader" 2>err)" = "3 lines" ] ||
		because "record: $(said err)"
}

# An old kernel: one clear line, however the program is started.
without_dispatch() {
	limit 60 clang-19 "$tests/no-dispatch.c" -o no-dispatch >log 2>&1 || because "$(said log)" || return
	local how
	for how in "" "$omen record --data data-old --" "$omen explore --runs 5 --data data-old --"; do
		limit 20 ./no-dispatch $how "./$bug" >out 2>err
		local status=$?
		[ $status = 1 ] && [ "$(cat out err | wc -l)" = 1 ] && grep -q '^omen: .*no Syscall User Dispatch' err ||
			because "'$how' exits $status and says '$(said err)'" || return
	done
}

# A timeout during a network call: it may be no deadlock, but the report says where every thread waits.
out_of_time() {
	cat >listens.c <<-'C'
		#include <netinet/in.h>
		#include <pthread.h>
		#include <sys/socket.h>
		static int listener;
		static void *accepts(void *unused)
		{
			accept(listener, NULL, NULL);
			return unused;
		}
		int main(void)
		{
			struct sockaddr_in here = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
			pthread_t thread;
			listener = socket(AF_INET, SOCK_STREAM, 0);
			if (bind(listener, (struct sockaddr *)&here, sizeof here) || listen(listener, 1))
				return 1;
			pthread_create(&thread, NULL, accepts, NULL);
			pthread_join(thread, NULL);
			return 0;
		}
	C
	limit 60 "$build/omen-cc" -g listens.c -pthread -o listens >log 2>&1 || because "$(said log)" || return
	limit 20 "$omen" explore --runs 1 --timeout 1 --data data-late -- ./listens >out 2>err
	local status=$?
	[ $status = 66 ] && grep -q '^#1 timeout: .* in accepts' out && grep -q 'T0 waits for the end of T1' out ||
		because "exits $status and says '$(said out)'"
}

# The report of a store or a call far from all memory has its address, although the hooks look at shadow memory first.
goes_nowhere() {
	cat >nowhere.c <<-'C'
		#include <pthread.h>
		#include <stdlib.h>
		static void *nothing(void *unused) { return unused; }
		int main(int argc, char **argv)
		{
			pthread_t thread;
			pthread_create(&thread, NULL, nothing, NULL);
			if (argc > 2)
				((void (*)(void))strtoul(argv[1], NULL, 0))();
			*(volatile int *)strtoul(argv[1], NULL, 0) = argc;
			pthread_join(thread, NULL);
			return 0;
		}
	C
	limit 60 "$build/omen-cc" -g -O1 nowhere.c -pthread -o nowhere >log 2>&1 || because "$(said log)" || return
	local how address
	for how in record "record --check" "record --no-races" "explore --runs 3"; do
		for address in 0x0 0x84 0xffc4 0x123456789000 0x5f0012345678 0x4141414141414141; do
			# shellcheck disable=SC2086 # two words
			limit 20 "$omen" $how --data data-nowhere -- ./nowhere $address >out 2>&1
			[ $address = 0x4141414141414141 ] && address=0x0 # the processor reports no address that is not canonical
			grep -q "^#1 crash: segmentation fault at address $address at nowhere.c:10 in main" out ||
				because "$how, $address: $(said out)" || return
		done
		# shellcheck disable=SC2086
		limit 20 "$omen" $how --data data-nowhere -- ./nowhere 0x123456789000 call >out 2>&1
		grep -q "^#1 crash: segmentation fault at address 0x123456789000" out || because "$how: $(said out)" || return
	done
}

why=
if ! prepare; then
	fail robust "$why"
	exit
fi
verdict "robust old kernel" without_dispatch
verdict "robust out of time" out_of_time
verdict "robust -g0" without_debug_info
verdict "robust stripped" stripped
verdict "robust SIGINT" interrupted
verdict "robust SIGTERM" terminated
verdict "robust SIGKILL" killed
verdict "robust nowhere" goes_nowhere
verdict "robust closed pipe" into_a_closed_pipe
verdict "robust closed descriptors" with_closed_descriptors
verdict "robust unwritable data" unwritable_data
verdict "robust full report" full_report
if full_disk; then ok "robust full disk"; elif [ $? = 1 ]; then fail "robust full disk" "$why"; fi
verdict "robust stdin from a file" stdin_from_file
verdict "robust stdin from a pipe" stdin_from_pipe
verdict "robust stdin comes late" stdin_comes_late
