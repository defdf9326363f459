// flags: -pthread

// A hash table that grows under its readers.
#include <thread>
#include <unordered_map>

static std::unordered_map<int, int> cache;

int main()
{
	std::size_t hits = 0;
	std::thread writer([] {
		cache[7] = 70; // race A
	});
	std::thread reader([&] {
		hits = cache.count(7); // race A
	});

	writer.join();
	reader.join();
	return hits > 1;
}
