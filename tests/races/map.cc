// flags: -pthread

// insert in one thread, find in another: nothing orders the node that is found.
#include <map>
#include <thread>

static std::map<int, int> table{{1, 10}};

int main()
{
	bool found = false;
	std::thread writer([] {
		table.insert({2, 20}); // race A
	});
	std::thread reader([&] {
		found = table.find(2) != table.end(); // race A
	});

	writer.join();
	reader.join();
	return found && table.empty();
}
