// flags: -pthread

// Each thread has its own shared_ptr to one object; the last of them destroys it, after all that the others did to it.
#include <memory>
#include <thread>

struct object {
	int part[3] = {0, 0, 0};
	int *out;

	explicit object(int *o) : out(o) {}
	~object() { *out = part[0] + part[1] + part[2]; }
};

int main()
{
	int together = 0, apart = 0;
	{
		auto first = std::make_shared<object>(&together);
		std::shared_ptr<object> second(first), third(new object(&apart));
		auto work = [](std::shared_ptr<object> p, int n) {
			auto copy = p;
			p.reset();
			copy->part[n] = 1;
		};
		std::thread a(work, first, 0), b(work, second, 1), c(work, third, 0), d(work, std::move(first), 2);
		second.reset();
		third.reset();
		a.join();
		b.join();
		c.join();
		d.join();
	}
	return together != 3 || apart != 1;
}
