# zstd: the program with its thread pool, and the quick part of its own tests.  The fuzzers get a number of rounds
# and a seed, not a time: a program's clock is virtual under Omen.
source=libzstd

build() {
	make -C programs zstd
	make -C tests fuzzer zstreamtest poolTests datagen
}

roundtrip() {
	sample 6000000 >sample &&
		run "$tree/programs/zstd" -q -T4 -B512K -3 sample -o three.zst &&
		run "$tree/programs/zstd" -q -T4 -12 sample -o twelve.zst &&
		run "$tree/programs/zstd" -q -dc three.zst | cmp - sample &&
		run "$tree/programs/zstd" -q -dc twelve.zst | cmp - sample
}

long_and_adaptive() {
	sample 2000000 | run "$tree/programs/zstd" -q -T2 --long=20 --check -5 >long.zst &&
		run "$tree/programs/zstd" -q --test long.zst &&
		run "$tree/programs/zstd" -q -dc long.zst | cmp - <(sample 2000000)
}

fuzzer() { limit=900 run "$tree/tests/fuzzer" -s1 -i10; }
zstreamtest() { limit=900 run "$tree/tests/zstreamtest" -s1 -i10; }
pool_tests() { run "$tree/tests/poolTests"; }

cli_tests() { timeout --kill-after=5 900 python3 "$tree/tests/cli-tests/run.py"; }

check() {
	same "6 MB with -T4, there and back" roundtrip
	same "stdin with -T2 --long --check" long_and_adaptive
	suite "its own fuzzer, 10 rounds" fuzzer
	suite "its own zstreamtest, 10 rounds" zstreamtest
	suite "its own thread pool tests" pool_tests
	suite "its own command line tests" cli_tests
}
