// flags: -pthread

/* A TCP server and its clients on loopback, all threads of one process. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include "must.h"

#define CLIENTS 3

static struct sockaddr_in address;
static int listener;
static int answered[CLIENTS];

static void *serves_one(void *socket)
{
	int fd = (int)(long)socket;
	int number;

	must(recv(fd, &number, sizeof number, MSG_WAITALL) == sizeof number);
	number = number * number + 1;
	must(send(fd, &number, sizeof number, 0) == sizeof number);
	close(fd);
	return NULL;
}

static void *serves(void *unused)
{
	pthread_t thread[CLIENTS];

	for (int i = 0; i < CLIENTS; i++) {
		int fd = accept(listener, NULL, NULL);
		must(fd >= 0);
		must(pthread_create(&thread[i], NULL, serves_one, (void *)(long)fd) == 0);
	}
	for (int i = 0; i < CLIENTS; i++)
		must(pthread_join(thread[i], NULL) == 0);
	return unused;
}

static void *asks(void *number)
{
	int fd = socket(AF_INET, SOCK_STREAM, 0), me = (int)(long)number, answer;

	must(fd >= 0);
	must(connect(fd, (struct sockaddr *)&address, sizeof address) == 0);
	must(send(fd, &me, sizeof me, 0) == sizeof me);
	must(recv(fd, &answer, sizeof answer, MSG_WAITALL) == sizeof answer);
	answered[me] = answer;
	must(recv(fd, &answer, 1, 0) == 0);
	close(fd);
	return NULL;
}

int main(void)
{
	socklen_t length = sizeof address;
	pthread_t server, client[CLIENTS];

	listener = socket(AF_INET, SOCK_STREAM, 0);
	address.sin_family = AF_INET;
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	must(bind(listener, (struct sockaddr *)&address, sizeof address) == 0);
	must(getsockname(listener, (struct sockaddr *)&address, &length) == 0);
	must(listen(listener, CLIENTS) == 0);
	must(pthread_create(&server, NULL, serves, NULL) == 0);
	for (long i = 0; i < CLIENTS; i++)
		must(pthread_create(&client[i], NULL, asks, (void *)i) == 0);
	for (int i = 0; i < CLIENTS; i++)
		must(pthread_join(client[i], NULL) == 0);
	must(pthread_join(server, NULL) == 0);
	for (int i = 0; i < CLIENTS; i++)
		printf("%d -> %d\n", i, answered[i]);
	close(listener);
	puts("ok");
	return 0;
}
