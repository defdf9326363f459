// flags: -pthread

// weak_ptr::lock gets the object or nothing.
#include <memory>
#include <thread>

struct object {
	int value = 1;
	~object() { value = -1; }
};

int main()
{
	auto owner = std::make_shared<object>();
	std::weak_ptr<object> observer = owner;
	int seen = 1, other = 1;
	std::thread a([&seen, observer] {
		if (auto p = observer.lock())
			seen = p->value;
	});
	std::thread b([&other, observer = std::move(observer)] {
		if (!observer.expired())
			if (auto p = observer.lock())
				other = p->value;
	});
	std::thread c([owner = std::move(owner)]() mutable { owner.reset(); });

	a.join();
	b.join();
	c.join();
	return seen != 1 || other != 1;
}
