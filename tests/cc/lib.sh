# What the scripts of omen-cc's tests share. A script sets $suite, takes the build directory as its first argument, works
# in a private directory that is removed at the end, and prints a line for each test.
here=$(dirname "$(readlink -f "$0")")
build=$(readlink -f "$1") cc=$build/omen-cc cxx=$build/omen-c++ omen=$build/omen
dir=$(mktemp -d) || exit 1
trap 'cd /; rm -rf "$dir"' EXIT
cd "$dir" || exit 1
TMPDIR=$dir/tmp
export TMPDIR
mkdir tmp

failures=0
ok() { echo "ok $suite $1"; }
bad() { echo "FAIL $suite $1: $2"; failures=$((failures + 1)); }

# check NAME COMMAND...: the command succeeds.
check() {
	name=$1
	shift
	if "$@" >log 2>&1; then ok "$name"; else bad "$name" "$(head -1 log)"; fi
}
# prints NAME WANT COMMAND...: the command prints exactly that.
prints() {
	name=$1 want=$2
	shift 2
	got=$("$@" 2>&1)
	if [ "$got" = "$want" ]; then ok "$name"; else bad "$name" "$got"; fi
}
builds() { # NAME COMMAND...: the command builds ./prog, which prints 42
	name=$1
	shift
	rm -f prog
	if ! "$@" >log 2>&1; then bad "$name" "$(head -1 log)"; else prints "$name" 42 timeout 20 ./prog; fi
}
has_note() { readelf -n "$1" | grep -q Omen; }
sh_c() { sh -ec "$1"; }
fails() { # NAME WORDS COMMAND...: the command fails, and its error contains WORDS
	name=$1 words=$2
	shift 2
	if "$@" >log 2>&1; then
		bad "$name" "succeeded"
	elif grep -q "$words" log; then
		ok "$name"
	else
		bad "$name" "$(head -1 log)"
	fi
}
