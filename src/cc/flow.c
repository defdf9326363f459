/*
 * Where a value goes that a load has read, as far as one function shows it. Prediction needs this (docs/design.md,
 * "Prediction"): it may let a read see another value if that has no effect.
 *
 * A load is confined if everything computed from it goes into plain stores that other threads may see, and these stores
 * are known: no branch, address, call or result of the function depends on it, and nothing can trap.
 */
#include "cc/pass.h"

#include <stdlib.h>

/* What an instruction does with the value: nothing, computes something from it, stores it, or anything else. */
enum use { DROPS, COMPUTES, STORES, OTHER };

static bool only_computes(LLVMValueRef call)
{
	static const char *const prefixes[] = {"llvm.smax.",       "llvm.smin.",   "llvm.umax.", "llvm.umin.",
	                                       "llvm.abs.",        "llvm.fshl.",   "llvm.fshr.", "llvm.fabs.",
	                                       "llvm.ctpop.",      "llvm.ctlz.",   "llvm.cttz.", "llvm.bswap.",
	                                       "llvm.bitreverse.", "llvm.fmuladd."};
	LLVMValueRef callee = called_function(call);

	for (size_t i = 0; callee && i < sizeof(prefixes) / sizeof(*prefixes); i++)
		if (is_intrinsic(callee, prefixes[i]))
			return true;
	return false;
}

/* Whether it only computes something from its operands and cannot trap. */
static bool is_arithmetic(LLVMValueRef instruction)
{
	switch (LLVMGetInstructionOpcode(instruction)) {
	case LLVMAdd:
	case LLVMFAdd:
	case LLVMSub:
	case LLVMFSub:
	case LLVMMul:
	case LLVMFMul:
	case LLVMFDiv:
	case LLVMFNeg:
	case LLVMShl:
	case LLVMLShr:
	case LLVMAShr:
	case LLVMAnd:
	case LLVMOr:
	case LLVMXor:
	case LLVMTrunc:
	case LLVMZExt:
	case LLVMSExt:
	case LLVMFPToUI:
	case LLVMFPToSI:
	case LLVMUIToFP:
	case LLVMSIToFP:
	case LLVMFPTrunc:
	case LLVMFPExt:
	case LLVMPtrToInt:
	case LLVMIntToPtr:
	case LLVMBitCast:
	case LLVMICmp:
	case LLVMFCmp:
	case LLVMPHI:
	case LLVMSelect:
	case LLVMFreeze:
	case LLVMGetElementPtr:
	case LLVMExtractElement:
	case LLVMInsertElement:
	case LLVMShuffleVector:
	case LLVMExtractValue:
	case LLVMInsertValue:
		return true;
	default: /* division may trap; the remainder of floating-point numbers is a call that may set errno */
		return false;
	}
}

static enum use use_of(LLVMValueRef value, LLVMValueRef user)
{
	if (!LLVMIsAInstruction(user))
		return OTHER;
	if (is_arithmetic(user))
		return COMPUTES;
	switch (LLVMGetInstructionOpcode(user)) {
	case LLVMStore:
		/* a store to an address that depends on the value is OTHER; so is a volatile or atomic store */
		return LLVMGetOperand(user, 1) == value || LLVMGetOrdering(user) || LLVMGetVolatile(user) ? OTHER
		                                                                                          : STORES;
	case LLVMCall:
		if (called_function(user) && is_intrinsic(called_function(user), "llvm.dbg."))
			return DROPS;
		return only_computes(user) ? COMPUTES : OTHER;
	default:
		return OTHER;
	}
}

static bool add(LLVMValueRef *list, size_t *n, size_t limit, LLVMValueRef value)
{
	for (size_t i = 0; i < *n; i++)
		if (list[i] == value)
			return true;
	if (*n == limit)
		return false;
	list[(*n)++] = value;
	return true;
}

