// flags: -pthread

// An exception passes between threads through a future; the library counts its owners in code that is not instrumented.
#include <future>
#include <thread>

struct failure {
	int code;
};

int main()
{
	std::promise<int> promise;
	auto future = promise.get_future();
	std::thread worker([&] {
		try {
			throw failure{7};
		} catch (...) {
			promise.set_exception(std::current_exception());
		}
	});
	int seen = 0;

	try {
		future.get();
	} catch (const failure &f) {
		seen = f.code;
	}
	worker.join();
	return seen != 7;
}
