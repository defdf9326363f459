/* Questions about IR and insertions that all walks need. */
#include "cc/pass.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdlib.h>
#include <string.h>

struct instructions instructions_of(LLVMValueRef function)
{
	struct instructions list = {0};

	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
			if (list.n == list.room) {
				list.room = list.room ? 2 * list.room : 256;
				list.at = realloc(list.at, list.room * sizeof(*list.at));
				if (!list.at)
					fail("out of memory");
			}
			list.at[list.n++] = i;
		}
	}
	return list;
}

LLVMValueRef function_of(LLVMValueRef instruction)
{
	return LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
}

/* The verifier wants a location for every call that can be inlined, if its function has debug information. */
static void set_location(struct pass *p, LLVMValueRef function, LLVMMetadataRef location)
{
	LLVMMetadataRef subprogram = LLVMGetSubprogram(function);

	if (!location && subprogram)
		location = LLVMDIBuilderCreateDebugLocation(p->context, LLVMDISubprogramGetLine(subprogram), 0,
		                                            subprogram, NULL);
	LLVMSetCurrentDebugLocation2(p->builder, location);
}

void insert_before(struct pass *p, LLVMValueRef instruction)
{
	LLVMPositionBuilderBefore(p->builder, instruction);
	set_location(p, function_of(instruction), LLVMInstructionGetDebugLoc(instruction));
}

void insert_after(struct pass *p, LLVMValueRef instruction)
{
	LLVMPositionBuilderBefore(p->builder, LLVMGetNextInstruction(instruction));
	set_location(p, function_of(instruction), LLVMInstructionGetDebugLoc(instruction));
}

/* Whether there is one way into a block. The users of a block are the terminators that go there, and blockaddress. */
static bool has_one_way_in(LLVMBasicBlockRef block)
{
	LLVMUseRef first = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
	return first && !LLVMGetNextUse(first);
}

bool insert_with_result(struct pass *p, LLVMValueRef call)
{
	if (LLVMIsACallInst(call)) {
		if (LLVMGetTailCallKind(call) == LLVMTailCallKindMustTail)
			return false;
		insert_after(p, call);
		return true;
	}

	LLVMBasicBlockRef next = LLVMGetNormalDest(call);
	if (!has_one_way_in(next))
		return false;
	LLVMValueRef first = LLVMGetFirstInstruction(next);
	while (LLVMIsAPHINode(first))
		first = LLVMGetNextInstruction(first);
	insert_before(p, first);
	return true;
}

LLVMAttributeRef attribute(struct pass *p, const char *name)
{
	return LLVMCreateEnumAttribute(p->context, LLVMGetEnumAttributeKindForName(name, strlen(name)), 0);
}

/* In the C calling convention the caller extends small integer arguments, and the callee small results. */
static bool is_small(LLVMTypeRef type)
{
	return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) < 32;
}

LLVMValueRef insert_call(struct pass *p, const char *name, LLVMTypeRef result, LLVMValueRef *args, size_t n)
{
	LLVMTypeRef types[20];
	for (size_t i = 0; i < n; i++)
		types[i] = LLVMTypeOf(args[i]);

	LLVMTypeRef type = LLVMFunctionType(result, types, n, false);
	LLVMValueRef callee = LLVMGetNamedFunction(p->module, name);
	if (!callee) {
		callee = LLVMAddFunction(p->module, name, type);
		LLVMAddAttributeAtIndex(callee, LLVMAttributeFunctionIndex, attribute(p, "nounwind"));
	}

	LLVMValueRef call = LLVMBuildCall2(p->builder, type, callee, args, n, "");
	LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex, attribute(p, "nounwind"));
	for (size_t i = 0; i < n; i++)
		if (is_small(types[i]))
			LLVMAddCallSiteAttribute(call, i + 1, attribute(p, "zeroext"));
	if (is_small(result))
		LLVMAddCallSiteAttribute(call, LLVMAttributeReturnIndex, attribute(p, "zeroext"));
	return call;
}

LLVMValueRef insert_slot(struct pass *p, LLVMValueRef function, LLVMTypeRef type)
{
	LLVMBuilderRef builder = LLVMCreateBuilderInContext(p->context);
	LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
	LLVMValueRef slot = LLVMBuildAlloca(builder, type, "");
	LLVMDisposeBuilder(builder);
	return slot;
}

LLVMValueRef constant(LLVMTypeRef type, unsigned long long value) { return LLVMConstInt(type, value, false); }

bool has_attribute(LLVMValueRef function, const char *name)
{
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
	return LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind) != NULL;
}

bool name_starts(LLVMValueRef value, const char *prefix)
{
	size_t n;
	const char *name = LLVMGetValueName2(value, &n);
	return n >= strlen(prefix) && !memcmp(name, prefix, strlen(prefix));
}

bool is_intrinsic(LLVMValueRef callee, const char *prefix)
{
	return LLVMGetIntrinsicID(callee) && name_starts(callee, prefix);
}

LLVMValueRef called_function(LLVMValueRef instruction)
{
	if (!LLVMIsACallInst(instruction) && !LLVMIsAInvokeInst(instruction))
		return NULL;
	return LLVMIsAFunction(LLVMGetCalledValue(instruction));
}

bool is_plain_access(LLVMValueRef in) { return (LLVMIsALoadInst(in) || LLVMIsAStoreInst(in)) && !LLVMGetOrdering(in); }

LLVMValueRef accessed_pointer(LLVMValueRef access) { return LLVMGetOperand(access, LLVMIsAStoreInst(access) ? 1 : 0); }

LLVMValueRef musttail_before(LLVMValueRef end)
{
	LLVMValueRef before = LLVMGetPreviousInstruction(end);

	if (before && LLVMIsABitCastInst(before))
		before = LLVMGetPreviousInstruction(before);
	return before && LLVMIsACallInst(before) && LLVMGetTailCallKind(before) == LLVMTailCallKindMustTail ? before
	                                                                                                    : NULL;
}

/* llvm.compiler.used cannot grow in place: it is replaced by a list with one element more. */
void keep_global(struct pass *p, LLVMValueRef global)
{
	static const char name[] = "llvm.compiler.used";
	LLVMValueRef old = LLVMGetNamedGlobal(p->module, name);
	LLVMValueRef list = old ? LLVMGetInitializer(old) : NULL;
	unsigned n = list ? LLVMGetNumOperands(list) : 0;
	LLVMValueRef *kept = calloc(n + 1, sizeof(*kept));

	if (!kept)
		fail("out of memory");
	for (unsigned i = 0; i < n; i++)
		kept[i] = LLVMGetOperand(list, i);
	kept[n] = global;
	if (old)
		LLVMDeleteGlobal(old);

	LLVMValueRef value = LLVMConstArray2(p->pointer, kept, n + 1);
	LLVMValueRef used = LLVMAddGlobal(p->module, LLVMTypeOf(value), name);
	LLVMSetInitializer(used, value);
	LLVMSetLinkage(used, LLVMAppendingLinkage);
	LLVMSetSection(used, "llvm.metadata");
	free(kept);
}

void run_passes(LLVMModuleRef module, const char *passes)
{
	LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
	LLVMErrorRef error = LLVMRunPasses(module, passes, NULL, options);

	if (error)
		fail("LLVM cannot run '%s': %s", passes, LLVMGetErrorMessage(error));
	LLVMDisposePassBuilderOptions(options);
}