/* Whether nothing but plain stores depends on what the load reads; finds these stores. */
static bool is_confined(LLVMValueRef load, LLVMValueRef stores[FLOW_STORES], size_t *n)
{
	enum { LIMIT = 64 }; /* the most values that may be computed from it */
	LLVMValueRef values[LIMIT] = {load};
	size_t count = 1;

	*n = 0;
	if (LLVMGetVolatile(load))
		return false;
	for (size_t i = 0; i < count; i++) {
		for (LLVMUseRef u = LLVMGetFirstUse(values[i]); u; u = LLVMGetNextUse(u)) {
			LLVMValueRef user = LLVMGetUser(u);
			switch (use_of(values[i], user)) {
			case DROPS:
				break;
			case COMPUTES:
				if (!add(values, &count, LIMIT, user))
					return false;
				break;
			case STORES:
				if (!add(stores, n, FLOW_STORES, user))
					return false;
				break;
			case OTHER:
				return false;
			}
		}
	}
	return true;
}

static bool is_base(LLVMValueRef value)
{
	/* the address of a thread-local variable is an instruction, but the same in all executions */
	if (LLVMIsACallInst(value))
		return called_function(value) && is_intrinsic(called_function(value), "llvm.threadlocal.address");
	return LLVMIsAConstant(value) || (LLVMIsAAllocaInst(value) && LLVMIsAConstant(LLVMGetOperand(value, 0)));
}

/*
 * What is computed from constants is fixed too. So is a PHI of fixed values, although it depends on the path: a thread
 * that takes the same path gets the same value, and where data decides the path, there is a branch.
 */
bool is_fixed(LLVMValueRef value)
{
	enum { LIMIT = 32 };
	LLVMValueRef values[LIMIT] = {value};
	size_t count = 1;

	for (size_t i = 0; i < count; i++) {
		if (is_base(values[i]))
			continue;
		if (!LLVMIsAInstruction(values[i]) || !is_arithmetic(values[i]))
			return false;
		for (unsigned k = 0, n = (unsigned)LLVMGetNumOperands(values[i]); k < n; k++)
			if (!add(values, &count, LIMIT, LLVMGetOperand(values[i], k)))
				return false;
	}
	return true;
}

/* ---- all loads of a function ---- */

/* The numbers of instructions, sorted by address for bsearch. */
struct instruction_numbers {
	struct instruction_number {
		LLVMValueRef in;
		size_t i;
	} *at;
	size_t n;
};

static int by_address(const void *a, const void *b)
{
	const struct instruction_number *x = a, *y = b;
	return (x->in > y->in) - (x->in < y->in);
}

static struct instruction_numbers number_instructions(const struct instructions *all)
{
	struct instruction_numbers numbers = {.at = calloc(all->n + 1, sizeof(*numbers.at)), .n = all->n};

	if (!numbers.at)
		fail("out of memory");
	for (size_t i = 0; i < all->n; i++)
		numbers.at[i] = (struct instruction_number){all->at[i], i};
	qsort(numbers.at, numbers.n, sizeof(*numbers.at), by_address);
	return numbers;
}

static size_t number_of(const struct instruction_numbers *numbers, LLVMValueRef in)
{
	const struct instruction_number *found =
	        bsearch(&(struct instruction_number){.in = in}, numbers->at, numbers->n, sizeof(*found), by_address);
	return found->i;
}

struct flows find_flows(struct pass *p, const struct instructions *all, struct access *accesses)
{
	struct instruction_numbers numbers = number_instructions(all);
	struct flows flows = {.at = calloc(all->n + 1, sizeof(*flows.at))};

	if (!flows.at)
		fail("out of memory");
	for (size_t i = 0; i < all->n; i++) {
		LLVMValueRef stores[FLOW_STORES];
		struct flow f = {.load = i};
		bool confined = LLVMIsALoadInst(all->at[i]) && is_counted(p, all->at[i]) &&
		                is_confined(all->at[i], stores, &f.n);
		for (size_t k = 0; confined && k < f.n; k++) {
			f.stores[k] = number_of(&numbers, stores[k]);
			confined = is_counted(p, stores[k]);
		}
		if (!confined)
			continue;
		accesses[i].flags |= OMEN_SITE_CONFINED;
		for (size_t k = 0; k < f.n; k++)
			accesses[f.stores[k]].flags |= OMEN_SITE_FED;
		flows.at[flows.n++] = f;
	}
	free(numbers.at);
	return flows;
}

void write_flows(struct pass *p, const struct flows *flows, const struct access *accesses)
{
	for (const struct flow *f = flows->at; f < flows->at + flows->n; f++)
		for (size_t k = 0; k < f->n; k++)
			add_flow(p, accesses[f->load].row, accesses[f->stores[k]].row);
}
