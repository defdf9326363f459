// keys: first line|second line|q
/* Lines typed at a terminal, then a single key without Enter; the program asks for the terminal's size and settings. */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static char line[200];
static int lines, done;

static void *echo(void *arg)
{
	pthread_mutex_lock(&lock);
	for (int seen = 0; !done || seen < lines; seen++) {
		while (seen == lines && !done)
			pthread_cond_wait(&more, &lock);
		if (seen < lines)
			printf("line %d: %s", seen + 1, line);
	}
	pthread_mutex_unlock(&lock);
	return arg;
}

static void ask(void)
{
	char typed[200];

	for (int i = 0; i < 2 && fgets(typed, sizeof typed, stdin); i++) {
		pthread_mutex_lock(&lock);
		strcpy(line, typed);
		lines++;
		pthread_cond_signal(&more);
		pthread_mutex_unlock(&lock);
		sched_yield();
	}
}

/* Until a key is pressed; reads the clock meanwhile, as editors do. */
static void one_key(int terminal)
{
	struct termios before, raw;
	struct pollfd p = {.fd = terminal, .events = POLLIN};
	int looks = 0;
	char key = 0;

	if (tcgetattr(terminal, &before))
		return;
	raw = before;
	cfmakeraw(&raw);
	tcsetattr(terminal, TCSANOW, &raw);
	while (poll(&p, 1, 5) == 0)
		looks++;
	if (read(terminal, &key, 1) == 1)
		printf("key %c, %s\n", key, looks ? "awaited" : "at once");
	tcsetattr(terminal, TCSANOW, &before);
	printf("speed %d, modes %x\n", (int)cfgetospeed(&before), (unsigned)before.c_lflag);
}

int main(void)
{
	int terminal = open("/dev/tty", O_RDWR);
	struct winsize size = {0};
	pthread_t thread;

	if (terminal < 0 || ioctl(terminal, TIOCGWINSZ, &size))
		return 1;
	printf("%d rows, %d columns, terminal %d\n", size.ws_row, size.ws_col, isatty(terminal));
	pthread_create(&thread, NULL, echo, NULL);
	ask();
	pthread_mutex_lock(&lock);
	done = 1;
	pthread_cond_signal(&more);
	pthread_mutex_unlock(&lock);
	pthread_join(thread, NULL);
	one_key(terminal);
	return close(terminal);
}
