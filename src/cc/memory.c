/* Plain loads, stores and memory intrinsics that other threads may take part in. */
#include "cc/cc.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Does an address get out of sight?  Asked of allocas, by-value arguments and thread-local variables: what only
 * loads, stores and copies see directly, or functions of this file that let it go no further, cannot be shared.  The
 * answer is kept, since at -O0 every use of a local asks again.
 */
struct escape {
	LLVMValueRef value;
	bool escapes;
};

#define DEEPEST 64 /* functions that hand a pointer on; beyond it is simply called escaping */

struct escape_cache {
	struct escape *at; /* open addressing; room is a power of two */
	size_t n, room;
	int depth; /* of functions asked about */
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

/* Calls that look at memory through a pointer, or only at its lifetime, and keep nothing of it. */
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

/* Does the function that is called let the pointer out of sight? */
static bool call_lets_out(struct pass *p, LLVMValueRef call, LLVMValueRef pointer)
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
		return forgets_pointer(user) || !call_lets_out(p, user, value) ? HARMLESS : ESCAPES;
	default:
		return ESCAPES;
	}
}

static bool find_escape(struct pass *p, LLVMValueRef value)
{
	enum { LIMIT = 64 }; /* pointers derived from one; beyond it is simply called escaping */
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
	*e = (struct escape){value, true}; /* to whoever asks on the way */
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

static LLVMValueRef pointer_of(LLVMValueRef access) { return LLVMGetOperand(access, LLVMIsAStoreInst(access) ? 1 : 0); }

static unsigned site_flags(LLVMValueRef access)
{
	return (LLVMGetVolatile(access) ? OMEN_SITE_VOLATILE : 0) |
	       (is_fixed(pointer_of(access)) ? OMEN_SITE_FIXED : 0);
}

static LLVMValueRef bytes_of(struct pass *p, LLVMTypeRef type)
{
	return constant(p->i64, LLVMStoreSizeOfType(p->layout, type));
}

/* Where the cells of a place's base are among all; if it is not as aligned as it should be, between two. */
static LLVMValueRef cells_of(struct pass *p, const struct cell_place *place, bool known)
{
	LLVMValueRef base = LLVMBuildPtrToInt(p->builder, place->base, p->i64, "");
	LLVMValueRef number = LLVMBuildSub(p->builder, base, constant(p->i64, place->beyond), "");
	LLVMValueRef bits = LLVMBuildAnd(p->builder, number, constant(p->i64, OMEN_CELL_BITS | (known ? 7 : 0)), "");

	return LLVMBuildShl(p->builder, bits, constant(p->i64, 1), "");
}

/* What the helpers are told of where it is: 0 for an access that another one tells about. */
static size_t add_place(struct pass *p, LLVMValueRef access, bool told, LLVMValueRef *args, size_t n)
{
	struct cell_place place;
	bool known = find_place(p, pointer_of(access), LLVMGetAlignment(access), &place);

	args[n++] = constant(p->i32, told ? 0 : known ? OMEN_PLACED | place.offset : LLVMGetAlignment(access));
	args[n++] = cells_of(p, &place, known);
	args[n++] = constant(p->i64, (uint64_t)place.behind * 2);
	return n;
}

/* The helper that takes and returns a value of this type, or NULL where it must go through memory. */
static const char *load_helper(struct pass *p, LLVMTypeRef type)
{
	switch (LLVMGetTypeKind(type)) {
	case LLVMPointerTypeKind:
		return LLVMGetPointerAddressSpace(type) ? NULL : "omen_inline_loadp";
	case LLVMFloatTypeKind:
		return "omen_inline_loadf";
	case LLVMDoubleTypeKind:
		return "omen_inline_loadd";
	case LLVMIntegerTypeKind:
		break;
	case LLVMVectorTypeKind:
		return LLVMStoreSizeOfType(p->layout, type) == 16 &&
		                       LLVMGetTypeKind(LLVMGetElementType(type)) != LLVMPointerTypeKind
		               ? "omen_inline_loadv"
		               : NULL;
	default:
		return NULL;
	}
	switch (LLVMGetIntTypeWidth(type)) {
	case 8:
		return "omen_inline_load1";
	case 16:
		return "omen_inline_load2";
	case 32:
		return "omen_inline_load4";
	case 64:
		return "omen_inline_load8";
	default:
		return NULL;
	}
}

/* ---- variables whose extent is known ---- */

#define ACCESS_ARGUMENTS 9 /* of the helpers of loads and stores: with the place and the variable */

static LLVMValueRef what_of(struct pass *p, const struct object *o, unsigned what)
{
	return constant(p->i32, what | (o->is_global ? OMEN_OBJECT_GLOBAL : 0));
}

/* Where the pointer may leave its variable, the helper is the one that tells about it. */
static size_t add_object(struct pass *p, LLVMValueRef pointer, LLVMValueRef size, unsigned what, char *helper,
                         LLVMValueRef *args, size_t n)
{
	struct object o;

	if (!find_object(p, pointer, size, &o))
		return n;
	strcat(helper, "_in");
	args[n++] = o.offset;
	args[n++] = o.extent;
	args[n++] = what_of(p, &o, what);
	return n;
}

/* A hook for that alone. */
static void instrument_object(struct pass *p, LLVMValueRef access, LLVMValueRef pointer, LLVMValueRef size,
                              unsigned what)
{
	struct object o;

	insert_before(p, access);
	if (!find_object(p, pointer, size, &o))
		return;
	insert_call(p, "omen_inline_object", p->none, ARGUMENTS(o.offset, size, o.extent, what_of(p, &o, what)));
}

static void load_through_memory(struct pass *p, LLVMValueRef load, LLVMValueRef at)
{
	LLVMTypeRef type = LLVMTypeOf(load);
	LLVMValueRef slot = insert_slot(p, function_of(load), type);
	LLVMValueRef save = LLVMBuildStore(p->builder, load, slot);

	if (p->of_stream)
		insert_call(p, "omen_stream_load", p->none,
		            ARGUMENTS(LLVMGetOperand(load, 0), slot, bytes_of(p, type), at, standard_streams(p)));
	else
		insert_call(p, "omen_inline_loadn", p->none,
		            ARGUMENTS(LLVMGetOperand(load, 0), slot, bytes_of(p, type), at));
	LLVMValueRef seen = LLVMBuildLoad2(p->builder, type, slot, "");
	LLVMReplaceAllUsesWith(load, seen);
	LLVMSetOperand(save, 0, load);
}

static void instrument_load(struct pass *p, LLVMValueRef load, const struct access *a)
{
	LLVMTypeRef type = LLVMTypeOf(load);
	const char *helper = load_helper(p, type);
	LLVMValueRef at = load_site(p, load, site_flags(load) | a->flags, load_bits(load)), value = load;

	insert_after(p, load);
	if (!helper || p->of_stream) {
		load_through_memory(p, load, at);
		return;
	}
	if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) {
		type = LLVMVectorType(p->i64, 2);
		value = LLVMBuildBitCast(p->builder, load, type, "");
	}
	LLVMValueRef args[ACCESS_ARGUMENTS] = {LLVMGetOperand(load, 0), value, at};
	char name[32];
	snprintf(name, sizeof(name), "%s", helper);
	size_t n = add_place(p, load, a->told, args, 3);
	n = add_object(p, LLVMGetOperand(load, 0), bytes_of(p, LLVMTypeOf(load)), 0, name, args, n);
	LLVMValueRef call = insert_call(p, name, type, args, n);
	LLVMValueRef seen = LLVMBuildBitCast(p->builder, call, LLVMTypeOf(load), ""); /* of its own type: nothing */
	LLVMReplaceAllUsesWith(load, seen);
	LLVMSetOperand(value == load ? call : value, value == load ? 1 : 0, load);
}

