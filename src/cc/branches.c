/*
 * The walk over branches: for prediction, it marks the operations whose effect depends on data, and the calls after
 * which values that were read are no longer confined (flow.c).
 */
#include "cc/pass.h"

#include <stdlib.h>
#include <string.h>

static bool depends_on_data(LLVMValueRef instruction)
{
	switch (LLVMGetInstructionOpcode(instruction)) {
	case LLVMBr:
		return LLVMIsConditional(instruction) && !is_fixed(LLVMGetCondition(instruction));
	case LLVMSwitch:
	case LLVMIndirectBr:
		return !is_fixed(LLVMGetOperand(instruction, 0));
	default:
		return false;
	}
}

/* Data may decide which code a call runs, or what code that is not seen here does with its arguments. */
static bool call_depends_on_data(LLVMValueRef call)
{
	LLVMValueRef callee = called_function(call);

	if (!callee)
		return !LLVMIsAInlineAsm(LLVMGetCalledValue(call)) && !LLVMIsAConstant(LLVMGetCalledValue(call));
	if (!LLVMIsDeclaration(callee) || LLVMGetIntrinsicID(callee) || name_starts(callee, "omen_"))
		return false;
	for (unsigned i = 0, n = LLVMGetNumArgOperands(call); i < n; i++)
		if (!is_fixed(LLVMGetOperand(call, i)))
			return true;
	return false;
}

/*
 * Another thread may join this one and decide by what its function returns. A function that returns its own argument
 * says nothing about data.
 */
static bool result_depends_on_data(LLVMValueRef end)
{
	LLVMValueRef function = function_of(end);
	LLVMValueRef value = LLVMGetNumOperands(end) ? LLVMGetOperand(end, 0) : NULL;

	return value && LLVMCountParams(function) == 1 && value != LLVMGetParam(function, 0) &&
	       LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(function, 0))) == LLVMPointerTypeKind && !is_fixed(value) &&
	       !musttail_before(end);
}

/* Whether data decides if, or with what, the thread continues. */
static bool effect_depends_on_data(LLVMValueRef instruction)
{
	switch (LLVMGetInstructionOpcode(instruction)) {
	case LLVMCall:
	case LLVMInvoke:
		return call_depends_on_data(instruction);
	case LLVMUDiv:
	case LLVMSDiv:
	case LLVMURem:
	case LLVMSRem: /* division by 0 ends the program */
		return !LLVMIsAConstant(LLVMGetOperand(instruction, 1));
	case LLVMRet:
		return result_depends_on_data(instruction);
	default:
		return false;
	}
}

/* Functions without instrumentation that read no memory of the program without Omen's knowledge. */
static bool reads_nothing_unseen(LLVMValueRef callee)
{
	static const char *const prefixes[] = {"pthread_", "sem_", "mtx_", "cnd_", "thrd_",
	                                       "_Znw",     "_Zna", "_Zdl", "_Zda"};
	static const char *const names[] = {"malloc", "calloc", "free",  "memcpy",      "memmove",
	                                    "memset", "usleep", "sleep", "sched_yield", "nanosleep"};

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++)
		if (name_starts(callee, prefixes[i]))
			return true;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(LLVMGetValueName(callee), names[i]))
			return true;
	return false;
}

/* The call itself copies an argument that is passed by value. */
static bool takes_copies(LLVMValueRef call)
{
	static const char name[] = "byval";
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

	for (unsigned i = 1, n = LLVMGetNumArgOperands(call); i <= n; i++)
		if (LLVMGetCallSiteEnumAttribute(call, i, kind))
			return true;
	return false;
}

/*
 * A call of code that may read any memory unseen. After it, values from confined loads (flow.c), and what stores that
 * other threads may see have written, are no longer confined.
 */
static bool lets_out(struct pass *p, LLVMValueRef call)
{
	LLVMValueRef callee = called_function(call), called = LLVMGetCalledValue(call);

	if (LLVMIsAInlineAsm(called)) {
		size_t length;
		LLVMGetInlineAsmAsmString(called, &length);
		return length; /* assembly without instructions only tells something to the compiler */
	}
	if (!callee)
		return true;
	if (takes_copies(call) || is_intrinsic(callee, "llvm.masked.") || is_intrinsic(callee, "llvm.x86."))
		return true;
	if (LLVMGetIntrinsicID(callee) || name_starts(callee, "omen_"))
		return false;
	if (LLVMIsDeclaration(callee))
		return !reads_nothing_unseen(callee);
	return !is_instrumented(p, callee) || !counts_accesses(p, callee) ||
	       LLVMGetLinkage(callee) == LLVMAvailableExternallyLinkage;
}

/* Code without instrumentation may call the function and then read what it has written. */
static bool is_called_by_others(LLVMValueRef function)
{
	for (LLVMUseRef u = LLVMGetFirstUse(function); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);
		if (!LLVMIsACallInst(user) && !LLVMIsAInvokeInst(user))
			return true;
		for (unsigned i = 0, n = LLVMGetNumArgOperands(user); i < n; i++)
			if (LLVMGetOperand(user, i) == function)
				return true;
	}
	return false;
}

static void mark_branch(struct pass *p, LLVMValueRef instruction)
{
	insert_before(p, instruction);
	insert_call(p, "omen_inline_branch", p->none, ARGUMENTS(site(p, instruction, OMEN_SITE_BRANCH, 0)));
}

static void mark_let_out(struct pass *p, LLVMValueRef call)
{
	insert_before(p, call);
	insert_call(p, "omen_inline_let_out", p->none, NULL, 0);
}

void walk_branches(struct pass *p, LLVMValueRef function)
{
	bool returns_anywhere = is_called_by_others(function);

	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
			if (effect_depends_on_data(i))
				mark_branch(p, i);
			if ((LLVMIsACallInst(i) || LLVMIsAInvokeInst(i)) && lets_out(p, i))
				mark_let_out(p, i);
		}
		LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
		if (depends_on_data(end))
			mark_branch(p, end);
		if (returns_anywhere && LLVMIsAReturnInst(end) && !musttail_before(end))
			mark_let_out(p, end);
	}
}
