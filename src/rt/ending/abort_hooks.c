/* Violations other than signals: failed assertions, aborts, uncaught exceptions. */
#include <assert.h>
#include <dlfcn.h>
#include <stdlib.h>

#include "rt/core/op.h"
#include "rt/ending/ending.h"
#include "rt/core/rt.h"
#include "rt/ending/above.h"
#include "rt/core/text.h"

extern const char *__progname;

static void assertion(const char *assertion, const char *file, unsigned line, const char *function)
{
	char message[300];

	text_format(message, sizeof(message), "%s:%u: %s: Assertion `%s' failed", file, line, function ? function : "?",
	            assertion);
	ending_explain_abort(ENDING_ASSERTION, message);
}

EXPORT void __assert_fail(const char *expression, const char *file, unsigned line, const char *function)
{
	void (*real)(const char *, const char *, unsigned, const char *) = dlsym(RTLD_NEXT, "__assert_fail");

	sync_ends();
	OP(FAILS);
	if (!(omen.off & OFF_BEFORE))
		assertion(expression, file, line, function);
	real(expression, file, line, function);
	__builtin_unreachable();
}

/*
 * std::terminate() calls abort() while the exception is still current.  The names below are libstdc++'s; only C++
 * programs have them.  The second word of std::type_info is the mangled type name.
 */
EXPORT void abort(void)
{
	struct type_info {
		void *vtable;
		const char *name;
	} *(*current_type)(void) = dlsym(RTLD_DEFAULT, "__cxa_current_exception_type");
	char *(*demangle)(const char *, char *, size_t *, int *) = dlsym(RTLD_DEFAULT, "__cxa_demangle");
	void (*real)(void) = dlsym(RTLD_NEXT, "abort");
	struct type_info *type = !(omen.off & OFF_BEFORE) && current_type ? current_type() : NULL;

	if (type) {
		char message[200];
		int status;
		const char *name = type->name + (*type->name == '*');
		char *plain = demangle ? demangle(name, NULL, NULL, &status) : NULL;
		text_format(message, sizeof(message), "uncaught exception of type %s", plain ? plain : name);
		ending_explain_abort(ENDING_EXCEPTION, message);
	}
	real();
	__builtin_unreachable();
}