static void instrument_store(struct pass *p, LLVMValueRef store, const struct access *a)
{
	LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(store, 0));
	LLVMValueRef at = site(p, store, OMEN_SITE_STORE, site_flags(store) | a->flags | update_flags(store));

	LLVMValueRef args[ACCESS_ARGUMENTS] = {LLVMGetOperand(store, 1), bytes_of(p, type), at};
	char name[32] = "omen_inline_store";

	insert_before(p, store);
	if (p->of_stream) {
		insert_call(p, "omen_stream_store", p->none, ARGUMENTS(args[0], args[1], at, standard_streams(p)));
		return;
	}
	size_t n = add_place(p, store, a->told, args, 3);
	n = add_object(p, args[0], args[1], OMEN_OBJECT_WRITE, name, args, n);
	insert_call(p, name, p->none, args, n);
}

static LLVMValueRef size_of_intrinsic(struct pass *p, LLVMValueRef call)
{
	insert_before(p, call);
	return LLVMBuildIntCast2(p->builder, LLVMGetOperand(call, 2), p->i64, false, "");
}

/* The memory intrinsics. `helper` comes before them, `maker` in their place. */
struct range_intrinsic {
	const char *prefix, *helper, *maker;
	enum omen_site_kind kind;
};

static const struct range_intrinsic *find_range_intrinsic(LLVMValueRef callee)
{
	static const struct range_intrinsic intrinsics[] = {
	        {"llvm.memcpy.", "omen_inline_copy", "omen_inline_memcpy", OMEN_SITE_MEMCPY},
	        {"llvm.memmove.", "omen_inline_copy", "omen_inline_memmove", OMEN_SITE_MEMMOVE},
	        {"llvm.memset.", "omen_inline_set", "omen_inline_memset", OMEN_SITE_MEMSET},
	};

	for (size_t i = 0; i < sizeof(intrinsics) / sizeof(*intrinsics); i++)
		if (is_intrinsic(callee, intrinsics[i].prefix))
			return &intrinsics[i];
	return NULL;
}

