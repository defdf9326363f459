/* Files that are written, read back, mapped and removed: a replay has all of them, and creates none. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static char *map;

static void *work(void *arg)
{
	for (int i = 0; i < 100; i++)
		__atomic_fetch_add((int *)map, 1, __ATOMIC_RELAXED);
	return arg;
}

int main(void)
{
	pthread_t thread[2];
	char back[32] = "";
	struct stat st;
	int fd = open("made", O_RDWR | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || ftruncate(fd, 8192) || pwrite(fd, "text", 4, 4096) != 4)
		return 1;
	map = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED)
		return 1;
	for (int i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, work, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	printf("mapped: %d %.4s\n", *(int *)map, map + 4096);
	printf("read: %zd %s\n", pread(fd, back, 4, 4096), back);
	if (fstat(fd, &st) == 0)
		printf("%ld bytes, inode %ld\n", (long)st.st_size, (long)st.st_ino);
	rename("made", "kept");
	mkdir("directory", 0700);
	printf("access: %d %d\n", access("made", F_OK), access("kept", F_OK));
	return close(fd);
}
