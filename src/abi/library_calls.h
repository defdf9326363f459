/*
 * Library functions whose memory accesses are known: they access, for instrumented code, the memory that it passes to
 * them.
 *
 * One row for each function: name, number of parameters, and its effects on memory.  In: the pass finds direct calls of
 * these names.  It puts a hook before the call, and one after it if the result says what was written.  Out: the hooks
 * (rt/access/library_call.c) go through the row and count the accesses.  The ranges are those that the C and POSIX
 * standards give, never more than the function itself looks at: a string counts only as far as the function reads it.
 * An access that a function may make or not make is not in its row.
 *
 * The moment matters.  Inputs count before the call: a write to a pipe comes before what the reader does next, so a
 * read of the buffer that counted after the write would seem to race with that.  Outputs of the kernel and of
 * formatting count after the call, when their size is known.  If the call failed, they do not count.
 */
#ifndef OMEN_LIBRARY_CALLS_H
#define OMEN_LIBRARY_CALLS_H

#include "abi/hooks.h"

/*
 * The slow hooks; the helpers of src/cc/inline/call_helpers.h call them.  They get the arguments that the row's effects
 * use, in their order, and 0 for the rest.
 */
OMEN_SLOW void omen_slow_libcall_before(uint32_t id, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e,
                                        const struct omen_site *site);
OMEN_SLOW void omen_slow_libcall_after(uint32_t id, uint64_t result, uint64_t a, uint64_t b, uint64_t c, uint64_t d,
                                       uint64_t e, const struct omen_site *site);

/*
 * Called before one of these two, while omen_hot->watch is 2: argument `argument` points into a variable of `extent`
 * bytes (OMEN_OBJECT_*), `offset` bytes from its beginning.
 */
OMEN_SLOW void omen_slow_libcall_object(uint32_t argument, int64_t offset, size_t extent, uint32_t what);
#define LIBCALL_OBJECTS 2 /* at most this many for one call */

/*
 * How far an effect reaches from its pointer p.  X(rule, how many of its two operands are argument numbers): the first
 * ones are argument numbers, the others are constants.  R is the result of the call.
 */
#define OMEN_LIBCALL_RULES(X)                                                                                          \
	/* before or after the call: */                                                                                \
	X(BYTES, 0)           /* a: bytes */                                                                           \
	X(DESCRIPTOR, 0)      /* the argument is a descriptor, not a pointer: its object (descriptor_object.h) */      \
	X(ARG, 1)             /* argument a: bytes */                                                                  \
	X(TIMES, 1)           /* argument a times b bytes */                                                           \
	X(PRODUCT, 2)         /* argument a times argument b bytes */                                                  \
	X(BITS, 1)            /* argument a: bits, in words of 64 */                                                   \
	X(STRING, 0)          /* a string */                                                                           \
	X(STRING_UPTO, 1)     /* a string, or argument a bytes if it does not end in them */                           \
	X(STRING_OF, 1)       /* as many bytes as string argument a has, with its end */                               \
	X(WIDE_STRING, 0)     /* a wide string */                                                                      \
	X(CHARACTER, 1)       /* a string up to the first character that is argument a */                              \
	X(FIRST_BYTE, 2)      /* up to the first byte that is argument a, within argument b bytes */                   \
	X(SPAN, 1)            /* strspn(p, argument a) + 1 bytes */                                                    \
	X(SPAN_NOT, 1)        /* strcspn(p, argument a) + 1 bytes */                                                   \
	X(SEARCH, 1)          /* up to the end of the first occurrence of string argument a */                         \
	X(SEARCH_CASELESS, 1) /* the same for strcasestr */                                                            \
	X(SEARCH_BYTES, 2)    /* memmem(): in argument a bytes; argument b and the next are needle and length */       \
	X(COMMON, 1)          /* as far as the string equals argument a, and one byte more */                          \
	X(COMMON_UPTO, 2)     /* the same within argument b bytes */                                                   \
	X(CASELESS, 1)        /* the same for strcasecmp */                                                            \
	X(CASELESS_UPTO, 2)                                                                                            \
	X(APPEND, 1)        /* after the string: as many bytes as string argument a has, with its end */               \
	X(APPEND_UPTO, 2)   /* the same, but no more than argument b bytes and the end */                              \
	X(INTEGER, 1)       /* what strtol() reads with base argument a */                                             \
	X(DECIMAL, 0)       /* the same with base 10 */                                                                \
	X(FLOATING, 0)      /* what strtod() certainly reads */                                                        \
	X(POLL_ASKED, 1)    /* argument a struct pollfd: descriptor and events */                                      \
	X(IOVECS, 1)        /* what argument a struct iovec point to */                                                \
	X(MESSAGE, 0)       /* sendmsg(): what a msghdr points to */                                                   \
	X(MESSAGE_ASKED, 0) /* recvmsg(): its iovecs */                                                                \
	X(SCANNED_TEXT, 1)  /* what sscanf() certainly reads with the format argument a */                             \
	X(WIDE_UPTO, 1)     /* from here on: the rules of strings for wide strings */                                  \
	X(WIDE_STRING_OF, 1)                                                                                           \
	X(WIDE_APPEND, 1)                                                                                              \
	X(WIDE_APPEND_UPTO, 2)                                                                                         \
	X(WIDE_COMMON, 1)                                                                                              \
	X(WIDE_COMMON_UPTO, 2)                                                                                         \
	X(WIDE_CHARACTER, 1)                                                                                           \
	X(WIDE_FIRST, 2)                                                                                               \
	X(WIDE_SPAN, 1)                                                                                                \
	X(WIDE_SPAN_NOT, 1)                                                                                            \
	X(WIDE_SEARCH, 1)                                                                                              \
	/* after the call; R < 0 is a failure: */                                                                      \
	X(IF_OK, 0)            /* a bytes if R ≥ 0 */                                                                  \
	X(IF_POSITIVE, 0)      /* a bytes if R > 0 */                                                                  \
	X(IF_POINTER, 0)       /* a bytes if R is not NULL */                                                          \
	X(RESULT_UPTO, 1)      /* R bytes, but no more than argument a: R may be more than fitted */                   \
	X(RESULT_TIMES, 0)     /* R times a bytes */                                                                   \
	X(RESULT_PRODUCT, 2)   /* R times argument a bytes, out of argument a times argument b */                      \
	X(RESULT_TEXT, 0)      /* R + 1 bytes, also if R is 0 */                                                       \
	X(RESULT_TEXT_IN, 1)   /* the same, but no more than argument a bytes */                                       \
	X(RESULT_TIME, 0)      /* R + 1 bytes unless R is 0 */                                                         \
	X(TEXT_IF_OK, 0)       /* a string if R ≥ 0 */                                                                 \
	X(TEXT_IF_POINTER, 0)  /* a string if R is not NULL */                                                         \
	X(LENGTH_IF_OK, 1)     /* if R ≥ 0: as many bytes as the socklen_t at argument a says */                       \
	X(BITS_IF_OK, 1)       /* as BITS, if R ≥ 0 */                                                                 \
	X(LINE, 0)             /* getline(): R + 1 bytes where the pointer at p points to */                           \
	X(ADDRESS, 1)          /* inet_pton(): an address of family argument a, if R is 1 */                           \
	X(POLL_GOT, 1)         /* argument a struct pollfd: revents, if R ≥ 0 */                                       \
	X(IOVECS_RESULT, 1)    /* the first R bytes of what argument a struct iovec point to */                        \
	X(TOKEN, 0)            /* strtok_r(): the token R, and the end that was written after it */                    \
	X(PIECE, 0)            /* strsep(): the same */                                                                \
	X(OWN_TOKEN, 0)        /* strtok(): the same, and its own pointer to the rest */                               \
	X(RETURNED, 0)         /* strerror_r(): a string if R is the pointer */                                        \
	X(WIDE_RESULT_TEXT, 0) /* R + 1 wide characters */                                                             \
	X(MESSAGE_GOT, 0)      /* recvmsg(): R bytes of what a msghdr points to, and its fields for results */         \
	X(SCANNED, 2)      /* a conversion of scanf(), made if R ≥ argument a: argument b bytes (scanf_format.h) */    \
	X(SCANNED_LIST, 1) /* all conversions of the format argument a; p is the va_list with their arguments */

