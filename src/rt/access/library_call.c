/*
 * Library calls of instrumented code: their hooks go through the function's row (library_calls.h) and count its
 * accesses.
 *
 * A rule says how many bytes are accessed from the effect's pointer on.  A rule whose bytes lie elsewhere, or in
 * several places, counts them itself and returns 0.
 */
#include "abi/library_calls.h"

#include <ctype.h>
#include <poll.h>
#include <stdarg.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <wchar.h>

#include "rt/memory/memory_check.h"
#include "rt/core/op.h"
#include "rt/access/access_point.h"
#include "rt/core/descriptor_object.h"
#include "rt/shadow/cells.h"
#include "abi/scanf_format.h"
#include "rt/shadow/race_check.h"
#include "rt/memory/wild_pointer.h"

/* A variable that an argument points into. */
struct object {
	uint32_t argument, what;
	int64_t offset;
	size_t extent;
};

/* Variables that were noted right before the hook of the call; that hook takes them. */
static struct {
	struct object object[LIBCALL_OBJECTS];
	uint32_t n;
} told;

struct call {
	const struct libcall *row;
	const struct omen_site *site;
	int64_t result;
	uint64_t argument[8];
	struct object object[LIBCALL_OBJECTS];
	uint32_t nobjects;
};

static size_t at_most(size_t a, size_t b) { return a < b ? a : b; }

/* Are the accessed bytes at the argument itself, and not at a pointer stored there? */
static bool is_direct(enum libcall_rule rule)
{
	switch (rule) {
	case RULE_IOVECS:
	case RULE_IOVECS_RESULT:
	case RULE_LINE:
	case RULE_TOKEN:
	case RULE_PIECE:
	case RULE_MESSAGE:
	case RULE_MESSAGE_ASKED:
	case RULE_MESSAGE_GOT:
	case RULE_OWN_TOKEN:
	case RULE_SCANNED_LIST:
		return false;
	default:
		return true;
	}
}

static void check_object(const struct call *c, const struct libcall_effect *e, const void *address, size_t size)
{
	for (uint32_t i = 0; i < c->nobjects; i++) {
		const struct object *o = &c->object[i];
		int64_t beyond = (int64_t)((uint64_t)address - c->argument[e->pointer]);
		if (o->argument == e->pointer && is_direct(e->rule))
			memory_variable((uint64_t)address, o->offset + beyond, size, o->extent,
			                o->what | (e->write ? OMEN_OBJECT_WRITE : 0));
	}
}

static bool is_kernels(const struct call *c) { return libcall_is_of_kernel((uint32_t)(c->row - libcalls)); }

/* Does the memory itself say how much is read?  Then the pointer must be checked first. */
static bool is_followed(enum libcall_rule rule)
{
	return rule == RULE_STRING || rule == RULE_IOVECS || rule == RULE_POLL_ASKED || rule == RULE_MESSAGE ||
	       rule == RULE_MESSAGE_ASKED;
}

static void count(const struct call *c, const struct libcall_effect *e, const void *address, size_t size)
{
	if (!address || !size)
		return;
	if (!is_kernels(c))
		wild_access(address, size);
	if (!cells_are_of_all((uint64_t)address, (uint64_t)address + size - 1))
		return; /* the call itself will fault */
	if (!access_ignored(e->write) && e->write) {
		shadow_range_write((void *)address, size, c->site);
		access_wrote(address);
	} else if (!access_ignored(e->write)) {
		shadow_range_read(address, size, c->site);
	}
	if (e->rule == RULE_DESCRIPTOR) {
		if (e->write && mode_is(DETECT)) /* another descriptor may get the same number */
			shadow_clear((uint64_t)address, size);
		return;
	}
	if (e->rule == RULE_LENGTH_IF_OK) /* the length may be larger than what fitted */
		return;
	memory_access(address, size, e->write ? ACCESS_WRITE : 0, c->site);
	check_object(c, e, address, size);
}

/* ---- the rules ---- */

#define MOST_LATE 4096 /* bytes, if the size is unknown */
#define A         (c->argument[e->operand[0]])
#define B         (c->argument[e->operand[1]])
#define AS_STRING (const char *)

