/*
 * Whether other threads may access the memory that a pointer points to.
 *
 * The address of an alloca, a by-value argument or a thread-local variable may escape: other threads can then get it.
 * It does not escape if only loads, stores and copies use it directly, or functions of this file that do not let it
 * escape either. Answers are cached, as at -O0 every use of a local asks again.
 */
#include "cc/pass.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct escape {
	LLVMValueRef value;
	bool escapes;
};

#define DEEPEST 64 /* depth of calls that pass a pointer on; a deeper one counts as escaping */

struct escape_cache {
	struct escape *at; /* open addressing; `room` is a power of two */
	size_t n, room;
	int depth; /* depth of the question in work */
};

static struct escape *cached(struct escape_cache *c, LLVMValueRef value)
{
	size_t i = ((uintptr_t)value >> 4) * 0x9e3779b97f4a7c15u >> 20 & (c->room - 1);

	while (c->at[i].value && c->at[i].value != value)
		i = (i + 1) & (c->room - 1);
	return &c->at[i];
}

static void make_room(struct escape_cache *c)
{
	struct escape_cache old = *c;

	if (2 * c->n < c->room)
		return;
	c->room = c->room ? 2 * c->room : 256;
	c->at = calloc(c->room, sizeof(*c->at));
	if (!c->at)
		fail("out of memory");
	for (size_t i = 0; i < old.room; i++)
		if (old.at[i].value)
			*cached(c, old.at[i].value) = old.at[i];
	free(old.at);
}

/* Calls that access memory through a pointer, or only limit its lifetime, and do not keep the pointer. */
static bool forgets_pointer(LLVMValueRef call)
{
	static const char *const prefixes[] = {"llvm.mem", "llvm.lifetime.", "llvm.dbg.", "llvm.invariant.",
	                                       "llvm.objectsize."};
	LLVMValueRef callee = called_function(call);

	if (!callee)
		return false;
	if (name_starts(callee, "omen_inline_"))
		return true;
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++)
		if (is_intrinsic(callee, prefixes[i]))
			return true;
	return false;
}

enum use { HARMLESS, DERIVES, ESCAPES };

static bool escapes(struct pass *p, LLVMValueRef value);

static bool is_local(LLVMValueRef global)
{
	return LLVMGetLinkage(global) == LLVMInternalLinkage || LLVMGetLinkage(global) == LLVMPrivateLinkage;
}

/* Does the called function let the pointer escape? */
static bool escapes_in_call(struct pass *p, LLVMValueRef call, LLVMValueRef pointer)
{
	LLVMValueRef callee = called_function(call);

	if (!callee || LLVMIsDeclaration(callee) || !is_local(callee))
		return true;
	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
		if (LLVMGetOperand(call, i) == pointer &&
		    (i >= LLVMCountParams(callee) || escapes(p, LLVMGetParam(callee, i))))
			return true;
	return false;
}

static enum use use_of(struct pass *p, LLVMValueRef value, LLVMValueRef user)
{
	if (!LLVMIsAInstruction(user))
		return ESCAPES;
	switch (LLVMGetInstructionOpcode(user)) {
	case LLVMLoad:
	case LLVMICmp:
		return HARMLESS;
	case LLVMStore:
		return LLVMGetOperand(user, 0) == value ? ESCAPES : HARMLESS;
	case LLVMAtomicRMW:
		return LLVMGetOperand(user, 1) == value ? ESCAPES : HARMLESS;
	case LLVMGetElementPtr:
	case LLVMBitCast:
	case LLVMAddrSpaceCast:
	case LLVMPHI:
	case LLVMSelect:
		return DERIVES;
	case LLVMCall:
		if (called_function(user) && is_intrinsic(called_function(user), "llvm.threadlocal.address"))
			return DERIVES;
		return forgets_pointer(user) || !escapes_in_call(p, user, value) ? HARMLESS : ESCAPES;
	default:
		return ESCAPES;
	}
}

static bool find_escape(struct pass *p, LLVMValueRef value)
{
	enum { LIMIT = 64 }; /* the most pointers derived from one; with more it counts as escaping */
	LLVMValueRef seen[LIMIT] = {value};
	size_t n = 1;

	for (size_t i = 0; i < n; i++) {
		for (LLVMUseRef u = LLVMGetFirstUse(seen[i]); u; u = LLVMGetNextUse(u)) {
			LLVMValueRef user = LLVMGetUser(u);
			enum use use = use_of(p, seen[i], user);
			size_t k = 0;
			if (use == HARMLESS)
				continue;
			if (use == ESCAPES)
				return true;
			while (k < n && seen[k] != user)
				k++;
			if (k == LIMIT)
				return true;
			if (k == n)
				seen[n++] = user;
		}
	}
	return false;
}

static bool escapes(struct pass *p, LLVMValueRef value)
{
	if (!p->escapes && !(p->escapes = calloc(1, sizeof(*p->escapes))))
		fail("out of memory");
	make_room(p->escapes);

	struct escape *e = cached(p->escapes, value);
	if (e->value || p->escapes->depth == DEEPEST)
		return !e->value || e->escapes;
	*e = (struct escape){value, true}; /* the answer for questions that come back to this value */
	p->escapes->n++;
	p->escapes->depth++;
	bool found = find_escape(p, value);
	p->escapes->depth--;
	cached(p->escapes, value)->escapes = found;
	return found;
}

void forget_escapes(struct pass *p)
{
	if (p->escapes)
		free(p->escapes->at);
	free(p->escapes);
	p->escapes = NULL;
}

static bool parameter_has(LLVMValueRef parameter, const char *attribute)
{
	LLVMValueRef function = LLVMGetParamParent(parameter);
	unsigned kind = LLVMGetEnumAttributeKindForName(attribute, strlen(attribute));

	for (unsigned i = 0; i < LLVMCountParams(function); i++)
		if (LLVMGetParam(function, i) == parameter)
			return LLVMGetEnumAttributeAtIndex(function, i + 1, kind);
	return false;
}

bool is_shared(struct pass *p, LLVMValueRef pointer)
{
	LLVMValueRef base = base_of(pointer);

	/* Other address spaces are %fs and %gs. */
	if (LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)))
		return false;
	if (LLVMIsAAllocaInst(base))
		return escapes(p, base);
	if (LLVMIsAArgument(base)) {
		if (parameter_has(base, "swifterror"))
			return false;
		return !parameter_has(base, "byval") || escapes(p, base);
	}
	if (LLVMIsAGlobalVariable(base)) {
		if (LLVMIsThreadLocal(base))
			return !is_local(base) || escapes(p, base);
		return !LLVMIsGlobalConstant(base);
	}
	return true;
}
