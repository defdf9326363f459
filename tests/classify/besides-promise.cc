// flags: -pthread
// race A: verdict=k-witness-harmless pattern=approximate-counter
// failure X: kind=uncaught-exception runs=2

/* Both threads can find the promise open and set it: the second one throws. */
#include <atomic>
#include <cstdio>
#include <stdexcept>
#include <thread>

static std::atomic<bool> kept{false};
static std::atomic<int> times{0};
static int asked;

static void keep()
{
	asked++; // race A
	if (kept.load())
		return;
	kept.store(true);
	if (times.fetch_add(1))
		throw std::logic_error("kept twice"); // failure X
}

int main()
{
	std::thread one(keep), other(keep);
	one.join();
	other.join();
	std::puts("kept");
}
