/* server racy|quiet: two connections from outside, a thread for each; the file `port` contains the port. */
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int hits, tells;
static pthread_barrier_t asked; /* both connections before either answer: neither question depends on an answer */

static void *serve(void *arg)
{
	int fd = (int)(long)arg;
	char line[64], answer[64];

	if (read(fd, line, sizeof line) <= 0)
		exit(1);
	pthread_barrier_wait(&asked);
	int n = hits;
	hits = n + 1;
	int size = snprintf(answer, sizeof answer, "welcome\nhits %d\n", tells ? n + 1 : 0);
	if (write(fd, answer, (size_t)size) != size)
		exit(1);
	close(fd);
	return NULL;
}

int main(int argc, char **argv)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof address;
	int listener = socket(AF_INET, SOCK_STREAM, 0);
	pthread_t thread[2];

	tells = argc > 1 && !strcmp(argv[1], "racy");
	if (bind(listener, (void *)&address, size) || listen(listener, 4) ||
	    getsockname(listener, (void *)&address, &size))
		return 1;
	FILE *port = fopen("port.new", "w");
	fprintf(port, "%d\n", ntohs(address.sin_port));
	if (fclose(port) || rename("port.new", "port"))
		return 1;
	pthread_barrier_init(&asked, NULL, 2);
	for (int i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, serve, (void *)(long)accept(listener, NULL, NULL));
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
