// flags: -pthread

/* Large transfers through small pipes and sockets: only the writer blocks, with every call. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "must.h"

#define SIZE 600000

static char data[SIZE];

static void *reads_all(void *fd)
{
	static char into[8192];
	long total = 0, n;

	while (total < SIZE && (n = read(*(int *)fd, into, sizeof into)) > 0)
		total += n;
	must(total == SIZE);
	return NULL;
}

static long by_write(int fd) { return write(fd, data, SIZE); }

static long by_writev(int fd)
{
	struct iovec v[3] = {{data, 100}, {data, 0}, {data + 100, SIZE - 100}};

	return writev(fd, v, 3);
}

static long by_sendmsg(int fd)
{
	struct iovec v[2] = {{data, SIZE / 2}, {data, SIZE / 2}};
	struct msghdr m = {.msg_iov = v, .msg_iovlen = 2};

	return sendmsg(fd, &m, 0);
}

static long by_sendfile(int fd)
{
	int file = memfd_create("data", 0);

	must(file >= 0 && write(file, data, SIZE) == SIZE && lseek(file, 0, SEEK_SET) == 0);
	long n = sendfile(fd, file, NULL, SIZE);
	close(file);
	return n;
}

static void through(int ends[2], long (*send)(int))
{
	pthread_t reader;

	must(pthread_create(&reader, NULL, reads_all, &ends[0]) == 0);
	must(send(ends[1]) == SIZE);
	must(pthread_join(reader, NULL) == 0);
}

static void selects_with_time_left(int fd)
{
	fd_set set;
	struct timeval tv = {0, 50000};

	FD_ZERO(&set);
	FD_SET(fd, &set);
	must(select(fd + 1, &set, NULL, NULL, &tv) == 0);
	must(!FD_ISSET(fd, &set) && tv.tv_sec == 0 && tv.tv_usec == 0);
}

int main(void)
{
	int pair[2], ends[2];

	must(pipe(ends) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
	through(ends, by_write);
	through(ends, by_writev);
	through(pair, by_sendmsg);
	through(pair, by_sendfile);
	selects_with_time_left(ends[0]);
	puts("ok");
	return 0;
}
