/* Where control flow depends on data, and where it goes round: branches and the back-edges of loops. */
#include "cc/cc.h"

#include <stdlib.h>

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

/* Nothing may stand between such a call and the return of its result. */
static bool is_musttail(LLVMValueRef value)
{
	return LLVMIsACallInst(value) && LLVMGetTailCallKind(value) == LLVMTailCallKindMustTail;
}

/* What a thread's function returns, others may join and decide by; that it is what the thread was given says nothing.
 */
static bool result_depends_on_data(LLVMValueRef end)
{
	LLVMValueRef function = function_of(end);
	LLVMValueRef value = LLVMGetNumOperands(end) ? LLVMGetOperand(end, 0) : NULL;

	return value && LLVMCountParams(function) == 1 && value != LLVMGetParam(function, 0) &&
	       LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(function, 0))) == LLVMPointerTypeKind && !is_fixed(value) &&
	       !is_musttail(value);
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

static void mark_branch(struct pass *p, LLVMValueRef instruction)
{
	insert_before(p, instruction);
	insert_call(p, "omen_inline_branch", p->none, ARGUMENTS(site(p, instruction, OMEN_SITE_BRANCH, 0)));
}

void walk_branches(struct pass *p, LLVMValueRef function)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			if (goes_by_data(i))
				mark_branch(p, i);
		if (depends_on_data(LLVMGetBasicBlockTerminator(b)))
			mark_branch(p, LLVMGetBasicBlockTerminator(b));
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
