// flags: -pthread
// race A: verdict=k-witness-harmless pattern=both-values-valid
// failure X: kind=crash runs=2
// variant: -DAPART = crash

/*
 * The log is closed while another thread writes to it. A racy read asks how much is logged, and either value is fine: what
 * is written differs, but nobody sees it.
 */
#include <stdatomic.h>
#include <stdio.h>

#include "../races/threads.h"

struct log {
	volatile int lines[2];
};

static struct log only;
static struct log *_Atomic log_ = &only;
#ifdef APART
static _Thread_local int level = 1;
#else
static int level = 1;
#endif

static void *work(void *unused)
{
	int detail = level; // race A
	struct log *l = atomic_load(&log_);
	if (l)
		atomic_load(&log_)->lines[detail & 1] = 1; // failure X
	return unused;
}

static void *shut_down(void *unused)
{
	level = 0; // race A
	atomic_store(&log_, NULL);
	return unused;
}

int main(void)
{
	together(work, shut_down);
	puts("down");
	return 0;
}
