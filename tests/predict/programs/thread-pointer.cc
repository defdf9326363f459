// flags: -pthread
// race: none

/* A shared_ptr to each thread: who drops the last reference destroys the object, behind all who used it. */
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
