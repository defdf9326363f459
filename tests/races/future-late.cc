// flags: -pthread

// A future orders what happens before the promise is set, and nothing later.
#include <future>
#include <thread>

static int early, late;

int main()
{
	std::promise<int> promise;
	auto future = promise.get_future();
	std::thread worker([&] {
		early = 1;
		promise.set_value(1);
		late = 1; // race A
	});

	int sum = future.get();
	sum += early;
	sum += late; // race A
	worker.join();
	return sum > 3;
}