enum libcall_rule {
#define X(rule, arguments) RULE_##rule,
	OMEN_LIBCALL_RULES(X)
#undef X
};

enum libcall_moment { MOMENT_NONE, MOMENT_BEFORE, MOMENT_AFTER };

struct libcall_effect {
	uint8_t moment; /* enum libcall_moment; MOMENT_NONE: there are no more effects */
	uint8_t write;
	uint8_t pointer;     /* the number of the argument that points to the bytes, or THE_RESULT */
	uint8_t rule;        /* enum libcall_rule */
	uint16_t operand[2]; /* a and b */
};

#define LIBCALL_EFFECTS   6
#define LIBCALL_ARGUMENTS 5 /* the effects of one row use at most this many (cc/libcalls.c checks it) */
#define THE_RESULT        7 /* instead of an argument number: R itself is the pointer */

struct libcall {
	const char *name;
	uint8_t params; /* without the variable ones */
	struct libcall_effect effects[LIBCALL_EFFECTS];
};

/* One effect: the argument number of the pointer, then a rule with its operands.  LATE effects count after the call. */
#define IN(pointer, rule, ...)       EFFECT(MOMENT_BEFORE, 0, pointer, rule, ##__VA_ARGS__)
#define OUT(pointer, rule, ...)      EFFECT(MOMENT_BEFORE, 1, pointer, rule, ##__VA_ARGS__)
#define LATE_IN(pointer, rule, ...)  EFFECT(MOMENT_AFTER, 0, pointer, rule, ##__VA_ARGS__)
#define LATE_OUT(pointer, rule, ...) EFFECT(MOMENT_AFTER, 1, pointer, rule, ##__VA_ARGS__)
#define EFFECT(moment, write, pointer, rule, ...)                                                                      \
	{                                                                                                              \
		moment, write, pointer, RULE_##rule, { __VA_ARGS__ }                                                   \
	}

/* Sizes of the C library's types on x86-64, which no feature test changes. */
#define TIMESPEC   16
#define TM         56
#define STAT       144
#define SIGSET     128
#define SIGMASK    8 /* the part of a sigset_t that the kernel uses */
#define SIGACTION  152
#define SIGINFO    128
#define ITIMERSPEC 32
#define RUSAGE     144
#define UTSNAME    390
#define EPOLLEVENT 12
#define RLIMIT     16
#define MSGHDR     56
#define PASSWD     48
#define GROUP      32
#define HOSTENT    32

/* clang-format off */
/*
 * The rows.  A function that follows its pointers itself stands in the first list, one whose pointers only the kernel
 * follows in the second: the kernel survives a bad pointer, and the call fails.  The order within a list means nothing.
 */