/* Every rule gets the whole call, although it needs only a part of it. */
#define RULE(name)                                                                                                     \
	static size_t rule_##name(const struct call *c __attribute__((unused)),                                        \
	                          const struct libcall_effect *e __attribute__((unused)),                              \
	                          const char *p __attribute__((unused)))

RULE(BYTES) { return e->operand[0]; }
RULE(DESCRIPTOR) { return sizeof(*omen_descriptor); }
RULE(ARG) { return A; }
RULE(TIMES) { return A * e->operand[1]; }
RULE(PRODUCT) { return A * B; }
RULE(BITS) { return (int64_t)A > 0 ? (A + 63) / 64 * 8 : 0; }
RULE(STRING) { return strlen(p) + 1; }
RULE(STRING_UPTO) { return at_most(strnlen(p, A) + 1, A); }
RULE(STRING_OF) { return A ? strlen(AS_STRING A) + 1 : 0; }
RULE(WIDE_STRING) { return (wcslen((const wchar_t *)p) + 1) * sizeof(wchar_t); }
RULE(CHARACTER) { return strchrnul(p, (int)A) - p + 1; }
RULE(SPAN) { return A ? strspn(p, AS_STRING A) + 1 : 0; }
RULE(SPAN_NOT) { return A ? strcspn(p, AS_STRING A) + 1 : 0; }

RULE(FIRST_BYTE)
{
	const char *found = memchr(p, (int)A, B);
	return found ? (size_t)(found - p + 1) : B;
}

static size_t search(const char *p, const char *found, const char *what)
{
	return found ? found - p + strlen(what) : strlen(p) + 1;
}

RULE(SEARCH) { return A ? search(p, strstr(p, AS_STRING A), AS_STRING A) : 0; }
RULE(SEARCH_CASELESS) { return A ? search(p, strcasestr(p, AS_STRING A), AS_STRING A) : 0; }

RULE(SEARCH_BYTES)
{
	size_t length = c->argument[e->operand[1] + 1];
	const char *found = B ? memmem(p, A, (const void *)B, length) : NULL;

	return found ? found - p + length : A;
}

static int folded(char ch, bool caseless) { return caseless ? tolower((unsigned char)ch) : ch; }

static size_t common(const char *p, const char *q, size_t limit, bool caseless)
{
	size_t i = 0;

	if (!q || !limit)
		return 0;
	while (i < limit - 1 && p[i] && folded(p[i], caseless) == folded(q[i], caseless))
		i++;
	return i + 1;
}

RULE(COMMON) { return common(p, AS_STRING A, SIZE_MAX, false); }
RULE(COMMON_UPTO) { return common(p, AS_STRING A, B, false); }
RULE(CASELESS) { return common(p, AS_STRING A, SIZE_MAX, true); }
RULE(CASELESS_UPTO) { return common(p, AS_STRING A, B, true); }

RULE(APPEND)
{
	if (A)
		count(c, e, p + strlen(p), strlen(AS_STRING A) + 1);
	return 0;
}

RULE(APPEND_UPTO)
{
	if (A)
		count(c, e, p + strlen(p), strnlen(AS_STRING A, B) + 1);
	return 0;
}

static size_t before_digits(const char *s)
{
	size_t i = strspn(s, " \t\n\v\f\r");
	return i + (s[i] == '+' || s[i] == '-');
}

static unsigned digit(char ch)
{
	if (ch >= '0' && ch <= '9')
		return ch - '0';
	return (ch | 32) >= 'a' && (ch | 32) <= 'z' ? (ch | 32) - 'a' + 10 : 99;
}

static size_t integer(const char *s, unsigned base)
{
	size_t i = before_digits(s);

	if ((base == 0 || base == 16) && s[i] == '0' && (s[i + 1] | 32) == 'x' && digit(s[i + 2]) < 16) {
		i += 2;
		base = 16;
	}
	if (base == 0)
		base = s[i] == '0' ? 8 : 10;
	while (digit(s[i]) < base)
		i++;
	return i + 1;
}

RULE(INTEGER) { return integer(p, A); }
RULE(DECIMAL) { return integer(p, 10); }

RULE(FLOATING)
{
	size_t i = before_digits(p);
	return i + strspn(p + i, ".0123456789") + 1;
}

