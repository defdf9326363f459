// flags: -pthread
// race A: verdict=k-witness-harmless pattern=approximate-counter
// failure X: kind=uncaught-exception runs=2
// variant: -DAPART = uncaught-exception

/* A key that was found is gone when its value is read: both under the lock, but not in one critical section. */
#include <cstdio>
#include <map>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::map<int, int> table{{1, 10}, {2, 20}};
#ifdef APART
static thread_local int lookups;
#else
static int lookups;
#endif

static bool has(int key)
{
	std::lock_guard<std::mutex> guard(lock);
	return table.count(key) != 0;
}

static int get(int key)
{
	std::lock_guard<std::mutex> guard(lock);
	return table.at(key); // failure X
}

static void find()
{
	lookups++; // race A
	if (has(1) && get(1) != 10)
		std::puts("wrong");
}

static void erase()
{
	lookups++; // race A
	std::lock_guard<std::mutex> guard(lock);
	table.erase(1);
}

int main()
{
	std::thread one(find), other(erase);
	one.join();
	other.join();
	std::puts("erased");
}
