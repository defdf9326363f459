// flags: -pthread
// race A: verdict=single-ordering adhoc=data pattern=user-synchronisation
// race B: verdict=single-ordering adhoc=flag pattern=user-synchronisation

// One thread fills a vector, then sets a plain member.
#include <cstdio>
#include <thread>
#include <vector>

struct Batch {
	std::vector<int> items;
	volatile bool complete = false;
};

int main()
{
	Batch batch;
	std::thread filler([&] {
		batch.items.assign(3, 7); // race A
		batch.complete = true;    // race B
	});
	std::thread user([&] {
		while (!batch.complete) // race B
			std::this_thread::yield();
		std::printf("%d\n", static_cast<int>(batch.items.size())); // race A
	});

	filler.join();
	user.join();
}