RULE(POLL_ASKED)
{
	const struct pollfd *fds = (const struct pollfd *)p;

	for (size_t i = 0; i < A; i++)
		count(c, e, &fds[i], offsetof(struct pollfd, revents));
	return 0;
}

static void count_vectors(const struct call *c, const struct libcall_effect *e, const struct iovec *v, size_t n,
                          size_t limit)
{
	for (size_t i = 0; v && (int64_t)n > 0 && i < n && limit; i++) {
		size_t size = at_most(v[i].iov_len, limit);
		count(c, e, v[i].iov_base, size);
		limit -= size;
	}
}

RULE(IOVECS)
{
	count_vectors(c, e, (const struct iovec *)p, A, SIZE_MAX);
	return 0;
}

RULE(MESSAGE_ASKED)
{
	const struct msghdr *m = (const struct msghdr *)p;

	count(c, e, m->msg_iov, m->msg_iovlen * sizeof(*m->msg_iov));
	return 0;
}

RULE(MESSAGE)
{
	const struct msghdr *m = (const struct msghdr *)p;

	rule_MESSAGE_ASKED(c, e, p);
	count(c, e, m->msg_name, m->msg_namelen);
	if (!m->msg_iov || wild_is_readable(m->msg_iov))
		count_vectors(c, e, m->msg_iov, m->msg_iovlen, SIZE_MAX);
	count(c, e, m->msg_control, m->msg_controllen);
	return 0;
}

/* The name may not have fitted, although the message gives its length; so it does not count. */
RULE(MESSAGE_GOT)
{
	const struct msghdr *m = (const struct msghdr *)p;

	if (c->result < 0)
		return 0;
	count_vectors(c, e, m->msg_iov, m->msg_iovlen, c->result);
	count(c, e, m->msg_control, m->msg_controllen);
	count(c, e, &m->msg_namelen, sizeof(m->msg_namelen));
	count(c, e, &m->msg_controllen, sizeof(m->msg_controllen));
	count(c, e, &m->msg_flags, sizeof(m->msg_flags));
	return 0;
}

/* The white space that the first conversion skips, and the character after it. */
RULE(SCANNED_TEXT)
{
	const char *format = AS_STRING A;
	bool skips = format && strchr(" \t\n\v\f\r", *format);

	if (!format || !*format)
		return 0;
	if (*format == '%') {
		const char *at = format + 1 + strspn(format + 1, "*'I0123456789mhlqLjztZ");
		skips = *at && !strchr("c[Cn", *at);
	}
	return (skips ? strspn(p, " \t\n\v\f\r") : 0) + 1;
}

RULE(IF_OK) { return c->result >= 0 ? e->operand[0] : 0; }
RULE(IF_POSITIVE) { return c->result > 0 ? e->operand[0] : 0; }
RULE(IF_POINTER) { return c->result ? e->operand[0] : 0; }
RULE(RESULT_UPTO) { return c->result > 0 ? at_most(c->result, A) : 0; }
RULE(RESULT_TIMES) { return c->result > 0 ? c->result * e->operand[0] : 0; }
RULE(RESULT_PRODUCT) { return c->result > 0 ? c->result * A : 0; }
RULE(RESULT_TEXT) { return c->result >= 0 ? c->result + 1 : 0; }
RULE(RESULT_TEXT_IN) { return c->result >= 0 ? at_most(c->result + 1, A) : 0; }
RULE(RESULT_TIME) { return c->result > 0 ? c->result + 1 : 0; }
RULE(TEXT_IF_OK) { return c->result >= 0 ? strlen(p) + 1 : 0; }
RULE(TEXT_IF_POINTER) { return c->result ? strlen(p) + 1 : 0; }
RULE(BITS_IF_OK) { return c->result >= 0 ? rule_BITS(c, e, p) : 0; }
RULE(ADDRESS) { return c->result == 1 ? (A == AF_INET ? 4 : 16) : 0; }

/* The length is that of the whole address, which may not have fitted; no address is longer than the storage. */
RULE(LENGTH_IF_OK) { return c->result >= 0 && A ? at_most(*(const socklen_t *)A, sizeof(struct sockaddr_storage)) : 0; }

RULE(LINE)
{
	if (c->result >= 0)
		count(c, e, *(char *const *)p, c->result + 1);
	return 0;
}