#define OMEN_PLAIN_LIBCALLS(X)                                                                                         \
	/* memory */                                                                                                   \
	X(memcpy, 3, IN(1, ARG, 2), OUT(0, ARG, 2))                                                                    \
	X(memmove, 3, IN(1, ARG, 2), OUT(0, ARG, 2))                                                                   \
	X(mempcpy, 3, IN(1, ARG, 2), OUT(0, ARG, 2))                                                                   \
	X(bcopy, 3, IN(0, ARG, 2), OUT(1, ARG, 2))                                                                     \
	X(memset, 3, OUT(0, ARG, 2))                                                                                   \
	X(bzero, 2, OUT(0, ARG, 1))                                                                                    \
	X(explicit_bzero, 2, OUT(0, ARG, 1))                                                                           \
	X(memcmp, 3, IN(0, ARG, 2), IN(1, ARG, 2))                                                                     \
	X(bcmp, 3, IN(0, ARG, 2), IN(1, ARG, 2))                                                                       \
	X(memchr, 3, IN(0, FIRST_BYTE, 1, 2))                                                                          \
	X(memrchr, 3, IN(0, ARG, 2))                                                                                   \
	X(memmem, 4, IN(0, SEARCH_BYTES, 1, 2), IN(2, ARG, 3))                                                         \
	X(qsort, 4, IN(0, PRODUCT, 1, 2), OUT(0, PRODUCT, 1, 2))                                                       \
	X(qsort_r, 5, IN(0, PRODUCT, 1, 2), OUT(0, PRODUCT, 1, 2))                                                     \
	X(wmemcpy, 3, IN(1, TIMES, 2, 4), OUT(0, TIMES, 2, 4))                                                         \
	X(wmemmove, 3, IN(1, TIMES, 2, 4), OUT(0, TIMES, 2, 4))                                                        \
	X(wmemset, 3, OUT(0, TIMES, 2, 4))                                                                             \
	X(wmemcmp, 3, IN(0, TIMES, 2, 4), IN(1, TIMES, 2, 4))                                                          \
	X(wmempcpy, 3, IN(1, TIMES, 2, 4), OUT(0, TIMES, 2, 4))                                                        \
	X(wmemchr, 3, IN(0, WIDE_FIRST, 1, 2))                                                                         \
	/* strings */                                                                                                  \
	X(strlen, 1, IN(0, STRING))                                                                                    \
	X(strnlen, 2, IN(0, STRING_UPTO, 1))                                                                           \
	X(wcslen, 1, IN(0, WIDE_STRING))                                                                               \
	X(strcpy, 2, IN(1, STRING), OUT(0, STRING_OF, 1))                                                              \
	X(stpcpy, 2, IN(1, STRING), OUT(0, STRING_OF, 1))                                                              \
	X(strncpy, 3, IN(1, STRING_UPTO, 2), OUT(0, ARG, 2))                                                           \
	X(stpncpy, 3, IN(1, STRING_UPTO, 2), OUT(0, ARG, 2))                                                           \
	X(strcat, 2, IN(0, STRING), IN(1, STRING), OUT(0, APPEND, 1))                                                  \
	X(strncat, 3, IN(0, STRING), IN(1, STRING_UPTO, 2), OUT(0, APPEND_UPTO, 1, 2))                                 \
	X(strcmp, 2, IN(0, COMMON, 1), IN(1, COMMON, 0))                                                               \
	X(strncmp, 3, IN(0, COMMON_UPTO, 1, 2), IN(1, COMMON_UPTO, 0, 2))                                              \
	X(strcasecmp, 2, IN(0, CASELESS, 1), IN(1, CASELESS, 0))                                                       \
	X(strncasecmp, 3, IN(0, CASELESS_UPTO, 1, 2), IN(1, CASELESS_UPTO, 0, 2))                                      \
	X(strcoll, 2, IN(0, STRING), IN(1, STRING))                                                                    \
	X(strchr, 2, IN(0, CHARACTER, 1))                                                                              \
	X(index, 2, IN(0, CHARACTER, 1))                                                                               \
	X(strchrnul, 2, IN(0, CHARACTER, 1))                                                                           \
	X(strrchr, 2, IN(0, STRING))                                                                                   \
	X(rindex, 2, IN(0, STRING))                                                                                    \
	X(strstr, 2, IN(0, SEARCH, 1), IN(1, STRING))                                                                  \
	X(strcasestr, 2, IN(0, SEARCH_CASELESS, 1), IN(1, STRING))                                                     \
	X(strspn, 2, IN(0, SPAN, 1), IN(1, STRING))                                                                    \
	X(strcspn, 2, IN(0, SPAN_NOT, 1), IN(1, STRING))                                                               \
	X(strpbrk, 2, IN(0, SPAN_NOT, 1), IN(1, STRING))                                                               \
	X(strdup, 1, IN(0, STRING))                                                                                    \
	X(strndup, 2, IN(0, STRING_UPTO, 1))                                                                           \
	X(strtok_r, 3, IN(1, STRING), LATE_OUT(2, BYTES, 8), LATE_IN(2, TOKEN), LATE_OUT(2, TOKEN))                    \
	X(strsep, 2, IN(0, BYTES, 8), IN(1, STRING), LATE_IN(0, PIECE), LATE_OUT(0, PIECE))                            \
	X(strtok, 2, IN(1, STRING), LATE_IN(THE_RESULT, OWN_TOKEN), LATE_OUT(THE_RESULT, OWN_TOKEN))                     \
	X(strerror_r, 3, LATE_OUT(1, RETURNED))                                                                        \
	X(__xpg_strerror_r, 3, LATE_OUT(1, STRING_UPTO, 2))                                                            \
	X(wcsnlen, 2, IN(0, WIDE_UPTO, 1))                                                                             \
	X(wcscpy, 2, IN(1, WIDE_STRING), OUT(0, WIDE_STRING_OF, 1))                                                    \
	X(wcpcpy, 2, IN(1, WIDE_STRING), OUT(0, WIDE_STRING_OF, 1))                                                    \
	X(wcsncpy, 3, IN(1, WIDE_UPTO, 2), OUT(0, TIMES, 2, 4))                                                        \
	X(wcpncpy, 3, IN(1, WIDE_UPTO, 2), OUT(0, TIMES, 2, 4))                                                        \
	X(wcscat, 2, IN(0, WIDE_STRING), IN(1, WIDE_STRING), OUT(0, WIDE_APPEND, 1))                                   \
	X(wcsncat, 3, IN(0, WIDE_STRING), IN(1, WIDE_UPTO, 2), OUT(0, WIDE_APPEND_UPTO, 1, 2))                         \
	X(wcscmp, 2, IN(0, WIDE_COMMON, 1), IN(1, WIDE_COMMON, 0))                                                     \
	X(wcsncmp, 3, IN(0, WIDE_COMMON_UPTO, 1, 2), IN(1, WIDE_COMMON_UPTO, 0, 2))                                    \
	X(wcscoll, 2, IN(0, WIDE_STRING), IN(1, WIDE_STRING))                                                          \
	X(wcschr, 2, IN(0, WIDE_CHARACTER, 1))                                                                         \
	X(wcsrchr, 2, IN(0, WIDE_STRING))                                                                              \
	X(wcsstr, 2, IN(0, WIDE_SEARCH, 1), IN(1, WIDE_STRING))                                                        \
	X(wcsspn, 2, IN(0, WIDE_SPAN, 1), IN(1, WIDE_STRING))                                                          \
	X(wcscspn, 2, IN(0, WIDE_SPAN_NOT, 1), IN(1, WIDE_STRING))                                                     \
	X(wcspbrk, 2, IN(0, WIDE_SPAN_NOT, 1), IN(1, WIDE_STRING))                                                     \
	X(wcsdup, 1, IN(0, WIDE_STRING))                                                                               \
	/* numbers */                                                                                                  \
	X(strtol, 3, IN(0, INTEGER, 2), OUT(1, BYTES, 8))                                                              \
	X(strtoul, 3, IN(0, INTEGER, 2), OUT(1, BYTES, 8))                                                             \
	X(strtoll, 3, IN(0, INTEGER, 2), OUT(1, BYTES, 8))                                                             \
	X(strtoull, 3, IN(0, INTEGER, 2), OUT(1, BYTES, 8))                                                            \
	X(strtoimax, 3, IN(0, INTEGER, 2), OUT(1, BYTES, 8))                                                           \
	X(strtoumax, 3, IN(0, INTEGER, 2), OUT(1, BYTES, 8))                                                           \
	X(strtod, 2, IN(0, FLOATING), OUT(1, BYTES, 8))                                                                \
	X(strtof, 2, IN(0, FLOATING), OUT(1, BYTES, 8))                                                                \
	X(strtold, 2, IN(0, FLOATING), OUT(1, BYTES, 8))                                                               \
	X(atoi, 1, IN(0, DECIMAL))                                                                                     \
	X(atol, 1, IN(0, DECIMAL))                                                                                     \
	X(atoll, 1, IN(0, DECIMAL))                                                                                    \
	X(atof, 1, IN(0, FLOATING))                                                                                    \
	X(wcstol, 3, IN(0, BYTES, 4), OUT(1, BYTES, 8))                                                                \
	X(wcstoul, 3, IN(0, BYTES, 4), OUT(1, BYTES, 8))                                                               \
	X(wcstoll, 3, IN(0, BYTES, 4), OUT(1, BYTES, 8))                                                               \
	X(wcstoull, 3, IN(0, BYTES, 4), OUT(1, BYTES, 8))                                                              \
	X(wcstod, 2, IN(0, BYTES, 4), OUT(1, BYTES, 8))                                                                \
	X(frexp, 2, OUT(1, BYTES, 4))                                                                                  \
	X(frexpf, 2, OUT(1, BYTES, 4))                                                                                 \
	X(modf, 2, OUT(1, BYTES, 8))                                                                                   \
	X(modff, 2, OUT(1, BYTES, 4))                                                                                  \
	X(sincos, 3, OUT(1, BYTES, 8), OUT(2, BYTES, 8))                                                               \
	X(sincosf, 3, OUT(1, BYTES, 4), OUT(2, BYTES, 4))                                                              \
	X(rand_r, 1, IN(0, BYTES, 4), OUT(0, BYTES, 4))                                                                \
	/* formatting */                                                                                               \
	X(sprintf, 2, IN(1, STRING), LATE_OUT(0, RESULT_TEXT))                                                         \
	X(vsprintf, 3, IN(1, STRING), LATE_OUT(0, RESULT_TEXT))                                                        \
	X(snprintf, 3, IN(2, STRING), LATE_OUT(0, RESULT_TEXT_IN, 1))                                                  \
	X(vsnprintf, 4, IN(2, STRING), LATE_OUT(0, RESULT_TEXT_IN, 1))                                                 \
	X(asprintf, 2, IN(1, STRING), LATE_OUT(0, IF_OK, 8))                                                           \
	X(vasprintf, 3, IN(1, STRING), LATE_OUT(0, IF_OK, 8))                                                          \
	X(printf, 1, IN(0, STRING))                                                                                    \
	X(vprintf, 2, IN(0, STRING))                                                                                   \
	X(fprintf, 2, IN(1, STRING))                                                                                   \
	X(vfprintf, 3, IN(1, STRING))                                                                                  \
	X(dprintf, 2, IN(1, STRING))                                                                                   \
	X(vdprintf, 3, IN(1, STRING))                                                                                  \
	X(syslog, 2, IN(1, STRING))                                                                                    \
	X(__sprintf_chk, 4, IN(3, STRING), LATE_OUT(0, RESULT_TEXT))                                                   \
	X(__vsprintf_chk, 5, IN(3, STRING), LATE_OUT(0, RESULT_TEXT))                                                  \
	X(__snprintf_chk, 5, IN(4, STRING), LATE_OUT(0, RESULT_TEXT_IN, 1))                                            \
	X(__vsnprintf_chk, 6, IN(4, STRING), LATE_OUT(0, RESULT_TEXT_IN, 1))                                           \
	X(__printf_chk, 2, IN(1, STRING))                                                                              \
	X(__fprintf_chk, 3, IN(2, STRING))                                                                             \
	X(swprintf, 3, IN(2, WIDE_STRING), LATE_OUT(0, WIDE_RESULT_TEXT))                                              \
	X(vswprintf, 4, IN(2, WIDE_STRING), LATE_OUT(0, WIDE_RESULT_TEXT))                                             \
	X(__swprintf_chk, 5, IN(4, WIDE_STRING), LATE_OUT(0, WIDE_RESULT_TEXT))                                        \
	X(__vswprintf_chk, 6, IN(4, WIDE_STRING), LATE_OUT(0, WIDE_RESULT_TEXT))                                       \
	/* scanning: the pass handles the conversions of a constant format, each by omen_scanned */                    \
	X(omen_scanned, 3, LATE_OUT(0, SCANNED, 1, 2))                                                                 \
	X(scanf, 1, IN(0, STRING))                                                                                     \
	X(fscanf, 2, IN(1, STRING))                                                                                    \
	X(sscanf, 2, IN(1, STRING), IN(0, SCANNED_TEXT, 1))                                                            \
	X(vscanf, 2, IN(0, STRING), LATE_OUT(1, SCANNED_LIST, 0))                                                      \
	X(vfscanf, 3, IN(1, STRING), LATE_OUT(2, SCANNED_LIST, 1))                                                     \
	X(vsscanf, 3, IN(1, STRING), IN(0, SCANNED_TEXT, 1), LATE_OUT(2, SCANNED_LIST, 1))                             \
	/* streams */                                                                                                  \
	X(fread, 4, LATE_OUT(0, RESULT_PRODUCT, 1, 2))                                                                 \
	X(__fread_chk, 5, LATE_OUT(0, RESULT_PRODUCT, 2, 3))                                                           \
	X(fwrite, 4, IN(0, PRODUCT, 1, 2))                                                                             \
	X(fgets, 3, LATE_OUT(0, TEXT_IF_POINTER))                                                                      \
	X(fputs, 2, IN(0, STRING))                                                                                     \
	X(puts, 1, IN(0, STRING))                                                                                      \
	X(perror, 1, IN(0, STRING))                                                                                    \
	X(getline, 3, IN(0, BYTES, 8), IN(1, BYTES, 8), LATE_OUT(0, LINE))                                             \
	X(getdelim, 4, IN(0, BYTES, 8), IN(1, BYTES, 8), LATE_OUT(0, LINE))                                            \
	X(fopen, 2, IN(0, STRING), IN(1, STRING))                                                                      \
	X(fdopen, 2, IN(1, STRING))                                                                                    \
	X(popen, 2, IN(0, STRING), IN(1, STRING))                                                                      \
	X(system, 1, IN(0, STRING))                                                                                    \
	X(getenv, 1, IN(0, STRING))                                                                                    \
	/* files by name */                                                                                            \
	X(realpath, 2, IN(0, STRING), LATE_OUT(1, TEXT_IF_POINTER))                                                    \
	X(getcwd, 2, LATE_OUT(0, TEXT_IF_POINTER))                                                                     \
	X(gethostname, 2, LATE_OUT(0, TEXT_IF_OK))                                                                     \
	X(dlopen, 2, IN(0, STRING))                                                                                    \
	X(dlsym, 2, IN(1, STRING))                                                                                     \
	/* time */                                                                                                     \
	X(time, 1, LATE_OUT(0, IF_OK, 8))                                                                              \
	X(gettimeofday, 2, LATE_OUT(0, IF_OK, TIMESPEC))                                                               \
	X(clock_gettime, 2, LATE_OUT(1, IF_OK, TIMESPEC))                                                              \
	X(clock_getres, 2, LATE_OUT(1, IF_OK, TIMESPEC))                                                               \
	X(timespec_get, 2, LATE_OUT(0, IF_POSITIVE, TIMESPEC))                                                         \
	X(localtime_r, 2, IN(0, BYTES, 8), LATE_OUT(1, IF_POINTER, TM))                                                \
	X(gmtime_r, 2, IN(0, BYTES, 8), LATE_OUT(1, IF_POINTER, TM))                                                   \
	X(localtime, 1, IN(0, BYTES, 8), LATE_OUT(THE_RESULT, BYTES, TM))                                              \
	X(gmtime, 1, IN(0, BYTES, 8), LATE_OUT(THE_RESULT, BYTES, TM))                                                 \
	X(ctime_r, 2, IN(0, BYTES, 8), LATE_OUT(1, TEXT_IF_POINTER))                                                   \
	X(asctime_r, 2, IN(0, BYTES, TM), LATE_OUT(1, TEXT_IF_POINTER))                                                \
	X(ctime, 1, IN(0, BYTES, 8), LATE_OUT(THE_RESULT, STRING))                                                     \
	X(asctime, 1, IN(0, BYTES, TM), LATE_OUT(THE_RESULT, STRING))                                                  \
	X(mktime, 1, IN(0, BYTES, TM), OUT(0, BYTES, TM))                                                              \
	X(timegm, 1, IN(0, BYTES, TM), OUT(0, BYTES, TM))                                                              \
	X(strftime, 4, IN(2, STRING), IN(3, BYTES, TM), LATE_OUT(0, RESULT_TIME))                                      \
	X(setitimer, 3, IN(1, BYTES, ITIMERSPEC), LATE_OUT(2, IF_OK, ITIMERSPEC))                                      \
	X(getitimer, 2, LATE_OUT(1, IF_OK, ITIMERSPEC))                                                                \
	/* signals and processes */                                                                                    \
	X(sigaction, 3, IN(1, BYTES, SIGACTION), LATE_OUT(2, IF_OK, SIGACTION))                                        \
	X(sigprocmask, 3, IN(1, BYTES, SIGMASK), LATE_OUT(2, IF_OK, SIGMASK))                                          \
	X(pthread_sigmask, 3, IN(1, BYTES, SIGMASK))                                                                   \
	X(sigemptyset, 1, OUT(0, BYTES, SIGSET))                                                                       \
	X(sigfillset, 1, OUT(0, BYTES, SIGSET))                                                                        \
	X(sigwaitinfo, 2, IN(0, BYTES, SIGMASK), LATE_OUT(1, IF_POSITIVE, SIGINFO))                                    \
	/* addresses and characters */                                                                                 \
	X(inet_ntop, 4, LATE_OUT(2, TEXT_IF_POINTER))                                                                  \
	X(inet_pton, 3, IN(1, STRING), LATE_OUT(2, ADDRESS, 0))                                                        \
	X(inet_addr, 1, IN(0, STRING))                                                                                 \
	/* entries of databases in memory of the function's own */                                                           \
	X(getpwnam, 1, IN(0, STRING), LATE_OUT(THE_RESULT, BYTES, PASSWD))                                             \
	X(getpwuid, 1, LATE_OUT(THE_RESULT, BYTES, PASSWD))                                                            \
	X(getgrnam, 1, IN(0, STRING), LATE_OUT(THE_RESULT, BYTES, GROUP))                                              \
	X(getgrgid, 1, LATE_OUT(THE_RESULT, BYTES, GROUP))                                                             \
	X(gethostbyname, 1, IN(0, STRING), LATE_OUT(THE_RESULT, BYTES, HOSTENT))                                       \
	X(sem_getvalue, 2, LATE_OUT(1, IF_OK, 4))                                                                      \
	X(mbstowcs, 3, LATE_OUT(0, RESULT_TIMES, 4))                                                                   \
	X(wcstombs, 3, LATE_OUT(0, RESULT_UPTO, 2))                                                                    \
	/* streams: functions without effects on known memory */                                                                               \
	X(putchar, 1)                                                                                                  \
	X(putc, 2)                                                                                                     \
	X(fputc, 2)                                                                                                    \
	X(fflush, 1)                                                                                                   \
	X(fclose, 1)                                                                                                   \
	/* C++'s >> and getline() of strings, for char only.  The effect: the address and the number of the characters */\
	X(_ZStrsIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE, 2, \
	  OUT(1, BYTES, 16))                                                                                           \
	X(_ZSt7getlineIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EES4_, 3, \
	  OUT(1, BYTES, 16))

