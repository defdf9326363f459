// stdin: hello
/* Lines from a pipe, the time, a child's output, values that the kernel makes up, a directory, a file that is only read. */
#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg)
{
	pthread_mutex_lock(&lock);
	printf("thread %ld at %ld\n", (long)arg, (long)time(NULL));
	pthread_mutex_unlock(&lock);
	return arg;
}

static void show(const char *what, FILE *f, int (*close)(FILE *))
{
	char line[200];

	if (f && fgets(line, sizeof line, f))
		printf("%s: %s", what, line);
	printf("%s closed with %d\n", what, f ? close(f) : -1);
}

int main(void)
{
	pthread_t thread[2];
	char line[200];
	int n = 0;

	for (long i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, work, (void *)i);
	while (fgets(line, sizeof line, stdin))
		printf("got %s", line);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	show("a child says", popen("date +%N", "r"), pclose);
	show("up for", fopen("/proc/uptime", "r"), fclose);
	show("hosts", fopen("/etc/hosts", "r"), fclose);
	DIR *d = opendir("/etc");
	while (d && readdir(d))
		n++;
	printf("%d in /etc, process %d\n", n, getpid());
	return 0;
}
