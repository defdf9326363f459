/*
 * The walk over calls of library functions whose accesses are known (abi/library_calls.h): a hook before a call counts
 * what the function reads and writes, one after it what only the result tells.
 *
 * A call counts if it is direct, if the module declares the function and does not define it, and if the parameters are
 * those of the row. -fno-builtin changes nothing: it limits what the compiler may assume, but the function is still
 * libc's.
 */
#include "cc/pass.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "abi/library_calls.h"
#include "abi/scanf_format.h"

struct known_function {
	const char *text;
	uint32_t id;
	unsigned params;
};

static int by_text(const void *a, const void *b)
{
	const struct known_function *x = a, *y = b;
	return strcmp(x->text, y->text);
}

static const struct known_function *find_known_function(const char *text)
{
	static struct known_function names[] = {
#define X(name, params, ...) {#name, LIBCALL_##name, params},
	        OMEN_LIBCALLS(X)
#undef X
#define X(name, row, params) {#name, LIBCALL_##row, params},
	                OMEN_LIBCALL_ALIASES(X)
#undef X
	};
	static const size_t n = sizeof(names) / sizeof(*names);
	static bool sorted;

	if (!sorted)
		qsort(names, n, sizeof(*names), by_text);
	sorted = true;
	return bsearch(&(struct known_function){text, 0, 0}, names, n, sizeof(*names), by_text);
}

static bool is_pointer(LLVMValueRef value)
{
	return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind &&
	       !LLVMGetPointerAddressSpace(LLVMTypeOf(value));
}

static bool is_number(LLVMValueRef value)
{
	return is_pointer(value) || (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind &&
	                             LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64);
}

static LLVMValueRef pointer_of(LLVMValueRef call, const struct libcall_effect *e)
{
	return e->pointer == THE_RESULT ? call : LLVMGetOperand(call, e->pointer);
}

/*
 * Whether the call has the arguments that the row needs. A declaration without a prototype takes any arguments, so the
 * arguments of the call decide.
 */
static bool matches_row(LLVMValueRef call, const struct known_function *known)
{
	const struct libcall *row = &libcalls[known->id];
	unsigned n = LLVMGetNumArgOperands(call);
	uint32_t used = libcall_arguments(row);

	if (n < known->params || (n > known->params && !LLVMIsFunctionVarArg(LLVMGetCalledFunctionType(call))))
		return false;
	for (unsigned i = 0; i < known->params; i++)
		if (used >> i & 1 && !is_number(LLVMGetOperand(call, i)))
			return false;
	for (unsigned i = 0; i < LIBCALL_EFFECTS && row->effects[i].moment; i++)
		if (row->effects[i].rule != RULE_DESCRIPTOR && !is_pointer(pointer_of(call, &row->effects[i])))
			return false;
	return !libcall_has(row, MOMENT_AFTER) || is_number(call);
}

static const struct known_function *library_call(LLVMValueRef in)
{
	LLVMValueRef callee = called_function(in);

	if (!callee || !LLVMIsDeclaration(callee) || LLVMGetIntrinsicID(callee))
		return NULL;

	const char *text = LLVMGetValueName(callee);
	const struct known_function *known = find_known_function(text[0] == '\1' ? text + 1 : text);
	return known && matches_row(in, known) ? known : NULL;
}

/* Most format strings are constant: nobody writes to them. */
static bool is_constant(LLVMValueRef pointer)
{
	LLVMValueRef global = LLVMIsAGlobalVariable(pointer);
	return LLVMIsAConstantPointerNull(pointer) || (global && LLVMIsGlobalConstant(global));
}

static bool touches_memory(LLVMValueRef call, const struct libcall *row)
{
	for (unsigned i = 0; i < LIBCALL_EFFECTS && row->effects[i].moment; i++)
		if (row->effects[i].rule == RULE_DESCRIPTOR || !is_constant(pointer_of(call, &row->effects[i])))
			return true;
	return false;
}

static LLVMValueRef as_number(struct pass *p, LLVMValueRef value)
{
	if (is_pointer(value))
		return LLVMBuildPtrToInt(p->builder, value, p->i64, "");
	return LLVMBuildIntCast2(p->builder, value, p->i64, true, "");
}

static size_t pass_arguments(struct pass *p, LLVMValueRef call, const struct libcall *row, LLVMValueRef *args)
{
	uint32_t used = libcall_arguments(row);
	size_t n = 0;

	for (unsigned i = 0; used >> i; i++)
		if (used >> i & 1)
			args[n++] = as_number(p, LLVMGetOperand(call, i));
	while (n < LIBCALL_ARGUMENTS)
		args[n++] = constant(p->i64, 0);
	return n;
}

/* ---- the strings that a constant format asks for ---- */

/*
 * The format string; NULL if there is none or it is not constant. The format is the last parameter before the variable
 * ones.
 */
