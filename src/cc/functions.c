/* Functions as wholes: which are instrumented, which promises they can no longer keep, their shadow stack frames. */
#include "cc/cc.h"

#include <stdlib.h>
#include <string.h>

/* A resolver runs while the program is being relocated: neither the hooks nor the hot page exist yet. */
static bool is_resolver(struct pass *p, LLVMValueRef function)
{
	for (LLVMValueRef i = LLVMGetFirstGlobalIFunc(p->module); i; i = LLVMGetNextGlobalIFunc(i))
		if (LLVMGetGlobalIFuncResolver(i) == function)
			return true;
	return false;
}

/*
 * available_externally bodies are instrumented although they are never emitted: C99 inline functions reach the
 * program by being inlined, and their accesses count.
 */
bool is_instrumented(struct pass *p, LLVMValueRef function)
{
	enum { X86_INTERRUPT = 83 };

	if (LLVMIsDeclaration(function) || name_starts(function, "llvm.") || name_starts(function, "omen_"))
		return false;
	if (has_attribute(function, "naked") || has_attribute(function, "disable_sanitizer_instrumentation"))
		return false;
	if (LLVMGetFunctionCallConv(function) == X86_INTERRUPT)
		return false;
	return !is_resolver(p, function);
}

/*
 * The front end marks the functions whose accesses count as it does for ThreadSanitizer, so no_sanitize("thread") and
 * ignorelists mean the same here.  In the others synchronisation is still understood, as it is there.
 */
static const char mark[] = "sanitize_thread";

/* The same for an optimiser that is not to know: it would leave out what ThreadSanitizer does not like. */
static const char hidden_mark[] = "omen-counts-accesses";

static bool is_marked(LLVMValueRef function)
{
	return has_attribute(function, mark) ||
	       LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, hidden_mark, strlen(hidden_mark));
}

bool counts_accesses(struct pass *p, LLVMValueRef function)
{
	return (p->unmarked || is_marked(function)) && !races_by_design(function);
}

bool has_marks(struct pass *p)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f))
		if (is_marked(f))
			return true;
	return false;
}

/* What is not marked, or is known by its name, must not become part of another function. */
void hide_marks(struct pass *p)
{
	LLVMAttributeRef hidden = LLVMCreateStringAttribute(p->context, hidden_mark, strlen(hidden_mark), "", 0);
	bool any = has_marks(p);

	for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f)) {
		if (LLVMIsDeclaration(f))
			continue;
		bool apart = is_stream_member(f) || races_by_design(f) || (any && !is_marked(f));
		if (is_marked(f))
			LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, hidden);
		if (apart && !has_attribute(f, "alwaysinline"))
			LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, attribute(p, "noinline"));
		LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex,
		                               LLVMGetEnumAttributeKindForName(mark, strlen(mark)));
	}
}

/* Once the walks are over they would only keep functions from being inlined into each other. */
void drop_marks(struct pass *p)
{
	unsigned kind = LLVMGetEnumAttributeKindForName(mark, strlen(mark));

	for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f)) {
		LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind);
		LLVMRemoveStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, hidden_mark, strlen(hidden_mark));
	}
}

static const char *const false_of_functions[] = {"memory", "nosync", "nofree", "speculatable", "willreturn", NULL};
static const char *const false_of_parameters[] = {"readonly", "readnone", "writeonly", "nocapture", NULL};

static void drop_from_function(LLVMValueRef f, unsigned index, const char *const *names)
{
	for (; *names; names++)
		LLVMRemoveEnumAttributeAtIndex(f, index, LLVMGetEnumAttributeKindForName(*names, strlen(*names)));
}

static void drop_from_call(LLVMValueRef call, unsigned index, const char *const *names)
{
	for (; *names; names++)
		LLVMRemoveCallSiteEnumAttribute(call, index, LLVMGetEnumAttributeKindForName(*names, strlen(*names)));
}