#define OMEN_KERNEL_LIBCALLS(X)                                                                                        \
	/* descriptors */                                                                                              \
	X(read, 3, IN(0, DESCRIPTOR), LATE_OUT(1, RESULT_UPTO, 2))                                                                        \
	X(pread, 4, IN(0, DESCRIPTOR), LATE_OUT(1, RESULT_UPTO, 2))                                                                       \
	X(close, 1, OUT(0, DESCRIPTOR))                                                                                \
	X(write, 3, IN(0, DESCRIPTOR), IN(1, ARG, 2))                                                                                     \
	X(pwrite, 4, IN(0, DESCRIPTOR), IN(1, ARG, 2))                                                                                    \
	X(readv, 3, IN(0, DESCRIPTOR), IN(1, TIMES, 2, 16), LATE_OUT(1, IOVECS_RESULT, 2))                                                \
	X(preadv, 4, IN(0, DESCRIPTOR), IN(1, TIMES, 2, 16), LATE_OUT(1, IOVECS_RESULT, 2))                                               \
	X(writev, 3, IN(0, DESCRIPTOR), IN(1, TIMES, 2, 16), IN(1, IOVECS, 2))                                                            \
	X(pwritev, 4, IN(0, DESCRIPTOR), IN(1, TIMES, 2, 16), IN(1, IOVECS, 2))                                                           \
	X(recv, 4, IN(0, DESCRIPTOR), LATE_OUT(1, RESULT_UPTO, 2))                                                                        \
	X(send, 4, IN(0, DESCRIPTOR), IN(1, ARG, 2))                                                                                      \
	X(recvfrom, 6, IN(0, DESCRIPTOR), IN(5, BYTES, 4), LATE_OUT(1, RESULT_UPTO, 2), LATE_OUT(4, LENGTH_IF_OK, 5), LATE_OUT(5, IF_OK, 4)) \
	X(sendto, 6, IN(0, DESCRIPTOR), IN(1, ARG, 2), IN(4, ARG, 5))                                                                     \
	X(sendmsg, 3, IN(0, DESCRIPTOR), IN(1, BYTES, MSGHDR), IN(1, MESSAGE))                                                            \
	X(recvmsg, 3, IN(0, DESCRIPTOR), IN(1, BYTES, MSGHDR), IN(1, MESSAGE_ASKED), LATE_OUT(1, MESSAGE_GOT))                            \
	X(__recvfrom_chk, 7, IN(0, DESCRIPTOR), IN(6, BYTES, 4), LATE_OUT(1, RESULT_UPTO, 2), LATE_OUT(5, LENGTH_IF_OK, 6), LATE_OUT(6, IF_OK, 4)) \
	X(bind, 3, IN(0, DESCRIPTOR), IN(1, ARG, 2))                                                                                      \
	X(connect, 3, IN(0, DESCRIPTOR), IN(1, ARG, 2))                                                                                   \
	X(accept, 3, IN(0, DESCRIPTOR), IN(2, BYTES, 4), LATE_OUT(1, LENGTH_IF_OK, 2), LATE_OUT(2, IF_OK, 4))                             \
	X(accept4, 4, IN(0, DESCRIPTOR), IN(2, BYTES, 4), LATE_OUT(1, LENGTH_IF_OK, 2), LATE_OUT(2, IF_OK, 4))                            \
	X(getsockname, 3, IN(0, DESCRIPTOR), IN(2, BYTES, 4), LATE_OUT(1, LENGTH_IF_OK, 2), LATE_OUT(2, IF_OK, 4))                        \
	X(getpeername, 3, IN(0, DESCRIPTOR), IN(2, BYTES, 4), LATE_OUT(1, LENGTH_IF_OK, 2), LATE_OUT(2, IF_OK, 4))                        \
	X(setsockopt, 5, IN(0, DESCRIPTOR), IN(3, ARG, 4))                                                                                \
	X(getsockopt, 5, IN(0, DESCRIPTOR), IN(4, BYTES, 4), LATE_OUT(3, LENGTH_IF_OK, 4), LATE_OUT(4, IF_OK, 4))                         \
	X(socketpair, 4, LATE_OUT(3, IF_OK, 8))                                                                        \
	X(pipe, 1, LATE_OUT(0, IF_OK, 8))                                                                              \
	X(pipe2, 2, LATE_OUT(0, IF_OK, 8))                                                                             \
	X(poll, 3, IN(0, POLL_ASKED, 1), LATE_OUT(0, POLL_GOT, 1))                                                     \
	X(ppoll, 4, IN(0, POLL_ASKED, 1), IN(2, BYTES, TIMESPEC), IN(3, BYTES, SIGMASK),                               \
	  LATE_OUT(0, POLL_GOT, 1))                                                                                    \
	X(select, 5, IN(1, BITS, 0), IN(2, BITS, 0), IN(3, BITS, 0),                                                   \
	  LATE_OUT(1, BITS_IF_OK, 0), LATE_OUT(2, BITS_IF_OK, 0), LATE_OUT(3, BITS_IF_OK, 0))                          \
	X(epoll_ctl, 4, IN(3, BYTES, EPOLLEVENT))                                                                      \
	X(epoll_wait, 4, LATE_OUT(1, RESULT_TIMES, EPOLLEVENT))                                                        \
	X(epoll_pwait, 5, IN(4, BYTES, SIGMASK), LATE_OUT(1, RESULT_TIMES, EPOLLEVENT))                                \
	X(eventfd_read, 2, LATE_OUT(1, IF_OK, 8))                                                                      \
	X(timerfd_settime, 4, IN(2, BYTES, ITIMERSPEC), LATE_OUT(3, IF_OK, ITIMERSPEC))                                \
	X(timerfd_gettime, 2, LATE_OUT(1, IF_OK, ITIMERSPEC))                                                          \
	X(getrandom, 3, LATE_OUT(0, RESULT_UPTO, 1))                                                                   \
	/* files by name */                                                                                            \
	X(open, 2, IN(0, STRING))                                                                                      \
	X(openat, 3, IN(1, STRING))                                                                                    \
	X(creat, 2, IN(0, STRING))                                                                                     \
	X(access, 2, IN(0, STRING))                                                                                    \
	X(unlink, 1, IN(0, STRING))                                                                                    \
	X(remove, 1, IN(0, STRING))                                                                                    \
	X(mkdir, 2, IN(0, STRING))                                                                                     \
	X(rmdir, 1, IN(0, STRING))                                                                                     \
	X(chdir, 1, IN(0, STRING))                                                                                     \
	X(opendir, 1, IN(0, STRING))                                                                                   \
	X(rename, 2, IN(0, STRING), IN(1, STRING))                                                                     \
	X(link, 2, IN(0, STRING), IN(1, STRING))                                                                       \
	X(symlink, 2, IN(0, STRING), IN(1, STRING))                                                                    \
	X(stat, 2, IN(0, STRING), LATE_OUT(1, IF_OK, STAT))                                                            \
	X(lstat, 2, IN(0, STRING), LATE_OUT(1, IF_OK, STAT))                                                           \
	X(fstat, 2, LATE_OUT(1, IF_OK, STAT))                                                                          \
	X(fstatat, 4, IN(1, STRING), LATE_OUT(2, IF_OK, STAT))                                                         \
	X(__xstat, 3, IN(1, STRING), LATE_OUT(2, IF_OK, STAT))                                                         \
	X(__lxstat, 3, IN(1, STRING), LATE_OUT(2, IF_OK, STAT))                                                        \
	X(__fxstat, 3, LATE_OUT(2, IF_OK, STAT))                                                                       \
	X(readlink, 3, IN(0, STRING), LATE_OUT(1, RESULT_UPTO, 2))                                                     \
	X(readlinkat, 4, IN(1, STRING), LATE_OUT(2, RESULT_UPTO, 3))                                                   \
	/* time */                                                                                                     \
	X(nanosleep, 2, IN(0, BYTES, TIMESPEC))                                                                        \
	X(clock_nanosleep, 4, IN(2, BYTES, TIMESPEC))                                                                  \
	/* signals and processes */                                                                                    \
	X(wait, 1, LATE_OUT(0, IF_POSITIVE, 4))                                                                        \
	X(waitpid, 3, LATE_OUT(1, IF_POSITIVE, 4))                                                                     \
	X(wait4, 4, LATE_OUT(1, IF_POSITIVE, 4), LATE_OUT(3, IF_POSITIVE, RUSAGE))                                     \
	X(getrusage, 2, LATE_OUT(1, IF_OK, RUSAGE))                                                                    \
	X(getrlimit, 2, LATE_OUT(1, IF_OK, RLIMIT))                                                                    \
	X(setrlimit, 2, IN(1, BYTES, RLIMIT))                                                                          \
	X(times, 1, LATE_OUT(0, IF_OK, 32))                                                                            \
	X(uname, 1, LATE_OUT(0, IF_OK, UTSNAME))

