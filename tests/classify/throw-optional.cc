// flags: -pthread
// race A: verdict=spec-violated consequence=uncaught-exception violation=uncaught-exception

// The job is taken as if nobody could withdraw it; if it is gone, nobody catches the exception.
#include <cstdio>
#include <optional>
#include <thread>

static std::optional<int> job = 3;

int main()
{
	int cost = 0;
	std::thread worker([&] {
		cost = job.value(); // race A violation A
	});
	std::thread canceller([] {
		job.reset(); // race A
	});

	worker.join();
	canceller.join();
	std::printf("%d\n", cost);
}
