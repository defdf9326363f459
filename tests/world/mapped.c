// before: seq 1000 >input
// changes: sed -i s/1/2/ input
/* A file that is only mapped is not in the log, and must not change before the replay. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>

int main(void)
{
	int fd = open("input", O_RDONLY);
	char *map = mmap(NULL, 100, PROT_READ, MAP_PRIVATE, fd, 0);

	if (map == MAP_FAILED)
		return 1;
	printf("%.20s\n", map);
	return 0;
}