#define OMEN_LIBCALLS(X) OMEN_PLAIN_LIBCALLS(X) OMEN_KERNEL_LIBCALLS(X)

/* These also change a stream, whatever their arguments are.  If every operation is a point, they are points. */
#define OMEN_LIBCALL_STREAMS(X)                                                                                        \
	X(printf)                                                                                                      \
	X(vprintf)                                                                                                     \
	X(fprintf)                                                                                                     \
	X(vfprintf)                                                                                                    \
	X(__printf_chk)                                                                                                \
	X(__fprintf_chk)                                                                                               \
	X(fwrite)                                                                                                      \
	X(fputs)                                                                                                       \
	X(puts)                                                                                                        \
	X(perror)                                                                                                      \
	X(putchar)                                                                                                     \
	X(putc)                                                                                                        \
	X(fputc)                                                                                                       \
	X(fflush)                                                                                                      \
	X(fclose)                                                                                                      \
	X(fread)                                                                                                       \
	X(fgets)                                                                                                       \
	X(getline)                                                                                                     \
	X(getdelim)                                                                                                    \
	X(fopen)                                                                                                       \
	X(fdopen)

/*
 * Functions that use streams and are not interposed (stdio_calls.c), whether they have a row or not.  Before a call of
 * one there is a point.  An entry that begins with _Z is the beginning of names of C++ streams in libstdc++.
 */