static const char *constant_format(LLVMValueRef call, const struct known_function *known)
{
	const struct libcall_effect *e = libcalls[known->id].effects;
	LLVMValueRef format, text;
	size_t n;

	if (!LLVMIsFunctionVarArg(LLVMGetCalledFunctionType(call)) || e->rule != RULE_STRING ||
	    e->pointer != known->params - 1)
		return NULL;
	format = LLVMIsAGlobalVariable(LLVMGetOperand(call, e->pointer));
	if (!format || !LLVMIsGlobalConstant(format) || !(text = LLVMGetInitializer(format)))
		return NULL;
	if (LLVMIsNull(text)) /* LLVM does not treat an empty string as a string */
		return "";
	/* not a string that has no NUL at its end, or one in the middle */
	const char *s = LLVMIsAConstantDataArray(text) && LLVMIsConstantString(text) ? LLVMGetAsString(text, &n) : NULL;
	return s && n && strnlen(s, n) == n - 1 ? s : NULL;
}

struct conversion {
	char letter;
	bool is_long;
	int stars;          /* number of arguments that * takes */
	bool has_precision; /* given by the last * or by `precision` */
	bool precision_is_star;
	long precision;
};

/* Reads a conversion after its %; NULL where arguments are numbered. */
static const char *read_conversion(const char *s, struct conversion *c)
{
	*c = (struct conversion){0};
	s += strspn(s, "-+ #0'I");
	c->stars = *s == '*';
	s += *s == '*' ? 1 : strspn(s, "0123456789");
	if (*s == '$')
		return NULL;
	if (*s == '.') {
		c->has_precision = true;
		c->precision_is_star = *++s == '*';
		c->stars += c->precision_is_star;
		c->precision = strtol(s, NULL, 10);
		s += c->precision_is_star ? 1 : strspn(s, "0123456789");
	}
	size_t length = strspn(s, "hlqLjztZ");
	c->is_long = length && *s == 'l';
	s += length;
	c->letter = *s;
	return *s ? s + 1 : NULL;
}

static void hook_string(struct pass *p, LLVMValueRef call, unsigned i, const struct conversion *c, LLVMValueRef at)
{
	LLVMValueRef string = LLVMGetOperand(call, i), none = constant(p->i64, 0);
	LLVMValueRef limit = constant(p->i64, c->has_precision ? (unsigned long long)c->precision : -1ull);

	if (!is_pointer(string) || is_constant(string) ||
	    (c->precision_is_star && !is_number(LLVMGetOperand(call, i - 1))))
		return;
	insert_before(p, call);
	if (c->precision_is_star) /* a negative precision is no limit */
		limit = as_number(p, LLVMGetOperand(call, i - 1));
	string = as_number(p, string);
	insert_call(p, "omen_inline_libcall_before", p->none,
	            ARGUMENTS(constant(p->i32, LIBCALL_strnlen), string, limit, none, none, none, at));
}

static bool is_scan(const struct known_function *known)
{
	return known->id == LIBCALL_scanf || known->id == LIBCALL_fscanf || known->id == LIBCALL_sscanf;
}

static void hook_strings(struct pass *p, LLVMValueRef call, const struct known_function *known)
{
	const char *s = is_scan(known) ? NULL : constant_format(call, known);
	unsigned i = known->params, n = LLVMGetNumArgOperands(call);
	struct conversion c;

	while (s && (s = strchr(s, '%')) && (s = read_conversion(s + 1, &c))) {
		i += c.stars;
		if (c.letter == 's' && !c.is_long && i < n)
			hook_string(p, call, i, &c, site(p, call, OMEN_SITE_CALL, 0));
		i += c.letter != '%' && c.letter != 'm';
	}
}

/* ---- variables that arguments point into ---- */

#define OBJECTS_ARGUMENTS (4 * LIBCALL_OBJECTS)

static size_t add_objects(struct pass *p, LLVMValueRef call, const struct libcall *row, LLVMValueRef *args, size_t n)
{
	size_t end = n + OBJECTS_ARGUMENTS, first = n;
	struct object o;

	for (unsigned i = 0; i < row->params && n < end; i++) {
		bool used = false;
		for (unsigned k = 0; k < LIBCALL_EFFECTS && row->effects[k].moment; k++)
			used |= row->effects[k].pointer == i && row->effects[k].rule != RULE_DESCRIPTOR;
		/* the hook finds out the size */
		if (!used || !find_object(p, LLVMGetOperand(call, i), LLVMGetUndef(p->i64), &o))
			continue;
		args[n++] = constant(p->i32, i);
		args[n++] = o.offset;
		args[n++] = o.extent;
		args[n++] = constant(p->i32, o.is_global ? OMEN_OBJECT_GLOBAL : 0);
	}
	while (n > first && n < end) { /* with only one variable, it is passed twice */
		args[n] = args[n - 4];
		n++;
	}
	return n;
}

/* ---- the hooks ---- */

static void hook_before(struct pass *p, LLVMValueRef call, uint32_t id, LLVMValueRef at)
{
	LLVMValueRef args[LIBCALL_ARGUMENTS + 2 + OBJECTS_ARGUMENTS] = {constant(p->i32, id)};
	size_t n = 1, all;

	insert_before(p, call);
	n += pass_arguments(p, call, &libcalls[id], args + n);
	args[n++] = at;
	all = add_objects(p, call, &libcalls[id], args, n);
	insert_call(p, all > n ? "omen_inline_libcall_before_in" : "omen_inline_libcall_before", p->none, args, all);
}