/* Neither volatile nor of the .inline and .element.unordered.atomic forms. */
static bool is_plain_range(LLVMValueRef call, bool is_volatile)
{
	LLVMValueRef callee = called_function(call);

	return !is_volatile && !is_intrinsic(callee, "llvm.memcpy.inline") &&
	       !is_intrinsic(callee, "llvm.memset.inline") && !is_intrinsic(callee, "llvm.memcpy.element") &&
	       !is_intrinsic(callee, "llvm.memmove.element") && !is_intrinsic(callee, "llvm.memset.element");
}

static void instrument_intrinsic(struct pass *p, LLVMValueRef call)
{
	const struct range_intrinsic *range = find_range_intrinsic(called_function(call));

	if (!range)
		return;
	bool set = range->kind == OMEN_SITE_MEMSET;
	LLVMValueRef to = LLVMGetOperand(call, 0), from = LLVMGetOperand(call, 1);
	if (LLVMGetPointerAddressSpace(LLVMTypeOf(to)) || (!set && LLVMGetPointerAddressSpace(LLVMTypeOf(from))))
		return;
	instrument_object(p, call, to, size_of_intrinsic(p, call), OMEN_OBJECT_WRITE);
	if (!set)
		instrument_object(p, call, from, size_of_intrinsic(p, call), 0);
	if (!is_shared(p, to) && (set || !is_shared(p, from)))
		return;

	LLVMValueRef last = LLVMGetOperand(call, 3);
	bool is_volatile = LLVMTypeOf(last) == p->i1 && LLVMIsAConstantInt(last) && LLVMConstIntGetZExtValue(last);
	bool fixed = is_fixed(to) && (set || is_fixed(from)) && LLVMIsAConstantInt(LLVMGetOperand(call, 2));
	LLVMValueRef at =
	        site(p, call, range->kind, (is_volatile ? OMEN_SITE_VOLATILE : 0) | (fixed ? OMEN_SITE_FIXED : 0));
	LLVMValueRef size = size_of_intrinsic(p, call);
	if (is_plain_range(call, is_volatile)) {
		insert_call(p, range->maker, p->none, ARGUMENTS(to, from, size, at));
		LLVMInstructionEraseFromParent(call);
	} else if (set) {
		insert_call(p, range->helper, p->none, ARGUMENTS(to, size, at));
	} else {
		insert_call(p, range->helper, p->none, ARGUMENTS(to, from, size, at));
	}
}

/* Who fetches memory ahead of time will want its cell as well. */
static void instrument_prefetch(struct pass *p, LLVMValueRef call)
{
	LLVMValueRef address = LLVMGetOperand(call, 0);

	if (LLVMGetPointerAddressSpace(LLVMTypeOf(address)) || !is_shared(p, address))
		return;
	insert_before(p, call);
	insert_call(p, "omen_inline_prefetch", p->none, ARGUMENTS(address));
}

static bool is_invariant(LLVMValueRef load)
{
	static const char name[] = "invariant.load";
	return LLVMGetMetadata(load, LLVMGetMDKindID(name, strlen(name)));
}

/* ---- accesses that another one tells about ---- */

static bool is_plain(LLVMValueRef in) { return (LLVMIsALoadInst(in) || LLVMIsAStoreInst(in)) && !LLVMGetOrdering(in); }

/* Between two accesses of a segment nothing is released: no call, no atomic operation. */
static bool may_release(LLVMValueRef in)
{
	if (LLVMIsACallInst(in))
		return !called_function(in) || !LLVMGetIntrinsicID(called_function(in));
	if (LLVMIsALoadInst(in) || LLVMIsAStoreInst(in))
		return LLVMGetOrdering(in);
	return LLVMIsAInvokeInst(in) || LLVMIsAAtomicRMWInst(in) || LLVMIsAAtomicCmpXchgInst(in) ||
	       LLVMIsAFenceInst(in);
}

