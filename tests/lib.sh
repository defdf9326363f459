# What the test scripts share. A script takes the build directory as its first argument, works in a private directory that
# is removed at the end, and prints "ok NAME" or "FAIL NAME: why" for each case.
set -u

tests=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(cd "${1:?usage: $0 BUILD_DIR ...}" && pwd) || exit 2
omen=$build/omen
work=$(mktemp -d "${TMPDIR:-/tmp}/omen-test.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2

ok() { echo "ok $1"; }
fail() { echo "FAIL $1: $2" | tr '\n' ' '; echo; }

# verdict NAME FUNCTION ARGS...: runs a case; the function leaves the reason in $why when it returns false.
verdict() {
	local name=$1
	shift
	why="$1 failed"
	if "$@"; then ok "$name"; else fail "$name" "$why"; fi
}

# because TEXT: sets $why and returns false, for `condition || because TEXT || return`.
because() { why=$1; false; }

# limit SECONDS COMMAND...: ends a command that hangs; the exit status is then 124.
limit() { timeout -k 5 "$@"; }

# said FILE: the beginning of a program's output, on one line.
said() { head -c 300 "$1" | tr '\n' '|'; }

# field FILE NAME: the value of a line "// NAME: value" at the top of a test program.
field() { sed -n "s|^// $2: *||p" "$1" | head -n 1; }

# build_program COMPILER FILE OUTPUT: with the program's "// flags:", after its "// before:" command.
build_program() {
	local cc=$1 file=$2 output=$3 flags before
	[[ $file == *.cc ]] && case $cc in *omen-cc) cc=${cc%omen-cc}omen-c++ ;; clang-19) cc=clang++-19 ;; esac
	before=$(field "$file" before)
	flags=$(field "$file" flags)
	if [ -n "$before" ]; then
		SRC=$(dirname "$file") eval "$before" >build.log 2>&1 || because "cannot prepare: $(said build.log)" || return
	fi
	# shellcheck disable=SC2086
	limit 120 "$cc" -g -O1 "$file" $flags -o "$output" >build.log 2>&1 ||
		because "$(basename "$cc") does not build it: $(said build.log)"
}

# failure_kinds REPORT.json: the kinds of all failures in the report, one on a line.
failure_kinds() {
	sed -n '/^  "failures": \[/,/^  \]/p' "$1" | grep -oE '"kind": ?"[a-z-]+"' | sed 's/.*"\([a-z-]*\)"/\1/' | sort -u
}

# processes_of NAME: the processes that run a program of that (unique) name.
processes_of() {
	local exe
	for exe in /proc/[0-9]*/exe; do
		case $(readlink "$exe" 2>/dev/null) in */"$1" | */"$1 (deleted)") echo "$exe" ;; esac
	done
}
