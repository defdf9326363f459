#!/bin/bash
# interface.sh BUILD: the sanitizers' public interface exists, as far as clang -fsanitize=thread has it, and works.
suite=cc/interface
. "$(dirname "$0")/lib.sh"

headers=$(clang-19 -print-resource-dir)/include/sanitizer
[ -d "$headers" ] || { echo "skip cc/interface: no headers of sanitizers"; exit 0; }

# Every function that a header declares: a name before an opening parenthesis in the preprocessor's output.
for header in "$headers"/*.h; do
	[ "$(basename "$header")" = netbsd_syscall_hooks.h ] && continue
	clang-19 -fsanitize=thread -x c++ -E -P "$header" 2>/dev/null
done | grep -oE '\b__[a-z]*san(itizer)?_\w+ *\(' | tr -d ' (' | sort -u >declared
# No header declares the older annotations.
nm --defined-only "$(clang-19 -fsanitize=thread -print-file-name=libclang_rt.tsan-x86_64.a)" 2>/dev/null |
	awk '$2 == "T" && $3 ~ /^(WTF)?Annotate/ { print $3 }' | sort -u >>declared

uses() { # FILE: a program that uses each name in it
	sed 's/.*/void &(void);/' "$1"
	echo 'void *volatile all[] = {'
	sed 's/.*/(void *)&,/' "$1"
	echo '0}; int main(void) { return !all[0]; }'
}
undefined() { sed -nE "s/.*undefined (reference to|symbol:) [\`']?(\w+).*/\2/p" | sort -u; }
uses declared >declared.c
clang-19 -fsanitize=thread -w -fno-builtin -Wl,--error-limit=0 declared.c -o prog >log 2>&1 ||
	clang-19 -fsanitize=thread -w -fno-builtin declared.c -o prog >log 2>&1
undefined <log >theirs
grep -vxFf theirs declared >wanted
uses wanted >wanted.c
[ "$(wc -l <wanted)" -gt 700 ] && ok "$(wc -l <wanted) functions are looked for" || bad "list" "$(wc -l <wanted) functions"
check "ThreadSanitizer has them" clang-19 -fsanitize=thread -w -fno-builtin wanted.c -o prog
$cc -w -fno-builtin wanted.c -o prog >log 2>&1 && ok "all link" || bad "all link" "$(undefined <log | tr '\n' ' ')"
check "and the program runs" ./prog

cat >hooked.c <<'END'
#include <sanitizer/linux_syscall_hooks.h>
#include <stdio.h>
#include <unistd.h>
int main(void)
{
	__sanitizer_syscall_pre_close(9);
	__sanitizer_syscall_post_close(-1, 9);
	return printf("42\n") != 3;
}
END
builds "a program that tells its syscalls" $cc hooked.c -o prog

for program in heap places fibers benign; do
	check "$program" $cc -g "$here/interface/$program.c" -pthread -o $program
done
prints "the heap is asked about" 42 ./heap
prints "also under the tool" 42 sh -c "'$omen' record -- ./heap 2>/dev/null"
prints "places have names" 42 ./places
prints "a report goes to a file" "SUMMARY: told" sh -c "cat told.*"
check "a fiber takes with it what it knew" "$omen" explore --runs 50 -- ./fibers
fails "and what it did not know races" '^race ' "$omen" explore --runs 50 -- ./fibers unordered
check "a benign race is not told" "$omen" explore --runs 50 -- ./benign
check "nor in a recording" "$omen" record -- ./benign
fails "the next life of its memory is another matter" '^race ' "$omen" explore --runs 50 -- ./benign again
prints "no temporary files left" "" ls tmp
exit $failures
