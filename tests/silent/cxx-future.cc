// flags: -pthread

// promise, packaged_task and async pass their results on.
#include <future>
#include <thread>
#include <vector>

static int side;

int main()
{
	std::promise<std::vector<int>> promise;
	auto future = promise.get_future();
	std::thread worker([&] {
		side = 1;
		promise.set_value({1, 2, 3});
	});
	int sum = (int)future.get().size();
	sum += side;

	std::packaged_task<int(int)> task([](int x) { return x + side; });
	auto result = task.get_future();
	std::thread runner(std::move(task), 0);
	sum += result.get();

	auto shared = std::async(std::launch::async, [] { return std::vector<int>(4, 1); }).share();
	auto count = [shared] { return (int)shared.get().size(); };
	auto a = std::async(std::launch::async, count), b = std::async(std::launch::async, count);
	sum += a.get() + b.get();
	worker.join();
	runner.join();
	return sum != 13;
}
