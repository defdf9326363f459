/* The walk over plain loads, stores and memory intrinsics that other threads may see. */
#include "cc/pass.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned site_flags(LLVMValueRef access)
{
	return (LLVMGetVolatile(access) ? OMEN_SITE_VOLATILE : 0) |
	       (is_fixed(accessed_pointer(access)) ? OMEN_SITE_FIXED : 0);
}

static LLVMValueRef bytes_of(struct pass *p, LLVMTypeRef type)
{
	return constant(p->i64, LLVMStoreSizeOfType(p->layout, type));
}

/*
 * The offset of the cell of the place's base among all cells. If the base is less aligned than its type says, the
 * result is between two cells.
 */
static LLVMValueRef cells_of(struct pass *p, const struct cell_place *place, bool known)
{
	LLVMValueRef base = LLVMBuildPtrToInt(p->builder, place->base, p->i64, "");
	LLVMValueRef number = LLVMBuildSub(p->builder, base, constant(p->i64, place->base_offset), "");
	LLVMValueRef bits = LLVMBuildAnd(p->builder, number, constant(p->i64, OMEN_CELL_BITS | (known ? 7 : 0)), "");

	return LLVMBuildShl(p->builder, bits, constant(p->i64, 1), "");
}

/* The arguments that tell a helper the place of an access; the first is 0 if another access covers this one. */
static size_t add_place(struct pass *p, LLVMValueRef access, bool covered, LLVMValueRef *args, size_t n)
{
	struct cell_place place;
	bool known = find_cell_place(p, accessed_pointer(access), LLVMGetAlignment(access), &place);

	args[n++] = constant(p->i32, covered ? 0 : known ? OMEN_PLACED | place.offset : LLVMGetAlignment(access));
	args[n++] = cells_of(p, &place, known);
	args[n++] = constant(p->i64, (uint64_t)place.distance * 2);
	return n;
}

/* The helper that takes and returns a value of this type, or NULL if the value must go through memory. */
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

#define ACCESS_ARGUMENTS 9 /* of the helpers for loads and stores, with the place and the variable */

static LLVMValueRef object_flags(struct pass *p, const struct object *o, unsigned what)
{
	return constant(p->i32, what | (o->is_global ? OMEN_OBJECT_GLOBAL : 0));
}

/* If the pointer may leave its variable, selects the helper that reports this, and adds its arguments. */
static size_t add_object(struct pass *p, LLVMValueRef pointer, LLVMValueRef size, unsigned what, char *helper,
                         LLVMValueRef *args, size_t n)
{
	struct object o;

	if (!find_object(p, pointer, size, &o))
		return n;
	strcat(helper, "_in");
	args[n++] = o.offset;
	args[n++] = o.extent;
	args[n++] = object_flags(p, &o, what);
	return n;
}

/* A hook that only checks whether the access leaves its variable. */
static void instrument_object(struct pass *p, LLVMValueRef access, LLVMValueRef pointer, LLVMValueRef size,
                              unsigned what)
{
	struct object o;

	insert_before(p, access);
	if (!find_object(p, pointer, size, &o))
		return;
	insert_call(p, "omen_inline_object", p->none, ARGUMENTS(o.offset, size, o.extent, object_flags(p, &o, what)));
}

static void load_through_memory(struct pass *p, LLVMValueRef load, LLVMValueRef at)
{
	LLVMTypeRef type = LLVMTypeOf(load);
	LLVMValueRef slot = insert_slot(p, function_of(load), type);
	LLVMValueRef save = LLVMBuildStore(p->builder, load, slot);

	if (p->in_stream_member)
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
	if (!helper || p->in_stream_member) {
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
	size_t n = add_place(p, load, a->is_covered, args, 3);
	n = add_object(p, LLVMGetOperand(load, 0), bytes_of(p, LLVMTypeOf(load)), 0, name, args, n);
	LLVMValueRef call = insert_call(p, name, type, args, n);
	LLVMValueRef seen = LLVMBuildBitCast(p->builder, call, LLVMTypeOf(load), ""); /* may be no instruction */
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
	if (p->in_stream_member) {
		insert_call(p, "omen_stream_store", p->none, ARGUMENTS(args[0], args[1], at, standard_streams(p)));
		return;
	}
	size_t n = add_place(p, store, a->is_covered, args, 3);
	n = add_object(p, args[0], args[1], OMEN_OBJECT_WRITE, name, args, n);
	insert_call(p, name, p->none, args, n);
}

static LLVMValueRef size_of_intrinsic(struct pass *p, LLVMValueRef call)
{
	insert_before(p, call);
	return LLVMBuildIntCast2(p->builder, LLVMGetOperand(call, 2), p->i64, false, "");
}

/* The memory intrinsics. The call of `helper` comes before one, the call of `replacement` in its place. */
struct range_intrinsic {
	const char *prefix, *helper, *replacement;
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

/* Not volatile, and not of the .inline and .element.unordered.atomic forms. */
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
		insert_call(p, range->replacement, p->none, ARGUMENTS(to, from, size, at));
		LLVMInstructionEraseFromParent(call);
	} else if (set) {
		insert_call(p, range->helper, p->none, ARGUMENTS(to, size, at));
	} else {
		insert_call(p, range->helper, p->none, ARGUMENTS(to, from, size, at));
	}
}

/* A program that prefetches memory will soon need its cell as well. */
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

/* ---- the walk ---- */

/* An AMX tile cannot be in ordinary memory. */
static bool is_left_alone(LLVMValueRef in)
{
	return !is_plain_access(in) ||
	       (LLVMIsALoadInst(in) && (is_invariant(in) || LLVMGetTypeKind(LLVMTypeOf(in)) == LLVMX86_AMXTypeKind));
}

bool is_counted(struct pass *p, LLVMValueRef in) { return !is_left_alone(in) && is_shared(p, accessed_pointer(in)); }

void walk_memory(struct pass *p, LLVMValueRef function)
{
	struct instructions all = instructions_of(function);
	struct access *accesses = calloc(all.n + 1, sizeof(*accesses));

	if (!accesses)
		fail("out of memory");
	p->in_stream_member = is_stream_member(function);
	for (size_t i = 0; i < all.n; i++)
		accesses[i].is_covered = is_plain_access(all.at[i]) && is_covered(p, all.at[i]);
	struct flows flows = find_flows(p, &all, accesses);

	for (size_t i = 0; i < all.n; i++) {
		LLVMValueRef in = all.at[i];
		struct access *a = &accesses[i];
		bool plain = is_plain_access(in); /* an instruction that is not plain may be deleted below */
		switch (LLVMGetInstructionOpcode(in)) {
		case LLVMLoad:
			if (is_counted(p, in))
				instrument_load(p, in, a);
			else if (!is_left_alone(in) && !a->is_covered)
				instrument_object(p, in, LLVMGetOperand(in, 0), bytes_of(p, LLVMTypeOf(in)), 0);
			break;
		case LLVMStore:
			if (is_counted(p, in))
				instrument_store(p, in, a);
			else if (!is_left_alone(in) && !a->is_covered)
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
