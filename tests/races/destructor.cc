// flags: -pthread

// A method runs while the object is destroyed and its memory freed.
#include <thread>

struct session {
	int state = 1;

	int get() const
	{
		return state; // race A B
	}

	~session()
	{
		state = -1; // race A
	}
};

int main()
{
	session *s = new session;
	int seen = 0;
	std::thread user([&seen, s] { seen = s->get(); });
	std::thread owner([s] {
		delete s; // race B
	});

	user.join();
	owner.join();
	return seen == 5;
}
