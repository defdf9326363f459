// flags: -pthread

// push_back moves the elements and frees the old ones, while another thread reads an element.
#include <thread>
#include <vector>

static std::vector<int> values{1, 2, 3, 4};

int main()
{
	int seen = 0;
	std::thread writer([] {
		values.push_back(5); // race A
	});
	std::thread reader([&] {
		seen = values[1]; // race A
	});

	writer.join();
	reader.join();
	return seen == -1;
}