RULE(POLL_GOT)
{
	const struct pollfd *fds = (const struct pollfd *)p;

	for (size_t i = 0; c->result >= 0 && i < A; i++)
		count(c, e, &fds[i].revents, sizeof(fds[i].revents));
	return 0;
}

RULE(IOVECS_RESULT)
{
	if (c->result > 0)
		count_vectors(c, e, (const struct iovec *)p, A, c->result);
	return 0;
}

/*
 * strtok() and similar functions read a token up to and including the character that ended it.  They overwrote that
 * character if the rest begins right behind it.
 */
static void count_token(const struct call *c, const struct libcall_effect *e, const char *rest)
{
	const char *token = AS_STRING c->result;

	if (!token)
		return;
	size_t length = strlen(token);
	if (!e->write)
		count(c, e, token, length + 1);
	else if (rest == token + length + 1)
		count(c, e, token + length, 1);
}

RULE(TOKEN)
{
	count_token(c, e, *(char *const *)p);
	return 0;
}

/* strsep() also sets the pointer that it was given, unless there was no string left. */
RULE(PIECE)
{
	if (e->write && c->result)
		count(c, e, p, sizeof(char *));
	count_token(c, e, *(char *const *)p);
	return 0;
}

/* strtok() is strtok_r() with a variable of its own, whose address the first instruction takes.  NULL: it does not. */
static char *const *strtok_state(void)
{
	static const uint8_t branch_target[] = {0xf3, 0x0f, 0x1e, 0xfa}, lea_third[] = {0x48, 0x8d, 0x15};
	const uint8_t *at = (const uint8_t *)strtok;
	int32_t distance;

	if (!memcmp(at, branch_target, sizeof(branch_target)))
		at += sizeof(branch_target);
	if (memcmp(at, lea_third, sizeof(lea_third)))
		return NULL;
	memcpy(&distance, at + sizeof(lea_third), sizeof(distance));
	return (char *const *)(at + sizeof(lea_third) + sizeof(distance) + distance);
}

RULE(OWN_TOKEN)
{
	char *const *rest = strtok_state();

	if (rest && e->write)
		count(c, e, rest, sizeof(*rest));
	if (rest)
		count_token(c, e, *rest);
	return 0;
}

RULE(RETURNED) { return AS_STRING c->result == p ? strlen(p) + 1 : 0; }

static size_t scanned_size(const void *p, size_t bytes)
{
	if (bytes == SCAN_STRING)
		return strlen(p) + 1;
	return bytes == SCAN_WIDE_STRING ? (wcslen(p) + 1) * sizeof(wchar_t) : bytes;
}

RULE(SCANNED) { return c->result >= (int64_t)A && c->result >= 0 ? scanned_size(p, B) : 0; }

/* The C library works on a copy of the list, so this function does too. */
RULE(SCANNED_LIST)
{
	const char *format = AS_STRING A;
	struct scan scan = {0};
	va_list list;

	va_copy(list, *(va_list *)p);
	while (c->result >= 0 && format && (format = scan_next(format, &scan)) && scan.result <= c->result) {
		const void *to = va_arg(list, const void *);
		if (to && !scan.in_doubt)
			count(c, e, to, scanned_size(to, scan.bytes));
	}
	va_end(list);
	return 0;
}

/* ---- the rules of wide strings ---- */

#define AS_WIDE (const wchar_t *)
#define WIDE(n) ((n) * sizeof(wchar_t))

RULE(WIDE_UPTO) { return WIDE(at_most(wcsnlen(AS_WIDE p, A) + 1, A)); }
RULE(WIDE_STRING_OF) { return A ? WIDE(wcslen(AS_WIDE A) + 1) : 0; }
RULE(WIDE_SPAN) { return A ? WIDE(wcsspn(AS_WIDE p, AS_WIDE A) + 1) : 0; }
RULE(WIDE_SPAN_NOT) { return A ? WIDE(wcscspn(AS_WIDE p, AS_WIDE A) + 1) : 0; }
RULE(WIDE_RESULT_TEXT) { return c->result >= 0 ? WIDE(c->result + 1) : 0; }

RULE(WIDE_APPEND)
{
	if (A)
		count(c, e, AS_WIDE p + wcslen(AS_WIDE p), WIDE(wcslen(AS_WIDE A) + 1));
	return 0;
}

