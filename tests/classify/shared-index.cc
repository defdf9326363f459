// flags: -pthread
// race A: verdict=spec-violated consequence=uncaught-exception violation=uncaught-exception
// race B: verdict=k-witness-harmless pattern=approximate-counter
// variant: -DFIX_A = nothing
// variant: -DFIX_B = uncaught-exception

/* An index that is out of range until it is set; and a counter. */
#include <cstdio>
#include <thread>
#include <vector>

static std::vector<int> table(3);
#ifdef FIX_A
static thread_local int place = 1;
#else
static int place = 7;
#endif
#ifdef FIX_B
static thread_local int lookups;
#else
static int lookups;
#endif

static void set()
{
	lookups++; // race B
	place = 1; // race A
}

static void get()
{
	lookups++; // race B
	int at = place; // race A
	if (table.at(at)) // violation A
		std::puts("not empty");
}

int main()
{
	std::thread one(set), other(get);
	one.join();
	other.join();
	std::puts("got");
}
