// flags: -pthread

// A locale caches what it computes from its facets, for all threads that share it: the library synchronises that itself.
#include <locale>
#include <sstream>
#include <string>
#include <thread>

struct grouped : std::numpunct<char> {
	char do_thousands_sep() const override { return '\''; }
	std::string do_grouping() const override { return "\3"; }
};

static const std::locale shared(std::locale::classic(), new grouped);
static std::string shown[2];

static void show(int n)
{
	std::ostringstream out;

	out.imbue(shared);
	out << 1234567 + n << ' ' << 1.25 << ' ' << std::boolalpha << true;
	out << out.widen('w') << out.narrow('n', '?');
	shown[n] = out.str();
	std::istringstream in("7 8.5");
	in.imbue(shared);
	int i;
	double d;
	in >> i >> d;
}

int main()
{
	std::thread one(show, 0), two(show, 1);

	one.join();
	two.join();
	return shown[0] != "1'234'567 1.25 truewn" || shown[1] != "1'234'568 1.25 truewn";
}
