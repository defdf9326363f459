/*
 * Functions as a whole: which are instrumented, which attributes they lose, and their frames on the shadow call stack.
 */
#include "cc/pass.h"

#include <stdlib.h>
#include <string.h>

/* A resolver runs during relocation, when neither the hooks nor the hot page exist. */
static bool is_resolver(struct pass *p, LLVMValueRef function)
{
	for (LLVMValueRef i = LLVMGetFirstGlobalIFunc(p->module); i; i = LLVMGetNextGlobalIFunc(i))
		if (LLVMGetGlobalIFuncResolver(i) == function)
			return true;
	return false;
}

/*
 * available_externally bodies are instrumented although the compiler never emits them: C99 inline functions get into
 * the program by inlining, and their accesses count.
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
 * ignorelists have the same meaning here. As there, synchronisation in the other functions still counts.
 */
static const char mark[] = "sanitize_thread";

/*
 * The same mark under another name, for an optimiser that runs first: with the real one it would skip optimisations
 * that ThreadSanitizer does not allow.
 */
static const char hidden_mark[] = "omen-counts-accesses";

static bool is_marked(LLVMValueRef function)
{
	return has_attribute(function, mark) ||
	       LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, hidden_mark, strlen(hidden_mark));
}

bool counts_accesses(struct pass *p, LLVMValueRef function)
{
	return (p->all_count || is_marked(function)) && !races_by_design(function);
}

bool has_marks(struct pass *p)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f))
		if (is_marked(f))
			return true;
	return false;
}

/* Functions that are not marked, and those that the pass recognises by name, must not be inlined into others. */
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

/* After the walks the marks would only prevent inlining. */
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
 * Attributes about the effects of a function are false once it calls hooks: with them the optimiser would merge or move
 * calls across a fiber switch. Declarations lose them too, as the body is probably instrumented elsewhere.
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

/* Straight code without calls needs no frame: only its own accesses would see it, and their sites name the function. */
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

static LLVMValueRef insert_enter(struct pass *p, LLVMValueRef function)
{
	LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));

	while (LLVMIsAAllocaInst(first))
		first = LLVMGetNextInstruction(first);
	insert_before(p, first);
	return insert_call(p, "omen_inline_enter", p->i32, ARGUMENTS(function_site(p, function)));
}

static void insert_exit(struct pass *p, LLVMValueRef end, LLVMValueRef depth)
{
	LLVMValueRef last = musttail_before(end);

	insert_before(p, last ? last : end);
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

/*
 * The depth is the same everywhere in the function, so the helper may also stand in a block that control reaches in
 * other ways.
 */
static void insert_return(struct pass *p, LLVMValueRef after, LLVMValueRef depth)
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

	LLVMValueRef depth = insert_enter(p, function);
	for (size_t i = 0; i < all.n; i++) {
		LLVMValueRef in = all.at[i];
		switch (LLVMGetInstructionOpcode(in)) {
		case LLVMRet:
		case LLVMResume:
			insert_exit(p, in, depth);
			break;
		case LLVMLandingPad:
			insert_return(p, in, depth);
			break;
		case LLVMCall:
		case LLVMInvoke:
			if (returns_twice(in))
				insert_return(p, in, depth);
			break;
		default:
			break;
		}
	}
	free(all.at);
}
