// flags: -pthread

/* Ping-pong of one buffer over a pair of sockets, by send and recv and by sendmsg and recvmsg. */
#include <stdlib.h>
#include <sys/socket.h>

#include "../races/threads.h"

static int end[2], ball;

static void hit(int socket)
{
	char c = 'x';
	struct iovec part = {&c, 1};
	struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};

	ball++;
	if ((ball % 2 ? send(socket, &c, 1, 0) : sendmsg(socket, &message, 0)) != 1)
		abort();
}

static void await(int socket)
{
	char c;
	struct iovec part = {&c, 1};
	struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};

	if ((socket == end[0] ? recv(socket, &c, 1, 0) : recvmsg(socket, &message, 0)) != 1)
		abort();
}

static void *serves(void *unused)
{
	for (int i = 0; i < 3; i++) {
		hit(end[0]);
		await(end[0]);
	}
	return unused;
}

static void *returns(void *unused)
{
	for (int i = 0; i < 3; i++) {
		await(end[1]);
		hit(end[1]);
	}
	return unused;
}

int main(void)
{
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, end))
		return 1;
	together(serves, returns);
	return ball != 6;
}