static uint64_t size_of(struct pass *p, LLVMValueRef access)
{
	LLVMValueRef value = LLVMIsAStoreInst(access) ? LLVMGetOperand(access, 0) : access;
	return LLVMStoreSizeOfType(p->layout, LLVMTypeOf(value));
}

/* `by` accesses all of the bytes that `in` does, at least as strongly. */
static bool tells(struct pass *p, LLVMValueRef by, LLVMValueRef in)
{
	return is_plain(by) && pointer_of(by) == pointer_of(in) && size_of(p, by) >= size_of(p, in) &&
	       (LLVMIsAStoreInst(by) || LLVMIsALoadInst(in)) && !LLVMGetVolatile(by) && !LLVMGetVolatile(in);
}

/* The block that control comes from, if it is one, and not by an exception. */
static LLVMBasicBlockRef only_predecessor(LLVMBasicBlockRef block)
{
	LLVMValueRef end = NULL;

	for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);
		if (!LLVMIsABranchInst(user) && !LLVMIsASwitchInst(user))
			return NULL;
		if (end && end != user)
			return NULL;
		end = user;
	}
	return end ? LLVMGetInstructionParent(end) : NULL;
}

/* What is always executed right before it. */
static LLVMValueRef instruction_before(LLVMValueRef in)
{
	LLVMValueRef before = LLVMGetPreviousInstruction(in);
	LLVMBasicBlockRef block = before ? NULL : only_predecessor(LLVMGetInstructionParent(in));

	return block ? LLVMGetBasicBlockTerminator(block) : before;
}

/*
 * A race of an access with another thread is also one of any access that the same segment makes to the same bytes, if
 * that is as strong: an earlier one on the only way that leads here, or a later store of the same block where this is a
 * load.
 */
static bool is_told(struct pass *p, LLVMValueRef in)
{
	enum { BEFORE = 48, BEHIND = 24 };
	LLVMValueRef at = in;

	for (int i = 0; i < BEFORE && (at = instruction_before(at)) && !may_release(at); i++)
		if (tells(p, at, in))
			return true;
	at = in;
	for (int i = 0; i < BEHIND && LLVMIsALoadInst(in) && (at = LLVMGetNextInstruction(at)) && !may_release(at); i++)
		if (LLVMIsAStoreInst(at) && tells(p, at, in))
			return true;
	return false;
}

/* ---- the walk ---- */

/* An AMX tile can stand in no other memory than its own. */
static bool is_left_alone(LLVMValueRef in)
{
	return !is_plain(in) ||
	       (LLVMIsALoadInst(in) && (is_invariant(in) || LLVMGetTypeKind(LLVMTypeOf(in)) == LLVMX86_AMXTypeKind));
}

bool is_counted(struct pass *p, LLVMValueRef in) { return !is_left_alone(in) && is_shared(p, pointer_of(in)); }

void walk_memory(struct pass *p, LLVMValueRef function)
{
	struct instructions all = instructions_of(function);
	struct access *accesses = calloc(all.n + 1, sizeof(*accesses));

	if (!accesses)
		fail("out of memory");
	p->of_stream = is_stream_member(function);
	for (size_t i = 0; i < all.n; i++)
		accesses[i].told = is_plain(all.at[i]) && is_told(p, all.at[i]);
	struct flows flows = find_flows(p, &all, accesses);

	for (size_t i = 0; i < all.n; i++) {
		LLVMValueRef in = all.at[i];
		struct access *a = &accesses[i];
		bool plain = is_plain(in); /* what is not may be gone then */
		switch (LLVMGetInstructionOpcode(in)) {
		case LLVMLoad:
			if (is_counted(p, in))
				instrument_load(p, in, a);
			else if (!is_left_alone(in) && !a->told)
				instrument_object(p, in, LLVMGetOperand(in, 0), bytes_of(p, LLVMTypeOf(in)), 0);
			break;
		case LLVMStore:
			if (is_counted(p, in))
				instrument_store(p, in, a);
			else if (!is_left_alone(in) && !a->told)
				instrument_object(p, in, LLVMGetOperand(in, 1),
				                  bytes_of(p, LLVMTypeOf(LLVMGetOperand(in, 0))), OMEN_OBJECT_WRITE);
			break;
		case LLVMCall:
			if (!called_function(in) || !LLVMGetIntrinsicID(called_function(in)))
				break;
			if (is_intrinsic(called_function(in), "llvm.prefetch"))
				instrument_prefetch(p, in);
			else
				instrument_intrinsic(p, in);
			break;
		default:
			break;
		}
		if (plain)
			a->row = last_site(p);
	}
	write_flows(p, &flows, accesses);
	free(flows.at);
	free(accesses);
	free(all.at);
}
