// flags: -pthread
// race A: verdict=k-witness-harmless pattern=redundant-write

/* In any order, files, names and connections are the same at the end. */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../races/threads.h"

static int ready;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int log_fd, listener;
static struct sockaddr_in address = {.sin_family = AF_INET};

/* A connection of its own, and a line in the log; nothing says which came first. */
static void talk(void)
{
	int client = socket(AF_INET, SOCK_STREAM, 0);

	if (connect(client, (void *)&address, sizeof address) || send(client, "hello", 5, 0) != 5 || close(client))
		exit(1);
	pthread_mutex_lock(&lock);
	if (write(log_fd, "talked\n", 7) != 7)
		exit(1);
	pthread_mutex_unlock(&lock);
}

static void *work(void *unused)
{
	ready = 1; // race A
	talk();
	return unused;
}

static void make_files(void)
{
	char name[] = "temporary.XXXXXX", *map;
	int fd = mkstemp(name), other = open("mapped", O_CREAT | O_RDWR | O_TRUNC, 0644);

	if (fd < 0 || write(fd, "x", 1) != 1 || unlink(name) || ftruncate(other, 5000) ||
	    (mkdir("directory", 0777) && errno != EEXIST))
		exit(1);
	map = mmap(NULL, 5000, PROT_READ | PROT_WRITE, MAP_SHARED, other, 0);
	map[4999] = 'm';
	if (munmap(map, 5000) || rename("mapped", "directory/mapped") || close(fd) ||
	    (symlink("directory/mapped", "link") && errno != EEXIST))
		exit(1);
}

int main(void)
{
	socklen_t size = sizeof address;

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	listener = socket(AF_INET, SOCK_STREAM, 0);
	log_fd = open("log", O_CREAT | O_WRONLY | O_APPEND, 0666);
	if (log_fd < 0 || bind(listener, (void *)&address, size) || listen(listener, 4) ||
	    getsockname(listener, (void *)&address, &size))
		return 1;
	together(work, work);
	make_files();
	FILE *out = fopen("directory/text", "w");
	fprintf(out, "%d\n", ready);
	return fclose(out) != 0;
}
