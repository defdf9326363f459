// before: for i in $(seq 300); do echo "line $i of the input"; done >input
// options: --record-files
// gone: input
/* A file that is only read, by read, pread and mmap; a replay does not need it. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void)
{
	char line[200] = "", piece[9] = "";
	FILE *f = fopen("input", "r");
	int fd = open("input", O_RDONLY), n = 0;

	while (f && fgets(line, sizeof line, f))
		n++;
	printf("%d lines, the last is %s", n, line);
	printf("%zd bytes in the middle: %s\n", pread(fd, piece, 8, 2000), piece);
	long end = lseek(fd, 0, SEEK_END);
	char *map = mmap(NULL, (size_t)end, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (!f || map == MAP_FAILED)
		return 1;
	printf("%ld bytes, mapped: %.10s ... %.10s\n", end, map, map + end - 11);
	return fclose(f);
}