#define OMEN_OTHER_STREAMS(X)                                                                                          \
	X(scanf) X(fscanf) X(vscanf) X(vfscanf)                                                                        \
	X(__isoc99_scanf) X(__isoc99_fscanf) X(__isoc99_vscanf) X(__isoc99_vfscanf)                                    \
	X(__isoc23_scanf) X(__isoc23_fscanf) X(__isoc23_vscanf) X(__isoc23_vfscanf)                                    \
	X(wprintf) X(fwprintf) X(vwprintf) X(vfwprintf)                                                                \
	X(__wprintf_chk) X(__fwprintf_chk) X(__vwprintf_chk) X(__vfwprintf_chk)                                        \
	X(putwchar) X(getwchar) X(fgetws)                                                                              \
	X(err) X(errx) X(verr) X(verrx) X(warn) X(warnx) X(vwarn) X(vwarnx)                                            \
	X(error) X(error_at_line) X(psignal) X(psiginfo) X(syslog) X(vsyslog) X(__syslog_chk) X(__vsyslog_chk)         \
	X(fseek) X(fseeko) X(fseeko64) X(rewind) X(fsetpos) X(fsetpos64) X(ftell) X(ftello) X(ftello64)                \
	X(setbuf) X(setvbuf) X(freopen) X(freopen64) X(putw) X(getw)                                                   \
	/* std::ostream: operator<<, put(), write(), flush(), and the functions below them; the same for wide characters */     \
	X(_ZNSols) X(_ZNSo3put) X(_ZNSo5write) X(_ZNSo5flush) X(_ZNSo9_M_insert) X(_ZNSo8_M_write)                     \
	X(_ZNSt13basic_ostreamIw)                                                                                      \
	X(_ZStls) X(_ZSt16__ostream_insert) X(_ZSt15__ostream_write) X(_ZSt4endl) X(_ZSt4ends) X(_ZSt5flush)           \
	/* std::istream */                                                                                             \
	X(_ZNSirs) X(_ZNSi3get) X(_ZNSi4read) X(_ZNSi7getline) X(_ZNSi6ignore) X(_ZNSi5unget) X(_ZNSi7putback)         \
	X(_ZNSi4peek) X(_ZNSi10_M_extract) X(_ZNSt13basic_istreamIw)                                                   \
	X(_ZStrs) X(_ZSt7getline) X(_ZSt2ws)                                                                           \
	/* direct use of their buffers, and functions that empty them */                                       \
	X(_ZNSt15basic_streambuf) X(_ZNSt13basic_filebuf)                                                              \
	X(_ZNSt14basic_ofstreamIcSt11char_traitsIcEE5close) X(_ZNSt14basic_ofstreamIcSt11char_traitsIcEED)             \
	X(_ZNSt13basic_fstreamIcSt11char_traitsIcEE5close) X(_ZNSt13basic_fstreamIcSt11char_traitsIcEED)

