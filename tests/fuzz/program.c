/* Two threads that race, a file that is written and mapped, and an input: short, so that each damage hits something. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int racy;

static void *work(void *unused)
{
	racy++;
	return unused;
}

int main(void)
{
	pthread_t thread;
	char line[100] = "", copy[100] = "";

	pthread_create(&thread, NULL, work, NULL);
	racy++;
	pthread_join(thread, NULL);
	if (!fgets(line, sizeof line, stdin))
		return 3;
	int fd = open("made", O_RDWR | O_CREAT | O_TRUNC, 0666);
	if (fd < 0 || write(fd, line, strlen(line)) < 0)
		return 4;
	char *mapped = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
	if (mapped == MAP_FAILED || pread(fd, copy, sizeof copy - 1, 0) < 0)
		return 5;
	printf("%d %c %s", racy, mapped[0], copy);
	return 0;
}
