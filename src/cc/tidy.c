/*
 * Stack slots of the front end become registers, and what can never be reached goes; all that other threads may take
 * part in stays as the source has it.
 *
 * LLVM's passes merge two loads of one place, forward what was stored, and drop loads whose value nobody uses.  Of
 * memory that other threads may write none of that is true to the source: `if (x >= n) x -= n;` reads x twice.  So
 * these accesses are volatile while the passes run.
 *
 * There are two rounds: what a slot's address hides in the first (a reference to a local variable, the pieces of a
 * structure that is copied from shared memory) is plain to see in the second.
 */
#include "cc/cc.h"

#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdlib.h>
#include <string.h>

void run_passes(LLVMModuleRef module, const char *passes)
{
	LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
	LLVMErrorRef error = LLVMRunPasses(module, passes, NULL, options);

	if (error)
		fail("LLVM cannot run '%s': %s", passes, LLVMGetErrorMessage(error));
	LLVMDisposePassBuilderOptions(options);
}

static unsigned made_volatile(struct pass *p)
{
	static const char name[] = "omen.volatile";
	return LLVMGetMDKindIDInContext(p->context, name, strlen(name));
}

/* ---- loads, stores, copies and fills alike ---- */

enum { VOLATILE_OPERAND = 3 }; /* of a copy or a fill */

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

/* May another thread take part in it? */
static bool is_to_keep(struct pass *p, LLVMValueRef in)
{
	if (is_range(p, in))
		return is_shared(p, LLVMGetOperand(in, 0)) ||
		       (!is_intrinsic(called_function(in), "llvm.memset.") && is_shared(p, LLVMGetOperand(in, 1)));
	return is_counted(p, in);
}

/*
 * Who comes back to a function by longjmp finds in memory what its variables were then, and LLVM at -O0 loses what an
 * asm goto has put into a register: such functions stay as they are.
 */
static bool is_fragile(LLVMValueRef in)
{
	if (LLVMGetInstructionOpcode(in) == LLVMCallBr)
		return true;
	return (LLVMIsACallInst(in) || LLVMIsAInvokeInst(in)) && returns_twice(in);
}

/* ---- a function ---- */

static const char untouched[] = "optnone"; /* no pass looks at it */

struct kept {
	LLVMValueRef function;
	bool is_volatile;  /* the source itself has volatile accesses in it */
	bool is_untouched; /* by us */
};

static void mark_volatile(struct pass *p, LLVMValueRef in)
{
	set_volatile(p, in, true);
	LLVMSetMetadata(in, made_volatile(p),
	                LLVMMetadataAsValue(p->context, LLVMMDNodeInContext2(p->context, NULL, 0)));
}

static struct kept keep(struct pass *p, LLVMValueRef function)
{
	struct instructions all = instructions_of(function);
	struct kept kept = {.function = function};
	bool counts = is_instrumented(p, function) && counts_accesses(p, function);

	for (size_t i = 0; i < all.n; i++) {
		kept.is_untouched |= is_fragile(all.at[i]);
		if (is_volatile(p, all.at[i]))
			kept.is_volatile = true;
		else if (counts && is_to_keep(p, all.at[i]))
			mark_volatile(p, all.at[i]);
	}
	kept.is_untouched &= !has_attribute(function, untouched);
	if (kept.is_untouched)
		LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, attribute(p, untouched));
	free(all.at);
	return kept;
}

/* A piece of a copy has lost its mark: if it may be the source's own, volatile it stays. */
static void let_go(struct pass *p, const struct kept *kept)
{
	struct instructions all = instructions_of(kept->function);

	for (size_t i = 0; i < all.n; i++) {
		LLVMValueRef in = all.at[i];
		bool marked = LLVMGetMetadata(in, made_volatile(p));
		if (!is_volatile(p, in) || (kept->is_volatile && !marked))
			continue;
		set_volatile(p, in, false);
		if (marked)
			LLVMSetMetadata(in, made_volatile(p), NULL);
	}
	if (kept->is_untouched)
		LLVMRemoveEnumAttributeAtIndex(kept->function, LLVMAttributeFunctionIndex,
		                               LLVMGetEnumAttributeKindForName(untouched, strlen(untouched)));
	free(all.at);
}

/* ---- the module ---- */

static void run_on_kept(struct pass *p, const char *passes)
{
	size_t n = 0, room = 1;

	for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f))
		room++;
	struct kept *kept = calloc(room, sizeof(*kept));
	if (!kept)
		fail("out of memory");
	for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f))
		if (!LLVMIsDeclaration(f))
			kept[n++] = keep(p, f);
	forget_escapes(p); /* the passes remove what it is about */
	run_passes(p->module, passes);
	for (size_t i = 0; i < n; i++)
		let_go(p, &kept[i]);
	free(kept);
}

void tidy(struct pass *p)
{
	run_on_kept(p, "function(sroa)");
	run_on_kept(p, "function(sroa,early-cse,simplifycfg)");
}
