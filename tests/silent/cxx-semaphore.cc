// flags: -pthread -std=c++20

// counting_semaphore and binary_semaphore.
#include <chrono>
#include <semaphore>
#include <thread>

static std::counting_semaphore<4> items(0);
static std::binary_semaphore lock(1);
static int slot[3], counter;

int main()
{
	int sum = 0;
	std::thread producer([] {
		for (int i = 0; i < 3; i++) {
			slot[i] = i;
			items.release();
		}
		lock.acquire();
		counter++;
		lock.release();
	});
	std::thread consumer([&] {
		for (int i = 0; i < 3; i++) {
			while (!items.try_acquire())
				std::this_thread::yield();
			sum += slot[i];
		}
		lock.acquire();
		counter++;
		lock.release();
	});

	producer.join();
	consumer.join();
	return sum != 3 || counter != 2;
}
