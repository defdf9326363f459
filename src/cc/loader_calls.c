/*
 * The dynamic linker runs constructors and callbacks under a lock of its own. These hooks tell the runtime of it
 * (rt/threads/loader_lock.c).
 */
#include "cc/pass.h"

#include <stdlib.h>
#include <string.h>

static void call_loader_hook(struct pass *p, bool leaves)
{
	insert_call(p, "omen_loader", p->none, ARGUMENTS(constant(p->i32, leaves)));
}

/* ---- constructors and destructors ---- */

static void hook_constructor(struct pass *p, LLVMValueRef function)
{
	struct instructions all = instructions_of(function);
	size_t first = 0;

	while (first < all.n && LLVMIsAAllocaInst(all.at[first]))
		first++;
	insert_before(p, all.at[first]);
	call_loader_hook(p, false);
	for (size_t i = first; i < all.n; i++)
		if (LLVMIsAReturnInst(all.at[i])) {
			insert_before(p, all.at[i]);
			call_loader_hook(p, true);
		}
	free(all.at);
}

/* The lists have rows of priority, function and associated data. */
void walk_constructors(struct pass *p)
{
	static const char *const lists[] = {"llvm.global_ctors", "llvm.global_dtors"};

	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		LLVMValueRef list = LLVMGetNamedGlobal(p->module, lists[i]);
		LLVMValueRef rows = list ? LLVMGetInitializer(list) : NULL;
		for (int k = 0; rows && k < LLVMGetNumOperands(rows); k++) {
			LLVMValueRef function = LLVMIsAFunction(LLVMGetOperand(LLVMGetOperand(rows, k), 1));
			if (function && is_instrumented(p, function))
				hook_constructor(p, function);
		}
	}
}

/* ---- calls ---- */

static void hook_loader(struct pass *p, LLVMValueRef call)
{
	static const char own[] = "omen_dl_iterate_phdr";
	LLVMValueRef callee = called_function(call), other;
	const char *name = callee && LLVMIsDeclaration(callee) ? LLVMGetValueName(callee) : "";

	if (!strcmp(name, "dl_iterate_phdr")) {
		other = LLVMGetNamedFunction(p->module, own);
		if (!other)
			other = LLVMAddFunction(p->module, own, LLVMGlobalGetValueType(callee));
		LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, other);
	}
	if (strcmp(name, "dlopen") && strcmp(name, "dlmopen") && strcmp(name, "dlclose"))
		return;
	insert_before(p, call);
	call_loader_hook(p, false);
	if (insert_with_result(p, call))
		call_loader_hook(p, true);
}

void walk_loader(struct pass *p, LLVMValueRef function)
{
	struct instructions all = instructions_of(function);

	for (size_t i = 0; i < all.n; i++)
		hook_loader(p, all.at[i]);
	free(all.at);
}