/* Other names of the same functions: X(name, row, parameters).  Parameters that the row does not have come last. */
#define OMEN_LIBCALL_ALIASES(X)                                                                                        \
	X(__memcpy_chk, memcpy, 4)                                                                                     \
	X(__memmove_chk, memmove, 4)                                                                                   \
	X(__mempcpy_chk, mempcpy, 4)                                                                                   \
	X(__mempcpy, mempcpy, 3)                                                                                       \
	X(__memset_chk, memset, 4)                                                                                     \
	X(__explicit_bzero_chk, explicit_bzero, 3)                                                                     \
	X(__strcpy_chk, strcpy, 3)                                                                                     \
	X(__stpcpy_chk, stpcpy, 3)                                                                                     \
	X(__stpcpy, stpcpy, 2)                                                                                         \
	X(__strncpy_chk, strncpy, 4)                                                                                   \
	X(__stpncpy_chk, stpncpy, 4)                                                                                   \
	X(__strcat_chk, strcat, 3)                                                                                     \
	X(__strncat_chk, strncat, 4)                                                                                   \
	X(__strdup, strdup, 1)                                                                                         \
	X(__strndup, strndup, 2)                                                                                       \
	X(__strtok_r, strtok_r, 3)                                                                                     \
	X(__isoc23_strtol, strtol, 3)                                                                                  \
	X(__isoc23_strtoul, strtoul, 3)                                                                                \
	X(__isoc23_strtoll, strtoll, 3)                                                                                \
	X(__isoc23_strtoull, strtoull, 3)                                                                              \
	X(__isoc23_strtoimax, strtoimax, 3)                                                                            \
	X(__isoc23_strtoumax, strtoumax, 3)                                                                            \
	X(__fgets_chk, fgets, 4)                                                                                       \
	X(fgets_unlocked, fgets, 3)                                                                                    \
	X(fputs_unlocked, fputs, 2)                                                                                    \
	X(fread_unlocked, fread, 4)                                                                                    \
	X(fwrite_unlocked, fwrite, 4)                                                                                  \
	X(__getdelim, getdelim, 4)                                                                                     \
	X(fopen64, fopen, 2)                                                                                           \
	X(open64, open, 2)                                                                                             \
	X(openat64, openat, 3)                                                                                         \
	X(__open_2, open, 2)                                                                                           \
	X(__open64_2, open, 2)                                                                                         \
	X(creat64, creat, 2)                                                                                           \
	X(__read_chk, read, 4)                                                                                         \
	X(__pread_chk, pread, 5)                                                                                       \
	X(pread64, pread, 4)                                                                                           \
	X(pwrite64, pwrite, 4)                                                                                         \
	X(preadv64, preadv, 4)                                                                                         \
	X(pwritev64, pwritev, 4)                                                                                       \
	X(__recv_chk, recv, 5)                                                                                         \
	X(__poll_chk, poll, 4)                                                                                         \
	X(stat64, stat, 2)                                                                                             \
	X(lstat64, lstat, 2)                                                                                           \
	X(fstat64, fstat, 2)                                                                                           \
	X(fstatat64, fstatat, 4)                                                                                       \
	X(__xstat64, __xstat, 3)                                                                                       \
	X(__lxstat64, __lxstat, 3)                                                                                     \
	X(__fxstat64, __fxstat, 3)                                                                                     \
	X(__readlink_chk, readlink, 4)                                                                                 \
	X(__realpath_chk, realpath, 3)                                                                                 \
	X(__getcwd_chk, getcwd, 3)                                                                                     \
	X(__gethostname_chk, gethostname, 3)                                                                           \
	X(__isoc99_scanf, scanf, 1)                                                                                    \
	X(__isoc23_scanf, scanf, 1)                                                                                    \
	X(__isoc99_fscanf, fscanf, 2)                                                                                  \
	X(__isoc23_fscanf, fscanf, 2)                                                                                  \
	X(__isoc99_sscanf, sscanf, 2)                                                                                  \
	X(__isoc23_sscanf, sscanf, 2)                                                                                  \
	X(__isoc99_vscanf, vscanf, 2)                                                                                  \
	X(__isoc23_vscanf, vscanf, 2)                                                                                  \
	X(__isoc99_vfscanf, vfscanf, 3)                                                                                \
	X(__isoc23_vfscanf, vfscanf, 3)                                                                                \
	X(__isoc99_vsscanf, vsscanf, 3)                                                                                \
	X(__isoc23_vsscanf, vsscanf, 3)                                                                                \
	X(__wmemcpy_chk, wmemcpy, 4)                                                                                   \
	X(__wmemmove_chk, wmemmove, 4)                                                                                 \
	X(__wmemset_chk, wmemset, 4)                                                                                   \
	X(__wcscpy_chk, wcscpy, 3)                                                                                     \
	X(__wcsncpy_chk, wcsncpy, 4)                                                                                   \
	X(__wcscat_chk, wcscat, 3)                                                                                     \
	X(__wcsncat_chk, wcsncat, 4)                                                                                   \
	X(getrlimit64, getrlimit, 2)                                                                                   \
	X(setrlimit64, setrlimit, 2)
