# LevelDB: C++, one thread compacts while others read and write.  Its own tests, its own benchmark, and a driver of ours
# whose output does not depend on times.
needs=(cmake libgmock-dev libbenchmark-dev libsnappy-dev)
extra=(leveldb_threads.cc)

build() {
	cmake -S . -B omen-build -DCMAKE_BUILD_TYPE=RelWithDebInfo
	cmake --build omen-build
	"$CXX" -std=c++11 -O2 -g -Iinclude "$recipes/leveldb_threads.cc" omen-build/libleveldb.a \
		-o omen-build/leveldb_threads -lsnappy -lpthread
}

own_tests() {
	timeout --kill-after=5 900 ctest --test-dir "$tree/omen-build" -j2 --output-on-failure
}

threads() {
	run "$tree/omen-build/leveldb_threads" 2000
}

bench() {
	run "$tree/omen-build/db_bench" --db=bench.db --threads=4 --num=2000 --write_buffer_size=65536 \
		--benchmarks=fillrandom,readwhilewriting,overwrite,readrandom,compact
}

some_threads() {
	run "$tree/omen-build/leveldb_threads" 100
}

check() {
	same "three writers, a reader with snapshots" threads
	suite "its own tests (ctest)" own_tests
	tools "db_bench with four threads" bench some_threads
}