static void drop_from_calls(LLVMValueRef function)
{
	struct instructions all = instructions_of(function);

	for (size_t i = 0; i < all.n; i++) {
		LLVMValueRef call = all.at[i];
		if (!LLVMIsACallInst(call) && !LLVMIsAInvokeInst(call))
			continue;
		LLVMValueRef callee = LLVMGetCalledValue(call);
		if (LLVMIsAInlineAsm(callee) || (LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee)))
			continue;
		drop_from_call(call, LLVMAttributeFunctionIndex, false_of_functions);
		for (unsigned k = 1; k <= LLVMGetNumArgOperands(call); k++)
			drop_from_call(call, k, false_of_parameters);
	}
	free(all.at);
}

/*
 * What was said or inferred about a function's effects is untrue once it calls hooks: left in place, the optimiser
 * would merge or move calls across a fiber switch.  Declarations too: the body is likely instrumented elsewhere.
 */
void drop_false_attributes(struct pass *p)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f)) {
		if (LLVMGetIntrinsicID(f))
			continue;
		drop_from_function(f, LLVMAttributeFunctionIndex, false_of_functions);
		for (unsigned k = 1; k <= LLVMCountParams(f); k++)
			drop_from_function(f, k, false_of_parameters);
		drop_from_calls(f);
	}
}

static bool is_own_or_intrinsic(LLVMValueRef callee)
{
	return callee && (LLVMGetIntrinsicID(callee) || name_starts(callee, "omen_"));
}

/* Straight code that calls nobody: its frame would be seen by its own accesses only, and their sites name it. */
static bool needs_frame(LLVMValueRef function, const struct instructions *all)
{
	if (has_attribute(function, "presplitcoroutine"))
		return false;
	if (LLVMCountBasicBlocks(function) > 1)
		return true;
	for (size_t i = 0; i < all->n; i++)
		if (LLVMIsACallInst(all->at[i]) && !is_own_or_intrinsic(called_function(all->at[i])))
			return true;
	return false;
}

static LLVMValueRef enter(struct pass *p, LLVMValueRef function)
{
	LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));

	while (LLVMIsAAllocaInst(first))
		first = LLVMGetNextInstruction(first);
	insert_before(p, first);
	return insert_call(p, "omen_inline_enter", p->i32, ARGUMENTS(function_site(p, function)));
}

/* Nothing may stand between a musttail call and its return. */
static void leave(struct pass *p, LLVMValueRef end, LLVMValueRef depth)
{
	LLVMValueRef last = LLVMGetPreviousInstruction(end);

	if (last && LLVMIsABitCastInst(last))
		last = LLVMGetPreviousInstruction(last);
	if (last && LLVMIsACallInst(last) && LLVMGetTailCallKind(last) == LLVMTailCallKindMustTail)
		end = last;
	insert_before(p, end);
	insert_call(p, "omen_inline_exit", p->none, ARGUMENTS(depth));
}

bool returns_twice(LLVMValueRef call)
{
	static const char name[] = "returns_twice";
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
	LLVMValueRef callee = called_function(call);

	return LLVMGetCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, kind) ||
	       (callee && has_attribute(callee, name));
}

/* While the function runs its depth is always the same, so a block with other ways in may set it as well. */
static void come_back(struct pass *p, LLVMValueRef after, LLVMValueRef depth)
{
	if (LLVMIsAInvokeInst(after)) {
		LLVMValueRef next = LLVMGetFirstInstruction(LLVMGetNormalDest(after));
		while (LLVMIsAPHINode(next))
			next = LLVMGetNextInstruction(next);
		insert_before(p, next);
	} else {
		insert_after(p, after);
	}
	insert_call(p, "omen_inline_return", p->none, ARGUMENTS(depth));
}

void walk_frames(struct pass *p, LLVMValueRef function)
{
	struct instructions all = instructions_of(function);

	if (!needs_frame(function, &all)) {
		free(all.at);
		return;
	}

	LLVMValueRef depth = enter(p, function);
	for (size_t i = 0; i < all.n; i++) {
		LLVMValueRef in = all.at[i];
		switch (LLVMGetInstructionOpcode(in)) {
		case LLVMRet:
		case LLVMResume:
			leave(p, in, depth);
			break;
		case LLVMLandingPad:
			come_back(p, in, depth);
			break;
		case LLVMCall:
		case LLVMInvoke:
			if (returns_twice(in))
				come_back(p, in, depth);
			break;
		default:
			break;
		}
	}
	free(all.at);
}
