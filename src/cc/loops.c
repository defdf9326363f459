/*
 * The walk over loops: it puts a hook on every back-edge.
 *
 * It finds back-edges by a depth-first search over the blocks: an edge to a block that the search has entered and not
 * yet left closes a cycle. Every cycle has such an edge, in irreducible graphs too.
 */
#include "cc/pass.h"

#include <stdlib.h>

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

static void mark_back_edges(struct pass *p, struct graph *g, unsigned entry, struct step *path, bool *marked)
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
	mark_back_edges(p, &g, index_of(&g, LLVMGetEntryBasicBlock(function)), path, marked);

	free(path);
	free(marked);
	free(g.blocks);
	free(g.colour);
}
