/*
 * Atomic operations and fences become calls: the runtime performs them.
 *
 * The hooks carry integers of fixed sizes. Operations of other sizes, or without natural alignment, stay as they are:
 * the back end makes library calls of them, which the runtime answers as well.
 */
#include "cc/pass.h"

#include <stdio.h>
#include <stdlib.h>

static const int order_number[] = {
        [LLVMAtomicOrderingUnordered] = 0,      [LLVMAtomicOrderingMonotonic] = 0,
        [LLVMAtomicOrderingAcquire] = 2,        [LLVMAtomicOrderingRelease] = 3,
        [LLVMAtomicOrderingAcquireRelease] = 4, [LLVMAtomicOrderingSequentiallyConsistent] = 5,
};

static const int rmw_number[] = {
        [LLVMAtomicRMWBinOpXchg] = OMEN_RMW_XCHG,
        [LLVMAtomicRMWBinOpAdd] = OMEN_RMW_ADD,
        [LLVMAtomicRMWBinOpSub] = OMEN_RMW_SUB,
        [LLVMAtomicRMWBinOpAnd] = OMEN_RMW_AND,
        [LLVMAtomicRMWBinOpNand] = OMEN_RMW_NAND,
        [LLVMAtomicRMWBinOpOr] = OMEN_RMW_OR,
        [LLVMAtomicRMWBinOpXor] = OMEN_RMW_XOR,
        [LLVMAtomicRMWBinOpMax] = OMEN_RMW_MAX,
        [LLVMAtomicRMWBinOpMin] = OMEN_RMW_MIN,
        [LLVMAtomicRMWBinOpUMax] = OMEN_RMW_UMAX,
        [LLVMAtomicRMWBinOpUMin] = OMEN_RMW_UMIN,
        [LLVMAtomicRMWBinOpFAdd] = OMEN_RMW_FADD,
        [LLVMAtomicRMWBinOpFSub] = OMEN_RMW_FSUB,
        [LLVMAtomicRMWBinOpFMax] = OMEN_RMW_FMAX,
        [LLVMAtomicRMWBinOpFMin] = OMEN_RMW_FMIN,
        [LLVMAtomicRMWBinOpUIncWrap] = OMEN_RMW_UINC_WRAP,
        [LLVMAtomicRMWBinOpUDecWrap] = OMEN_RMW_UDEC_WRAP,
};

static LLVMValueRef order(struct pass *p, LLVMAtomicOrdering ordering)
{
	return constant(p->i32, order_number[ordering]);
}

/* The size of a value that hooks can carry, 0 for others. */
static unsigned carried_size(LLVMTypeRef type)
{
	switch (LLVMGetTypeKind(type)) {
	case LLVMHalfTypeKind:
	case LLVMBFloatTypeKind:
		return 2;
	case LLVMFloatTypeKind:
		return 4;
	case LLVMDoubleTypeKind:
		return 8;
	case LLVMPointerTypeKind:
		return LLVMGetPointerAddressSpace(type) ? 0 : 8;
	case LLVMFP128TypeKind:
		return 16;
	case LLVMIntegerTypeKind:
		break;
	default:
		return 0;
	}
	switch (LLVMGetIntTypeWidth(type)) {
	case 8:
	case 16:
	case 32:
	case 64:
	case 128:
		return LLVMGetIntTypeWidth(type) / 8;
	default:
		return 0;
	}
}

static LLVMTypeRef integer(struct pass *p, unsigned size) { return LLVMIntTypeInContext(p->context, 8 * size); }

static LLVMValueRef to_integer(struct pass *p, LLVMValueRef value, unsigned size)
{
	if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind)
		return LLVMBuildPtrToInt(p->builder, value, integer(p, size), "");
	return LLVMBuildBitCast(p->builder, value, integer(p, size), "");
}

static LLVMValueRef from_integer(struct pass *p, LLVMValueRef value, LLVMTypeRef type)
{
	if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
		return LLVMBuildIntToPtr(p->builder, value, type, "");
	return LLVMBuildBitCast(p->builder, value, type, "");
}

