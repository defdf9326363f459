/*
 * Calls of library functions whose accesses are known (abi/library_calls.h): a hook before them counts what they read
 * and write, one after them what only their result tells.
 *
 * Only a direct call counts, of a function that this module declares and does not define, with the parameters the row
 * expects.  -fno-builtin changes nothing: it speaks of what the compiler may assume, the function is still libc's.
 */
#include "cc/cc.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "abi/library_calls.h"
#include "abi/scanf_format.h"

struct name {
	const char *text;
	uint32_t id;
	unsigned params;
};

static int by_text(const void *a, const void *b)
{
	const struct name *x = a, *y = b;
	return strcmp(x->text, y->text);
}

static const struct name *find_name(const char *text)
{
	static struct name names[] = {
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
	return bsearch(&(struct name){text, 0, 0}, names, n, sizeof(*names), by_text);
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

/* A declaration without a prototype takes anything: then the call's own arguments are what there is to go by. */
static bool fits(LLVMValueRef call, const struct name *name)
{
	const struct libcall *row = &libcalls[name->id];
	unsigned n = LLVMGetNumArgOperands(call);
	uint32_t used = libcall_arguments(row);

	if (n < name->params || (n > name->params && !LLVMIsFunctionVarArg(LLVMGetCalledFunctionType(call))))
		return false;
	for (unsigned i = 0; i < name->params; i++)
		if (used >> i & 1 && !is_number(LLVMGetOperand(call, i)))
			return false;
	for (unsigned i = 0; i < LIBCALL_EFFECTS && row->effects[i].moment; i++)
		if (row->effects[i].rule != RULE_DESCRIPTOR && !is_pointer(pointer_of(call, &row->effects[i])))
			return false;
	return !libcall_has(row, MOMENT_AFTER) || is_number(call);
}

static const struct name *library_call(LLVMValueRef in)
{
	LLVMValueRef callee = called_function(in);

	if (!callee || !LLVMIsDeclaration(callee) || LLVMGetIntrinsicID(callee))
		return NULL;

	const char *text = LLVMGetValueName(callee);
	const struct name *name = find_name(text[0] == '\1' ? text + 1 : text);
	return name && fits(in, name) ? name : NULL;
}

/* Most format strings: nobody writes to them. */
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

/* NULL: not a format, or not a constant one. A format is the last parameter before the variable ones. */
static const char *constant_format(LLVMValueRef call, const struct name *name)
{
	const struct libcall_effect *e = libcalls[name->id].effects;
	LLVMValueRef format, text;
	size_t n;

	if (!LLVMIsFunctionVarArg(LLVMGetCalledFunctionType(call)) || e->rule != RULE_STRING ||
	    e->pointer != name->params - 1)
		return NULL;
	format = LLVMIsAGlobalVariable(LLVMGetOperand(call, e->pointer));
	if (!format || !LLVMIsGlobalConstant(format) || !(text = LLVMGetInitializer(format)))
		return NULL;
	if (LLVMIsNull(text)) /* which is no string to LLVM */
		return "";
	/* not one that ends without a NUL, or has one in the middle */
	const char *s = LLVMIsAConstantDataArray(text) && LLVMIsConstantString(text) ? LLVMGetAsString(text, &n) : NULL;
	return s && n && strnlen(s, n) == n - 1 ? s : NULL;
}

struct conversion {
	char letter;
	bool is_long;
	int stars;          /* arguments taken by * */
	bool has_precision; /* by the last of them, or `precision` */
	bool precision_is_star;
	long precision;
};

/* Reads one after its %; NULL where arguments are numbered. */
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
	if (c->precision_is_star) /* a negative one is none */
		limit = as_number(p, LLVMGetOperand(call, i - 1));
	string = as_number(p, string);
	insert_call(p, "omen_inline_libcall_before", p->none,
	            ARGUMENTS(constant(p->i32, LIBCALL_strnlen), string, limit, none, none, none, at));
}

static bool is_scan(const struct name *name)
{
	return name->id == LIBCALL_scanf || name->id == LIBCALL_fscanf || name->id == LIBCALL_sscanf;
}

static void hook_strings(struct pass *p, LLVMValueRef call, const struct name *name)
{
	const char *s = is_scan(name) ? NULL : constant_format(call, name);
	unsigned i = name->params, n = LLVMGetNumArgOperands(call);
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
		/* its size is what the hook finds out */
		if (!used || !find_object(p, LLVMGetOperand(call, i), LLVMGetUndef(p->i64), &o))
			continue;
		args[n++] = constant(p->i32, i);
		args[n++] = o.offset;
		args[n++] = o.extent;
		args[n++] = constant(p->i32, o.is_global ? OMEN_OBJECT_GLOBAL : 0);
	}
	while (n > first && n < end) { /* one only: it stands twice */
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

/* How many ways lead into a block; blocks are used by the terminators that go there, and by blockaddress. */
static bool has_one_way_in(LLVMBasicBlockRef block)
{
	LLVMUseRef first = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
	return first && !LLVMGetNextUse(first);
}

bool insert_with_result(struct pass *p, LLVMValueRef call)
{
	if (LLVMIsACallInst(call)) {
		if (LLVMGetTailCallKind(call) == LLVMTailCallKindMustTail)
			return false;
		insert_after(p, call);
		return true;
	}

	LLVMBasicBlockRef next = LLVMGetNormalDest(call);
	if (!has_one_way_in(next))
		return false;
	LLVMValueRef first = LLVMGetFirstInstruction(next);
	while (LLVMIsAPHINode(first))
		first = LLVMGetNextInstruction(first);
	insert_before(p, first);
	return true;
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

/* What a conversion of scanf() writes to. */
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

static void hook_scans(struct pass *p, LLVMValueRef call, const struct name *name)
{
	const char *format = is_scan(name) ? constant_format(call, name) : NULL;
	unsigned n = LLVMGetNumArgOperands(call);
	struct scan s = {0};

	for (unsigned i = name->params; format && (format = scan_next(format, &s)) && i < n; i++) {
		LLVMValueRef to = LLVMGetOperand(call, i);
		if (!s.in_doubt && is_pointer(to) && is_number(call))
			hook_scan(p, call, to, &s, site(p, call, OMEN_SITE_CALL, 0));
	}
}

/* One that touches no memory that others write to, but is noticed. */
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
		const struct name *name = library_call(all.at[i]);
		if (!name)
			continue;
		if (libcall_is_of_streams(name->id))
			hook_stream_point(p, all.at[i], true);
		hook_strings(p, all.at[i], name);
		hook_scans(p, all.at[i], name);
		if (!touches_memory(all.at[i], &libcalls[name->id])) {
			if (libcall_is_of_streams(name->id))
				hook_stream(p, all.at[i], name->id);
			continue;
		}
		LLVMValueRef at = site(p, all.at[i], OMEN_SITE_CALL, 0);
		hook_before(p, all.at[i], name->id, at); /* what it only writes late is stopped before, too */
		if (libcall_has(&libcalls[name->id], MOMENT_AFTER))
			hook_after(p, all.at[i], name->id, at);
	}
	free(all.at);
}