/* clang-format on */

enum libcall_id {
#define X(name, params, ...) LIBCALL_##name,
	OMEN_LIBCALLS(X)
#undef X
	        LIBCALLS
};

static const struct libcall libcalls[] = {
#define X(name, params, ...) {#name, params, {__VA_ARGS__}},
        OMEN_LIBCALLS(X)
#undef X
};

/* Does the kernel follow the function's pointers? */
static inline int libcall_is_of_kernel(uint32_t id)
{
	switch (id) {
#define X(name, params, ...) case LIBCALL_##name:
		OMEN_KERNEL_LIBCALLS(X)
#undef X
		return 1;
	default:
		return 0;
	}
}

static inline int libcall_is_of_streams(uint32_t id)
{
	switch (id) {
#define X(name) case LIBCALL_##name:
		OMEN_LIBCALL_STREAMS(X)
#undef X
		return 1;
	default:
		return 0;
	}
}

/* Which arguments the effects use: bit n is argument n.  The hooks get these in their order, and 0 for the rest. */
static inline uint32_t libcall_arguments(const struct libcall *row)
{
	static const uint8_t operands[] = {
#define X(rule, arguments) arguments,
	        OMEN_LIBCALL_RULES(X)
#undef X
	};
	uint32_t mask = 0;

	for (const struct libcall_effect *e = row->effects; e < row->effects + LIBCALL_EFFECTS && e->moment; e++) {
		mask |= e->pointer == THE_RESULT ? 0 : 1u << e->pointer;
		if (operands[e->rule] > 0)
			mask |= 1u << e->operand[0];
		if (operands[e->rule] > 1)
			mask |= 1u << e->operand[1];
	}
	return mask;
}

static inline int libcall_has(const struct libcall *row, enum libcall_moment moment)
{
	for (const struct libcall_effect *e = row->effects; e < row->effects + LIBCALL_EFFECTS && e->moment; e++)
		if (e->moment == moment)
			return 1;
	return 0;
}

#endif
