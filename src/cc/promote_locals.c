/*
 * Brings the front end's stack slots into registers and removes unreachable code. All accesses that other threads may
 * see stay as the source has them.
 *
 * LLVM's passes merge two loads of one place, forward stored values to loads, and drop loads whose value is unused. For
 * memory that other threads may write, this is not what the source says: `if (x >= n) x -= n;` reads x twice. So these
 * accesses are volatile ("frozen") while the passes run.
 *
 * There are two rounds. In the first the address of a slot may hide a shared access (a reference to a local variable,
 * the pieces of a structure that is copied from shared memory); in the second it is visible.
 */
#include "cc/pass.h"

#include <stdlib.h>
#include <string.h>

static unsigned volatile_mark(struct pass *p)
{
	static const char name[] = "omen.volatile";
	return LLVMGetMDKindIDInContext(p->context, name, strlen(name));
}

/* ---- loads, stores, copies and fills ---- */

enum { VOLATILE_OPERAND = 3 }; /* index of the operand, of a copy or a fill */

static bool is_range(struct pass *p, LLVMValueRef in)
{
	LLVMValueRef callee = LLVMIsACallInst(in) ? called_function(in) : NULL;

	if (!callee || !LLVMGetIntrinsicID(callee) || LLVMGetNumArgOperands(in) != VOLATILE_OPERAND + 1)
		return false;
	return (is_intrinsic(callee, "llvm.memcpy.") || is_intrinsic(callee, "llvm.memmove.") ||
	        is_intrinsic(callee, "llvm.memset.")) &&
	       LLVMTypeOf(LLVMGetOperand(in, VOLATILE_OPERAND)) == p->i1;
}

static bool is_volatile(struct pass *p, LLVMValueRef in)
{
	if (is_range(p, in))
		return LLVMConstIntGetZExtValue(LLVMGetOperand(in, VOLATILE_OPERAND));
	return (LLVMIsALoadInst(in) || LLVMIsAStoreInst(in)) && LLVMGetVolatile(in);
}

static void set_volatile(struct pass *p, LLVMValueRef in, bool yes)
{
	if (is_range(p, in))
		LLVMSetOperand(in, VOLATILE_OPERAND, constant(p->i1, yes));
	else
		LLVMSetVolatile(in, yes);
}

/* May another thread access this memory? */
static bool may_be_shared(struct pass *p, LLVMValueRef in)
{
	if (is_range(p, in))
		return is_shared(p, LLVMGetOperand(in, 0)) ||
		       (!is_intrinsic(called_function(in), "llvm.memset.") && is_shared(p, LLVMGetOperand(in, 1)));
	return is_counted(p, in);
}

/*
 * A function that longjmp returns to finds its variables in memory, and LLVM at -O0 loses values that an asm goto has
 * put into registers. The passes skip such functions.
 */
static bool is_fragile(LLVMValueRef in)
{
	if (LLVMGetInstructionOpcode(in) == LLVMCallBr)
		return true;
	return (LLVMIsACallInst(in) || LLVMIsAInvokeInst(in)) && returns_twice(in);
}

/* ---- a function ---- */

static const char no_pass[] = "optnone"; /* passes skip a function with this attribute */

struct frozen {
	LLVMValueRef function;
	bool is_volatile; /* the source has volatile accesses in it */
	bool is_skipped;  /* we added the attribute `no_pass` */
};

static void mark_volatile(struct pass *p, LLVMValueRef in)
{
	set_volatile(p, in, true);
	LLVMSetMetadata(in, volatile_mark(p),
	                LLVMMetadataAsValue(p->context, LLVMMDNodeInContext2(p->context, NULL, 0)));
}

static struct frozen freeze(struct pass *p, LLVMValueRef function)
{
	struct instructions all = instructions_of(function);
	struct frozen frozen = {.function = function};
	bool counts = is_instrumented(p, function) && counts_accesses(p, function);

	for (size_t i = 0; i < all.n; i++) {
		frozen.is_skipped |= is_fragile(all.at[i]);
		if (is_volatile(p, all.at[i]))
			frozen.is_volatile = true;
		else if (counts && may_be_shared(p, all.at[i]))
			mark_volatile(p, all.at[i]);
	}
	frozen.is_skipped &= !has_attribute(function, no_pass);
	if (frozen.is_skipped)
		LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, attribute(p, no_pass));
	free(all.at);
	return frozen;
}

/*
 * Makes the accesses non-volatile again. Passes may split a copy and lose the mark of a piece: in a function with
 * volatile accesses of its own, such a piece stays volatile.
 */
static void unfreeze(struct pass *p, const struct frozen *frozen)
{
	struct instructions all = instructions_of(frozen->function);

	for (size_t i = 0; i < all.n; i++) {
		LLVMValueRef in = all.at[i];
		bool marked = LLVMGetMetadata(in, volatile_mark(p));
		if (!is_volatile(p, in) || (frozen->is_volatile && !marked))
			continue;
		set_volatile(p, in, false);
		if (marked)
			LLVMSetMetadata(in, volatile_mark(p), NULL);
	}
	if (frozen->is_skipped)
		LLVMRemoveEnumAttributeAtIndex(frozen->function, LLVMAttributeFunctionIndex,
		                               LLVMGetEnumAttributeKindForName(no_pass, strlen(no_pass)));
	free(all.at);
}

/* ---- the module ---- */

static void run_on_frozen(struct pass *p, const char *passes)
{
	size_t n = 0, room = 1;

	for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f))
		room++;
	struct frozen *frozen = calloc(room, sizeof(*frozen));
	if (!frozen)
		fail("out of memory");
	for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f))
		if (!LLVMIsDeclaration(f))
			frozen[n++] = freeze(p, f);
	forget_escapes(p); /* the passes delete the values it knows */
	run_passes(p->module, passes);
	for (size_t i = 0; i < n; i++)
		unfreeze(p, &frozen[i]);
	free(frozen);
}

void promote_locals(struct pass *p)
{
	run_on_frozen(p, "function(sroa)");
	run_on_frozen(p, "function(sroa,early-cse,simplifycfg)");
}
