// before: echo 'int made; __attribute__((constructor)) static void make(void) { made++; }' | $build/omen-cc -g -fPIC -shared -x c - -o libmade.so
// flags: -pthread -D_GNU_SOURCE

// The dynamic linker calls functions under its own lock, and frees the names of libraries there.
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <string.h>

static int seen;
static size_t longest;

static int look(struct dl_phdr_info *info, size_t size, void *wanted)
{
	(void)size;
	if (strlen(info->dlpi_name) > longest)
		longest = strlen(info->dlpi_name);
	seen++;
	return !strcmp(info->dlpi_name, wanted);
}

static int load(void)
{
	void *library = dlopen("./libmade.so", RTLD_NOW);
	int made = *(int *)dlsym(library, "made");

	dlclose(library);
	return made;
}

static void *work(void *arg)
{
	for (int i = 0; i < 3; i++) {
		dl_iterate_phdr(look, "none");
		if (load() != 1)
			return NULL;
	}
	return arg;
}

int main(void)
{
	pthread_t thread;
	void *done;

	pthread_create(&thread, NULL, work, &seen);
	done = work(&seen);
	pthread_join(thread, &done);
	return !done || !longest;
}
