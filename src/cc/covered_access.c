/*
 * Accesses whose races another access reports as well.
 *
 * If an access races with another thread, so does every access of the same segment that has at least the same bytes and
 * is at least as strong. Such an access is an earlier one on the only path to here or, for a load, a later store of the
 * same block.
 */
#include "cc/pass.h"

/* A segment ends where the thread releases something: at a call or an atomic operation. */
static bool may_release(LLVMValueRef in)
{
	if (LLVMIsACallInst(in))
		return !called_function(in) || !LLVMGetIntrinsicID(called_function(in));
	if (LLVMIsALoadInst(in) || LLVMIsAStoreInst(in))
		return LLVMGetOrdering(in);
	return LLVMIsAInvokeInst(in) || LLVMIsAAtomicRMWInst(in) || LLVMIsAAtomicCmpXchgInst(in) ||
	       LLVMIsAFenceInst(in);
}

static uint64_t accessed_bytes(struct pass *p, LLVMValueRef access)
{
	LLVMValueRef value = LLVMIsAStoreInst(access) ? LLVMGetOperand(access, 0) : access;
	return LLVMStoreSizeOfType(p->layout, LLVMTypeOf(value));
}

/* Does `by` access all bytes of `in`, and write if `in` writes? */
static bool covers(struct pass *p, LLVMValueRef by, LLVMValueRef in)
{
	return is_plain_access(by) && accessed_pointer(by) == accessed_pointer(in) &&
	       accessed_bytes(p, by) >= accessed_bytes(p, in) && (LLVMIsAStoreInst(by) || LLVMIsALoadInst(in)) &&
	       !LLVMGetVolatile(by) && !LLVMGetVolatile(in);
}

/* The only block that control comes from; NULL if there are several, or if it comes by an exception. */
static LLVMBasicBlockRef only_predecessor(LLVMBasicBlockRef block)
{
	LLVMValueRef end = NULL;

	for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);
		if (!LLVMIsABranchInst(user) && !LLVMIsASwitchInst(user))
			return NULL;
		if (end && end != user)
			return NULL;
		end = user;
	}
	return end ? LLVMGetInstructionParent(end) : NULL;
}

/* The instruction that always runs right before this one. */
static LLVMValueRef instruction_before(LLVMValueRef in)
{
	LLVMValueRef before = LLVMGetPreviousInstruction(in);
	LLVMBasicBlockRef block = before ? NULL : only_predecessor(LLVMGetInstructionParent(in));

	return block ? LLVMGetBasicBlockTerminator(block) : before;
}

bool is_covered(struct pass *p, LLVMValueRef in)
{
	enum { BEFORE = 48, BEHIND = 24 };
	LLVMValueRef at = in;

	for (int i = 0; i < BEFORE && (at = instruction_before(at)) && !may_release(at); i++)
		if (covers(p, at, in))
			return true;
	at = in;
	for (int i = 0; i < BEHIND && LLVMIsALoadInst(in) && (at = LLVMGetNextInstruction(at)) && !may_release(at); i++)
		if (LLVMIsAStoreInst(at) && covers(p, at, in))
			return true;
	return false;
}