static void hook_after(struct pass *p, LLVMValueRef call, uint32_t id, LLVMValueRef at)
{
	LLVMValueRef args[LIBCALL_ARGUMENTS + 3 + OBJECTS_ARGUMENTS] = {constant(p->i32, id)};
	size_t n = 1, all;

	if (!insert_with_result(p, call))
		return;
	args[n++] = as_number(p, call);
	n += pass_arguments(p, call, &libcalls[id], args + n);
	args[n++] = at;
	all = add_objects(p, call, &libcalls[id], args, n);
	insert_call(p, all > n ? "omen_inline_libcall_after_in" : "omen_inline_libcall_after", p->none, args, all);
}

/* The hooks for the bytes that a conversion of scanf() writes. */
static void hook_scan(struct pass *p, LLVMValueRef call, LLVMValueRef to, const struct scan *s, LLVMValueRef at)
{
	LLVMValueRef id = constant(p->i32, LIBCALL_omen_scanned), none = constant(p->i64, 0);
	LLVMValueRef result = constant(p->i64, s->result), bytes = constant(p->i64, s->bytes);

	insert_before(p, call);
	LLVMValueRef address = as_number(p, to);
	insert_call(p, "omen_inline_libcall_before", p->none, ARGUMENTS(id, address, result, bytes, none, none, at));
	if (!insert_with_result(p, call))
		return;
	LLVMValueRef made = as_number(p, call);
	insert_call(p, "omen_inline_libcall_after", p->none,
	            ARGUMENTS(id, made, address, result, bytes, none, none, at));
}

static void hook_scans(struct pass *p, LLVMValueRef call, const struct known_function *known)
{
	const char *format = is_scan(known) ? constant_format(call, known) : NULL;
	unsigned n = LLVMGetNumArgOperands(call);
	struct scan s = {0};

	for (unsigned i = known->params; format && (format = scan_next(format, &s)) && i < n; i++) {
		LLVMValueRef to = LLVMGetOperand(call, i);
		if (!s.in_doubt && is_pointer(to) && is_number(call))
			hook_scan(p, call, to, &s, site(p, call, OMEN_SITE_CALL, 0));
	}
}

/* A call on a stream that touches no memory that others write to, but that the runtime must know of. */
static void hook_stream(struct pass *p, LLVMValueRef call, uint32_t id)
{
	LLVMValueRef at = site(p, call, OMEN_SITE_CALL, 0), none = constant(p->i64, 0);

	insert_before(p, call);
	insert_call(p, "omen_inline_libcall_before", p->none,
	            ARGUMENTS(constant(p->i32, id), none, none, none, none, none, at));
}

void walk_libcalls(struct pass *p, LLVMValueRef function)
{
	struct instructions all = instructions_of(function);

	for (size_t i = 0; i < all.n; i++) {
		const struct known_function *known = library_call(all.at[i]);
		if (!known)
			continue;
		if (libcall_is_of_streams(known->id))
			hook_stream_point(p, all.at[i], true);
		hook_strings(p, all.at[i], known);
		hook_scans(p, all.at[i], known);
		if (!touches_memory(all.at[i], &libcalls[known->id])) {
			if (libcall_is_of_streams(known->id))
				hook_stream(p, all.at[i], known->id);
			continue;
		}
		LLVMValueRef at = site(p, all.at[i], OMEN_SITE_CALL, 0);
		/* also for a function that only writes after the call: it must stop before a violation */
		hook_before(p, all.at[i], known->id, at);
		if (libcall_has(&libcalls[known->id], MOMENT_AFTER))
			hook_after(p, all.at[i], known->id, at);
	}
	free(all.at);
}

/* ---- no row uses more arguments than the hooks have ---- */

enum {
#define X(rule, arguments) OPERANDS_##rule = arguments,
	OMEN_LIBCALL_RULES(X)
#undef X
};

/* The arguments of one effect, as bits: as libcall_arguments() finds them, but constant. */
#undef EFFECT
#define EFFECT(moment, write, pointer, rule, ...) USED(pointer, OPERANDS_##rule, ##__VA_ARGS__, 0, 0)
#define USED(pointer, operands, a, b, ...)                                                                             \
	((1 << (pointer) & ~(1 << THE_RESULT)) | ((operands) > 0) << ((a) & 7) | ((operands) > 1) << ((b) & 7))
#define ALL_USED(none, a, b, c, d, e, f, ...) ((a) | (b) | (c) | (d) | (e) | (f))

#define X(name, params, ...)                                                                                           \
	_Static_assert(__builtin_popcount(ALL_USED(0, ##__VA_ARGS__, 0, 0, 0, 0, 0, 0)) <= LIBCALL_ARGUMENTS,          \
	               "the effects of " #name " use too many arguments");
OMEN_LIBCALLS(X)
#undef X
