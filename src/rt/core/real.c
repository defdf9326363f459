#include "rt/core/real.h"

#include <dlfcn.h>

#include "rt/core/text.h"

void real_find(void **at, const char *const *names, size_t n)
{
	void *libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);

	for (size_t i = 0; i < n; i++) {
		at[i] = dlsym(libc ? libc : RTLD_NEXT, names[i]);
		if (!at[i])
			text_die("the C library has no %s", names[i]);
	}
}
