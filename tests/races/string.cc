// flags: -pthread

// A string is assigned while it is read. (The string of this character type is compiled here, not in the library.)
#include <string>
#include <thread>

static std::u16string title = u"old";

int main()
{
	std::size_t seen = 0;
	std::thread writer([] {
		title = u"a title that does not fit into the object itself"; // race A
	});
	std::thread reader([&] {
		seen = title.size(); // race A
	});

	writer.join();
	reader.join();
	return seen == 0;
}
