// Exceptions leave instrumented functions at every kind of exit: caught, rethrown, through destructors, filtered.
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

static int alive;

struct Counted {
	Counted() { alive++; }
	~Counted() { alive--; }
};

static int thrower(int n)
{
	Counted guard;

	if (n == 0)
		throw std::runtime_error("bottom");
	if (n == 3)
		throw 42;
	return thrower(n - 1) + 1;
}

static int catcher(int n)
{
	try {
		return thrower(n);
	} catch (int i) {
		return i;
	} catch (const std::exception &e) {
		std::printf("caught %s\n", e.what());
		return -1;
	}
}

static void rethrower()
{
	try {
		thrower(2);
	} catch (...) {
		Counted guard;
		throw;
	}
}

static int promise() noexcept { return catcher(1); }

struct Base {
	virtual ~Base() = default;
	virtual int value() { return 1; }
};
struct Derived : Base {
	int value() override { return 2; }
};

int main()
{
	for (int i = 0; i < 6; i++)
		std::printf("%d\n", catcher(i));
	try {
		rethrower();
	} catch (const std::runtime_error &e) {
		std::printf("again %s\n", e.what());
	}
	try {
		std::vector<int>().at(3);
	} catch (const std::out_of_range &) {
		std::printf("out of range\n");
	}
	std::unique_ptr<Base> b = std::make_unique<Derived>();
	std::string s;
	for (int i = 0; i < 100; i++)
		s += char('a' + i % 26);
	std::printf("%d %d %d %s\n", promise(), b->value(), alive, s.c_str());
	try {
		throw std::make_pair(1, 2.5);
	} catch (std::pair<int, double> &p) {
		std::printf("%d %g\n", p.first, p.second);
	}
}
