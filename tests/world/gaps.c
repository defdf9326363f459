// flags: -D_GNU_SOURCE
// warns: what io_setup writes is not recorded
// warns: what a child writes to shared memory is not recorded
/* omen record warns of what a recording cannot hold. */
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
	int *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0), status = 1;
	unsigned long context = 0;

	printf("io_setup: %ld\n", syscall(SYS_io_setup, 8, &context));
	if (fork() == 0) {
		*shared = 7;
		_exit(3);
	}
	wait(&status);
	printf("the child ended with %d\n", WEXITSTATUS(status));
	return 0;
}