/* A call of a hook. A value of 16 bytes is passed in two halves, as clang passes an __int128. */
struct hook {
	char name[32];
	unsigned size;
	LLVMValueRef args[8];
	size_t n;
};

static struct hook hook(const char *operation, unsigned size)
{
	struct hook h = {.size = size};

	snprintf(h.name, sizeof(h.name), "omen_atomic_%s%u", operation, size);
	return h;
}

static void pass_argument(struct hook *h, LLVMValueRef argument) { h->args[h->n++] = argument; }

static void pass_value(struct pass *p, struct hook *h, LLVMValueRef value)
{
	LLVMValueRef bits = to_integer(p, value, h->size);

	if (h->size < 16) {
		pass_argument(h, bits);
		return;
	}
	LLVMValueRef high = LLVMBuildLShr(p->builder, bits, constant(LLVMTypeOf(bits), 64), "");
	pass_argument(h, LLVMBuildTrunc(p->builder, bits, p->i64, ""));
	pass_argument(h, LLVMBuildTrunc(p->builder, high, p->i64, ""));
}

static LLVMValueRef call_for_value(struct pass *p, struct hook *h, LLVMTypeRef type)
{
	if (h->size < 16)
		return from_integer(p, insert_call(p, h->name, integer(p, h->size), h->args, h->n), type);

	LLVMTypeRef halves[] = {p->i64, p->i64};
	LLVMTypeRef pair = LLVMStructTypeInContext(p->context, halves, 2, false), wide = integer(p, 16);
	LLVMValueRef both = insert_call(p, h->name, pair, h->args, h->n);
	LLVMValueRef low = LLVMBuildZExt(p->builder, LLVMBuildExtractValue(p->builder, both, 0, ""), wide, "");
	LLVMValueRef high = LLVMBuildZExt(p->builder, LLVMBuildExtractValue(p->builder, both, 1, ""), wide, "");
	high = LLVMBuildShl(p->builder, high, constant(wide, 64), "");
	return from_integer(p, LLVMBuildOr(p->builder, low, high, ""), type);
}

static void replace(LLVMValueRef instruction, LLVMValueRef result)
{
	if (result)
		LLVMReplaceAllUsesWith(instruction, result);
	LLVMInstructionEraseFromParent(instruction);
}

static unsigned flags_of(LLVMValueRef access, LLVMValueRef address)
{
	return (LLVMGetVolatile(access) ? OMEN_SITE_VOLATILE : 0) | (is_fixed(address) ? OMEN_SITE_FIXED : 0);
}

static bool is_carried(LLVMValueRef access, LLVMValueRef address, unsigned size)
{
	return size && LLVMGetAlignment(access) >= size && !LLVMGetPointerAddressSpace(LLVMTypeOf(address));
}

static void replace_load(struct pass *p, LLVMValueRef in)
{
	unsigned size = carried_size(LLVMTypeOf(in));
	LLVMValueRef address = LLVMGetOperand(in, 0);

	if (!is_carried(in, address, size))
		return;
	insert_before(p, in);
	struct hook h = hook("load", size);
	pass_argument(&h, address);
	pass_argument(&h, order(p, LLVMGetOrdering(in)));
	pass_argument(&h, site(p, in, OMEN_SITE_ATOMIC_LOAD, flags_of(in, address)));
	replace(in, call_for_value(p, &h, LLVMTypeOf(in)));
}

static void replace_store(struct pass *p, LLVMValueRef in)
{
	LLVMValueRef value = LLVMGetOperand(in, 0), address = LLVMGetOperand(in, 1);
	unsigned size = carried_size(LLVMTypeOf(value));

	if (!is_carried(in, address, size))
		return;
	insert_before(p, in);
	struct hook h = hook("store", size);
	pass_argument(&h, address);
	pass_value(p, &h, value);
	pass_argument(&h, order(p, LLVMGetOrdering(in)));
	pass_argument(&h, site(p, in, OMEN_SITE_ATOMIC_STORE, flags_of(in, address)));
	insert_call(p, h.name, p->none, h.args, h.n);
	replace(in, NULL);
}

