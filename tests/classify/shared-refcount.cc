// flags: -pthread
// race A: verdict=k-witness-harmless pattern=approximate-counter
// race B: verdict=spec-violated consequence=memory-error violation=double-free
// variant: -DONE = nothing

/*
 * The count is decremented and read in two atomic steps: both owners can see 0, and both delete. The
 * two deletions race; so does the counter of drops, which has no part in it.
 */
#include <atomic>
#include <cstdio>
#include <thread>

struct object {
	int value = 1;
};

static int drops;
static std::atomic<int> owners{2};
static object *shared;

static void drop()
{
	drops++; // race A
#ifdef ONE
	if (owners.fetch_sub(1) == 1)
#else
	owners.fetch_sub(1);
	if (owners.load() == 0)
#endif
		delete shared; // race B violation B
}

int main()
{
	shared = new object;
	std::thread one(drop), other(drop);
	one.join();
	other.join();
	std::puts("dropped");
}