RULE(WIDE_APPEND_UPTO)
{
	if (A)
		count(c, e, AS_WIDE p + wcslen(AS_WIDE p), WIDE(wcsnlen(AS_WIDE A, B) + 1));
	return 0;
}

static size_t wide_common(const wchar_t *p, const wchar_t *q, size_t limit)
{
	size_t i = 0;

	if (!q || !limit)
		return 0;
	while (i < limit - 1 && p[i] && p[i] == q[i])
		i++;
	return WIDE(i + 1);
}

RULE(WIDE_COMMON) { return wide_common(AS_WIDE p, AS_WIDE A, SIZE_MAX); }
RULE(WIDE_COMMON_UPTO) { return wide_common(AS_WIDE p, AS_WIDE A, B); }

RULE(WIDE_CHARACTER)
{
	const wchar_t *found = wcschr(AS_WIDE p, (wchar_t)A);
	return WIDE((found ? (size_t)(found - AS_WIDE p) : wcslen(AS_WIDE p)) + 1);
}

RULE(WIDE_FIRST)
{
	const wchar_t *found = wmemchr(AS_WIDE p, (wchar_t)A, B);
	return WIDE(found ? (size_t)(found - AS_WIDE p + 1) : B);
}

RULE(WIDE_SEARCH)
{
	const wchar_t *found = A ? wcsstr(AS_WIDE p, AS_WIDE A) : NULL;

	if (!A)
		return 0;
	return WIDE(found ? found - AS_WIDE p + wcslen(AS_WIDE A) : wcslen(AS_WIDE p) + 1);
}

static size_t (*const rules[])(const struct call *, const struct libcall_effect *, const char *) = {
#define X(rule, arguments) rule_##rule,
        OMEN_LIBCALL_RULES(X)
#undef X
};

/* ---- the hooks ---- */

static struct call make_call(uint32_t id, int64_t result, const uint64_t *given, const struct omen_site *site)
{
	struct call c = {.row = &libcalls[id], .site = site, .result = result, .nobjects = told.n};
	uint32_t used = libcall_arguments(c.row);

	memcpy(c.object, told.object, sizeof(c.object));
	told.n = 0;
	for (unsigned i = 0; used >> i; i++)
		if (used >> i & 1)
			c.argument[i] = *given++;
	for (const struct libcall_effect *e = c.row->effects; e->rule == RULE_DESCRIPTOR && e->moment; e++)
		c.argument[e->pointer] = (uint64_t)descriptor_of((int)c.argument[e->pointer]);
	c.argument[THE_RESULT] = (uint64_t)result;
	return c;
}

static void count_effects(const struct call *c, enum libcall_moment moment)
{
	for (unsigned i = 0; i < LIBCALL_EFFECTS && c->row->effects[i].moment; i++) {
		const struct libcall_effect *e = &c->row->effects[i];
		const char *p = AS_STRING c->argument[e->pointer];
		if (!p || e->moment != moment || (is_followed(e->rule) && is_kernels(c) && !wild_is_readable(p)))
			continue;
		if (is_followed(e->rule) && !is_kernels(c))
			wild_access(p, 1);
		count(c, e, p, rules[e->rule](c, e, p));
	}
}

/* A format can make the call follow pointers.  The row does not say what the call reads there. */
static void note_formatted(const struct call *c)
{
	const char *p = strstr(c->row->name, "printf") || strstr(c->row->name, "syslog")
	                        ? AS_STRING c->argument[c->row->effects[0].pointer]
	                        : NULL;

	/* the pass has handled formats that are constant */
	while (p && (p = strchr(p, '%'))) {
		p += 1 + strspn(p + 1, "-+ #0123456789.*'hlqjztL$");
		if (*p == 's' || *p == 'n' || *p == 'm')
			OP(OUTSIDE, .value = *p != 's', .flags = OP_ANY);
		p += *p != 0;
	}
}

/* One point for each call.  After it no other fiber runs until the call itself has a point. */
static void call_point(const struct call *c)
{
	if (unlikely(mode_is(STEPS))) {
		access_point(c->row, where_site(c->site));
		OP(CALL, .value = true);
		note_formatted(c);
		if (libcall_is_of_streams((uint32_t)(c->row - libcalls))) {
			OP(STREAM);
			omen.current->announced = true;
		}
		return;
	}
	for (unsigned i = 0; i < LIBCALL_EFFECTS && c->row->effects[i].moment; i++) {
		const void *p = (const void *)c->argument[c->row->effects[i].pointer];
		if (p && !on_own_stack(p)) { /* the result is not known yet */
			access_point(p, where_site(c->site));
			return;
		}
	}
}

