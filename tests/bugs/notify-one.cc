// expect: deadlock
// at: take
// strategy: mixed random pct:3
// flags: -pthread

// Producers and consumers wait on one condition variable, and notify_one() can wake one of the wrong kind.
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

class Slot {
	std::mutex lock;
	std::condition_variable changed;
	bool full = false;
	int item = 0;

public:
	void put(int value)
	{
		std::unique_lock hold(lock);
		while (full)
			changed.wait(hold);
		item = value;
		full = true;
		changed.notify_one();
	}

	int take()
	{
		std::unique_lock hold(lock);
		while (!full)
			changed.wait(hold);
		full = false;
		changed.notify_one();
		return item;
	}
};

int main()
{
	Slot slot;
	int got[2];

	std::thread p1([&] { slot.put(1); });
	std::thread p2([&] { slot.put(2); });
	std::thread c1([&] { got[0] = slot.take(); });
	std::thread c2([&] { got[1] = slot.take(); });
	for (std::thread *t : {&p1, &p2, &c1, &c2})
		t->join();
	std::printf("sum %d\n", got[0] + got[1]);
}
