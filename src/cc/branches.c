/* Where control flow depends on data, and where it goes round: branches and the back-edges of loops. */
#include "cc/cc.h"

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

/* Which code a call runs, or what code that is not seen here does with its arguments, depends on data, too. */
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

/* Nothing may stand between such a call and the return. */
static bool is_behind_musttail(LLVMValueRef end)
{
	LLVMValueRef before = LLVMGetPreviousInstruction(end);

	if (before && LLVMIsABitCastInst(before))
		before = LLVMGetPreviousInstruction(before);
	return before && LLVMIsACallInst(before) && LLVMGetTailCallKind(before) == LLVMTailCallKindMustTail;
}

/* What a thread's function returns, others may join and decide by; that it is what the thread was given says nothing.
 */
static bool result_depends_on_data(LLVMValueRef end)
{
	LLVMValueRef function = function_of(end);
	LLVMValueRef value = LLVMGetNumOperands(end) ? LLVMGetOperand(end, 0) : NULL;

	return value && LLVMCountParams(function) == 1 && value != LLVMGetParam(function, 0) &&
	       LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(function, 0))) == LLVMPointerTypeKind && !is_fixed(value) &&
	       !is_behind_musttail(end);
}

/* Whether the thread goes on, or with what. */
static bool goes_by_data(LLVMValueRef instruction)
{
	switch (LLVMGetInstructionOpcode(instruction)) {
	case LLVMCall:
	case LLVMInvoke:
		return call_depends_on_data(instruction);
	case LLVMUDiv:
	case LLVMSDiv:
	case LLVMURem:
	case LLVMSRem: /* by 0 is the end */
		return !LLVMIsAConstant(LLVMGetOperand(instruction, 1));
	case LLVMRet:
		return result_depends_on_data(instruction);
	default:
		return false;
	}
}

/* Of the functions that are not instrumented: those that look at no memory of the program's without Omen's knowing. */
static bool looks_at_nothing(LLVMValueRef callee)
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

/* What is passed by value is copied by the call itself. */
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
 * A call of code that may look at any memory unseen: what confined loads (flow.c) have read, and what stands in stores
 * that other threads may see, is not confined any more.
 */
static bool lets_out(struct pass *p, LLVMValueRef call)
{
	LLVMValueRef callee = called_function(call), called = LLVMGetCalledValue(call);

	if (LLVMIsAInlineAsm(called)) {
		size_t length;
		LLVMGetInlineAsmAsmString(called, &length);
		return length; /* one without instructions is for the compiler */
	}
	if (!callee)
		return true;
	if (takes_copies(call) || is_intrinsic(callee, "llvm.masked.") || is_intrinsic(callee, "llvm.x86."))
		return true;
	if (LLVMGetIntrinsicID(callee) || name_starts(callee, "omen_"))
		return false;
	if (LLVMIsDeclaration(callee))
		return !looks_at_nothing(callee);
	return !is_instrumented(p, callee) || !counts_accesses(p, callee) ||
	       LLVMGetLinkage(callee) == LLVMAvailableExternallyLinkage;
}

/* Code that is not instrumented may call the function, and then look at what it has left. */
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
			if (goes_by_data(i))
				mark_branch(p, i);
			if ((LLVMIsACallInst(i) || LLVMIsAInvokeInst(i)) && lets_out(p, i))
				mark_let_out(p, i);
		}
		LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
		if (depends_on_data(end))
			mark_branch(p, end);
		if (returns_anywhere && LLVMIsAReturnInst(end) && !is_behind_musttail(end))
			mark_let_out(p, end);
	}
}

/*
 * A depth-first walk over the blocks: an edge to a block that the walk has entered and not yet left closes a cycle,
 * and every cycle has such an edge, in irreducible graphs too.
 */
enum colour { UNSEEN, ON_PATH, LEFT };

struct graph {
	LLVMBasicBlockRef *blocks; /* sorted by address */
	enum colour *colour;
	unsigned n;
};

struct step {
	unsigned block, successor;
};

static int by_address(const void *a, const void *b)
{
	const LLVMBasicBlockRef *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

static unsigned index_of(const struct graph *g, LLVMBasicBlockRef block)
{
	LLVMBasicBlockRef *found = bsearch(&block, g->blocks, g->n, sizeof(block), by_address);
	return found - g->blocks;
}

static void mark_loop(struct pass *p, LLVMBasicBlockRef source)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(source);

	insert_before(p, end);
	insert_call(p, "omen_inline_loop", p->none, ARGUMENTS(site(p, end, OMEN_SITE_LOOP, 0)));
}

static void search(struct pass *p, struct graph *g, unsigned entry, struct step *path, bool *marked)
{
	unsigned depth = 0;

	path[depth++] = (struct step){entry, 0};
	g->colour[entry] = ON_PATH;
	while (depth) {
		struct step *top = &path[depth - 1];
		LLVMValueRef end = LLVMGetBasicBlockTerminator(g->blocks[top->block]);
		if (top->successor == LLVMGetNumSuccessors(end)) {
			g->colour[top->block] = LEFT;
			depth--;
			continue;
		}
		unsigned next = index_of(g, LLVMGetSuccessor(end, top->successor++));
		if (g->colour[next] == UNSEEN) {
			g->colour[next] = ON_PATH;
			path[depth++] = (struct step){next, 0};
		} else if (g->colour[next] == ON_PATH && !marked[top->block]) {
			marked[top->block] = true;
			mark_loop(p, g->blocks[top->block]);
		}
	}
}

void walk_loops(struct pass *p, LLVMValueRef function)
{
	struct graph g = {.n = LLVMCountBasicBlocks(function)};
	struct step *path = calloc(g.n, sizeof(*path));
	bool *marked = calloc(g.n, sizeof(*marked));

	g.blocks = calloc(g.n, sizeof(*g.blocks));
	g.colour = calloc(g.n, sizeof(*g.colour));
	if (!path || !marked || !g.blocks || !g.colour)
		fail("out of memory");
	LLVMGetBasicBlocks(function, g.blocks);
	qsort(g.blocks, g.n, sizeof(*g.blocks), by_address);
	search(p, &g, index_of(&g, LLVMGetEntryBasicBlock(function)), path, marked);

	free(path);
	free(marked);
	free(g.blocks);
	free(g.colour);
}
