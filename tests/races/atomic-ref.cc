// flags: -pthread -std=c++20

// One thread counts through atomic_ref, the other counts plainly.
#include <atomic>
#include <thread>

static int hits;

int main()
{
	std::thread careful([] {
		std::atomic_ref<int>(hits).fetch_add(1); // race A
	});
	std::thread careless([] {
		hits++; // race A
	});

	careful.join();
	careless.join();
}
