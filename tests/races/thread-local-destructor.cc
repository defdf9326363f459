// flags: -pthread

// The destructor of a thread_local object updates the count after the thread has announced its result.
#include <future>
#include <thread>

static int total;

struct counter {
	int n = 0;

	~counter()
	{
		total += n; // race A
	}
};

static thread_local counter mine;

int main()
{
	std::promise<void> done;
	std::thread worker([&] {
		mine.n = 1;
		done.set_value();
	});

	done.get_future().wait();
	int seen = total; // race A
	worker.join();
	return seen > 1;
}
