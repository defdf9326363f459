# A tracing library of ours with the races that Portend's authors found in ctrace, and a program that uses it.
extra=(tracing/trace.h tracing/trace.c tracing/jobs.c)

fetch() { mkdir -p "$work/src/$package"; }

build() { "$CC" $flags "$recipes"/tracing/*.c -o jobs -lpthread; }

arguments() {
	cmd=("$tree/jobs" 24)
	[[ $row != *-long ]] || cmd=("$tree/jobs" 2000)
}
