// while: for i in 1 2 3 4 5; do exec 3<>/dev/tcp/127.0.0.1/$(cat port); echo "question $i" >&3; head -n 1 <&3; exec 3>&-; done >answers
/* Two threads answer clients on a socket; a replay answers the same clients again, and no client exists. */
#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CLIENTS = 5 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int listener, left = CLIENTS;

static void *serve(void *arg)
{
	char question[100], answer[160];

	for (;;) {
		pthread_mutex_lock(&lock);
		int more = left-- > 0;
		pthread_mutex_unlock(&lock);
		if (!more)
			return arg;
		int client = accept(listener, NULL, NULL);
		ssize_t n = read(client, question, sizeof question - 1);
		question[n > 0 ? n : 0] = 0;
		int length = snprintf(answer, sizeof answer, "%ld answers %s", (long)arg, question);
		if (write(client, answer, (size_t)length) != length)
			return NULL;
		close(client);
		printf("%s", answer);
	}
}

int main(void)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof address;
	pthread_t thread[2];

	listener = socket(AF_INET, SOCK_STREAM, 0);
	if (bind(listener, (struct sockaddr *)&address, size) || listen(listener, 5) ||
	    getsockname(listener, (struct sockaddr *)&address, &size))
		return 1;
	FILE *f = fopen("port.new", "w");
	fprintf(f, "%d\n", ntohs(address.sin_port));
	fclose(f);
	rename("port.new", "port");
	if (write(2, "ready\n", 6) != 6)
		return 1;
	for (long i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, serve, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
