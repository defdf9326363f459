// flags: -pthread
// race A: verdict=k-witness-harmless pattern=double-check
// race B C: verdict=single-ordering adhoc=data pattern=double-check

// A singleton from before statics were thread-safe. A thread that returns the pointer has seen it, or has held the lock.
#include <iostream>
#include <mutex>
#include <thread>

class Registry
{
      public:
	static Registry *get()
	{
		if (!instance) { // race A
			std::lock_guard<std::mutex> hold(guard);
			if (!instance)
				instance = new Registry(3); // race A C
		}
		return instance; // race C
	}
	int entries() const
	{
		return count; // race B
	}

      private:
	explicit Registry(int n) : count(n) {} // race B

	int count;
	static Registry *volatile instance;
	static std::mutex guard;
};

Registry *volatile Registry::instance;
std::mutex Registry::guard;

int main()
{
	int seen[2];
	std::thread first([&] { seen[0] = Registry::get()->entries(); });
	std::thread second([&] { seen[1] = Registry::get()->entries(); });

	first.join();
	second.join();
	std::cout << seen[0] + seen[1] << "\n";
	delete Registry::get();
}
