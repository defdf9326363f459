// flags: -pthread
// race A: verdict=output-differs stream=own

/* What a program sends to itself through the loopback device, and then ignores. */
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../races/threads.h"

static char word[8] = "none";

static void *yes(void *unused)
{
	word[0] = 'y'; // race A
	return unused;
}

static void *no(void *unused)
{
	word[0] = 'n'; // race A
	return unused;
}

int main(void)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof address;
	int listener = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0), server;
	char got[8];

	if (bind(listener, (void *)&address, size) || listen(listener, 1) ||
	    getsockname(listener, (void *)&address, &size) || connect(client, (void *)&address, size))
		return 1;
	server = accept(listener, NULL, NULL);
	together(yes, no);
	if (send(client, "word: ", 6, 0) != 6 || send(client, word, 4, 0) != 4) // output A
		return 1;
	return recv(server, got, 6, MSG_WAITALL) != 6 || close(client) || close(server);
}
