// expect: deadlock
// at: main
// strategy: mixed random pct:3
// flags: -pthread

// Two singletons initialise each other: each thread waits inside one call_once for the other call_once to finish.
#include <cstdio>
#include <mutex>
#include <thread>

static std::once_flag names_once, types_once;
static int names, types;

static void init_names_first()
{
	std::call_once(names_once, [] {
		std::call_once(types_once, [] { types = 1; });
		names = 1;
	});
}

static void init_types_first()
{
	std::call_once(types_once, [] {
		std::call_once(names_once, [] { names = 1; });
		types = 1;
	});
}

int main()
{
	std::thread a(init_names_first);
	std::thread b(init_types_first);

	a.join();
	b.join();
	std::printf("%d %d\n", names, types);
}
