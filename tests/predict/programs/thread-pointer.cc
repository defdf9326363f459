// flags: -pthread
// race: none

/* Each thread has a shared_ptr: the one that drops the last reference destroys the object, after all uses of it. */
#include <memory>
#include <thread>

namespace {

int destroyed;

struct session {
	int used[2] = {0, 0};
	~session() { destroyed = used[0] + used[1]; }
};

} // namespace

int main()
{
	auto s = std::make_shared<session>();
	std::thread first([p = s]() mutable {
		p->used[0] = 1;
		p.reset();
	});
	std::thread second([p = s]() mutable {
		p->used[1] = 1;
		p.reset();
	});
	s.reset();
	first.join();
	second.join();
	return destroyed > 2;
}