static bool is_float_operation(LLVMAtomicRMWBinOp op)
{
	return op == LLVMAtomicRMWBinOpFAdd || op == LLVMAtomicRMWBinOpFSub || op == LLVMAtomicRMWBinOpFMax ||
	       op == LLVMAtomicRMWBinOpFMin;
}

static void replace_rmw(struct pass *p, LLVMValueRef in)
{
	LLVMValueRef address = LLVMGetOperand(in, 0), value = LLVMGetOperand(in, 1);
	LLVMTypeRef type = LLVMTypeOf(value);
	unsigned size = carried_size(type);
	LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(in);

	if (!is_carried(in, address, size))
		return;
	if (is_float_operation(op) && size != 4 && size != 8)
		return;
	insert_before(p, in);
	struct hook h = hook("rmw", size);
	pass_argument(&h, address);
	pass_value(p, &h, value);
	pass_argument(&h, constant(p->i32, rmw_number[op]));
	pass_argument(&h, order(p, LLVMGetOrdering(in)));
	pass_argument(&h, site(p, in, OMEN_SITE_ATOMIC_RMW, flags_of(in, address)));
	replace(in, call_for_value(p, &h, type));
}

static void replace_cas(struct pass *p, LLVMValueRef in)
{
	LLVMValueRef address = LLVMGetOperand(in, 0), expected = LLVMGetOperand(in, 1);
	LLVMTypeRef type = LLVMTypeOf(expected);
	unsigned size = carried_size(type);

	if (!is_carried(in, address, size))
		return;
	LLVMValueRef slot = insert_slot(p, function_of(in), type);
	LLVMSetAlignment(slot, size);
	insert_before(p, in);
	LLVMBuildStore(p->builder, expected, slot);

	struct hook h = hook("cas", size);
	pass_argument(&h, address);
	pass_argument(&h, slot);
	pass_value(p, &h, LLVMGetOperand(in, 2));
	pass_argument(&h, order(p, LLVMGetCmpXchgSuccessOrdering(in)));
	pass_argument(&h, order(p, LLVMGetCmpXchgFailureOrdering(in)));
	pass_argument(&h, constant(p->i32, LLVMGetWeak(in) ? OMEN_CAS_WEAK : 0));
	pass_argument(&h, site(p, in, OMEN_SITE_ATOMIC_CAS, flags_of(in, address)));
	LLVMValueRef done = insert_call(p, h.name, p->i1, h.args, h.n);
	LLVMValueRef seen = LLVMBuildLoad2(p->builder, type, slot, "");
	LLVMValueRef result = LLVMBuildInsertValue(p->builder, LLVMGetPoison(LLVMTypeOf(in)), seen, 0, "");
	replace(in, LLVMBuildInsertValue(p->builder, result, done, 1, ""));
}

/* A signal fence also keeps the optimiser from moving accesses, so the instruction stays. */
static void replace_fence(struct pass *p, LLVMValueRef in)
{
	bool single_thread = LLVMIsAtomicSingleThread(in);

	insert_before(p, in);
	insert_call(p, "omen_fence", p->none,
	            ARGUMENTS(order(p, LLVMGetOrdering(in)), constant(p->i32, single_thread),
	                      site(p, in, OMEN_SITE_FENCE, 0)));
	if (!single_thread)
		replace(in, NULL);
}

void walk_atomics(struct pass *p, LLVMValueRef function)
{
	struct instructions all = instructions_of(function);

	for (size_t i = 0; i < all.n; i++) {
		LLVMValueRef in = all.at[i];
		switch (LLVMGetInstructionOpcode(in)) {
		case LLVMLoad:
			if (LLVMGetOrdering(in))
				replace_load(p, in);
			break;
		case LLVMStore:
			if (LLVMGetOrdering(in))
				replace_store(p, in);
			break;
		case LLVMAtomicRMW:
			replace_rmw(p, in);
			break;
		case LLVMAtomicCmpXchg:
			replace_cas(p, in);
			break;
		case LLVMFence:
			replace_fence(p, in);
			break;
		default:
			break;
		}
	}
	free(all.at);
}