static bool counts(void) { return (mode_is(DETECT) || mode_is(CHECK)) && !omen.off; }

EXPORT OMEN_SLOW void omen_slow_libcall_object(uint32_t argument, int64_t offset, size_t extent, uint32_t what)
{
	if (mode_is(CHECK) && told.n < LIBCALL_OBJECTS)
		told.object[told.n++] = (struct object){argument, what, offset, extent};
}

/* The most bytes that the call may write, where the row says so. */
static uint64_t most_late(const struct call *c, const struct libcall_effect *e)
{
	switch (e->rule) {
	case RULE_RESULT_TEXT_IN:
	case RULE_RESULT_UPTO:
		return A;
	case RULE_RESULT_PRODUCT:
		return A * B;
	case RULE_POLL_GOT:
		return A * sizeof(struct pollfd);
	case RULE_IF_OK:
	case RULE_IF_POSITIVE:
	case RULE_IF_POINTER:
		return e->operand[0];
	case RULE_STRING_UPTO:
		return A;
	case RULE_SCANNED:
		return B == SCAN_STRING || B == SCAN_WIDE_STRING ? MOST_LATE : B;
	case RULE_MESSAGE_GOT:
		return MSGHDR;
	default:
		return MOST_LATE;
	}
}

static void expect_vectors(const struct call *c, const struct iovec *v, size_t n)
{
	for (size_t i = 0; v && (int64_t)n > 0 && i < n; i++)
		OP(LATE_ACCESS, .object = v[i].iov_base, .size = v[i].iov_len, .site = c->site);
}

static void expect_message(const struct call *c, const struct msghdr *m)
{
	if (!m || !wild_is_readable(m) || (m->msg_iov && !wild_is_readable(m->msg_iov)))
		return;
	expect_vectors(c, m->msg_iov, m->msg_iovlen);
	OP(LATE_ACCESS, .object = m->msg_control, .size = m->msg_controllen, .site = c->site);
}

static void expect_late(const struct call *c)
{
	omen.current->calls++;
	for (unsigned i = 0; i < LIBCALL_EFFECTS && c->row->effects[i].moment; i++) {
		const struct libcall_effect *e = &c->row->effects[i];
		if (e->moment != MOMENT_AFTER || !e->write || e->pointer == THE_RESULT || e->rule == RULE_SCANNED_LIST)
			continue;
		if (e->rule == RULE_MESSAGE_GOT)
			expect_message(c, (const struct msghdr *)c->argument[e->pointer]);
		if (e->rule == RULE_IOVECS_RESULT)
			expect_vectors(c, (const struct iovec *)c->argument[e->pointer], A);
		else
			OP(LATE_ACCESS, .object = (const void *)c->argument[e->pointer], .size = most_late(c, e),
			   .site = c->site);
	}
}

EXPORT OMEN_SLOW void omen_slow_libcall_before(uint32_t id, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e,
                                               const struct omen_site *site)
{
	struct call call = make_call(id, 0, (uint64_t[]){a, b, c, d, e}, site);

	if (unlikely(omen.off & OFF_BEFORE))
		return;
	invariants_point();
	op_count();
	call_point(&call);
	if (counts())
		count_effects(&call, MOMENT_BEFORE);
	if (unlikely(mode_is(COUNT_TOUCHES)) && (mode_is(DETECT) || mode_is(PAST_RACE)) &&
	    !omen.off) /* accesses are numbered */
		expect_late(&call);
}

EXPORT OMEN_SLOW void omen_slow_libcall_after(uint32_t id, uint64_t result, uint64_t a, uint64_t b, uint64_t c,
                                              uint64_t d, uint64_t e, const struct omen_site *site)
{
	struct call call = make_call(id, (int64_t)result, (uint64_t[]){a, b, c, d, e}, site);

	mode_set(LATE, true);
	if (counts())
		count_effects(&call, MOMENT_AFTER);
	mode_set(LATE, false);
}
