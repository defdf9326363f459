// flags: -pthread -std=c++20

// atomic::wait and notify, also on an atomic that is no int.
#include <atomic>
#include <thread>

static std::atomic<int> flag;
static std::atomic<char> small;
static int first, second;

int main()
{
	int sum = 0;
	std::thread waiter([&] {
		flag.wait(0);
		sum = first;
		second = 2;
		small.store(1);
		small.notify_one();
	});

	first = 1;
	flag.store(1);
	flag.notify_all();
	small.wait(0);
	int seen = second;
	waiter.join();
	return sum + seen != 3;
}
