// flags: -pthread
// options: --blind mutex
// race A: verdict=single-ordering

// A counter class whose methods lock it.
#include <cstdio>
#include <mutex>
#include <thread>

class Counter
{
      public:
	void add(int n)
	{
		std::lock_guard<std::mutex> hold(lock);
		total += n; // race A
	}
	int value() const { return total; }

      private:
	std::mutex lock;
	int total = 0;
};

int main()
{
	Counter counter;
	std::thread first([&] { counter.add(1); }), second([&] { counter.add(2); });

	first.join();
	second.join();
	std::printf("%d\n", counter.value());
}
