/*
 * Facts about values that reports need to say why a race is harmless: whether a store updates what was read from the
 * same place, and which bits of a loaded value the program uses. What is not plainly visible counts as unknown.
 */
#include "cc/pass.h"

#include <stdint.h>
#include <string.h>

#define DEPTH 8 /* the most operations that are followed */

static bool is_opcode(LLVMValueRef v, LLVMOpcode opcode)
{
	return LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == opcode;
}

static bool is_extension(LLVMValueRef v)
{
	return is_opcode(v, LLVMZExt) || is_opcode(v, LLVMSExt) || is_opcode(v, LLVMTrunc) || is_opcode(v, LLVMBitCast);
}

/* Whether the value was read from there, with or without its hook. */
static bool is_load_of(LLVMValueRef v, LLVMValueRef pointer)
{
	if (is_opcode(v, LLVMLoad))
		return LLVMGetOperand(v, 0) == pointer;
	return is_opcode(v, LLVMCall) && called_function(v) && name_starts(called_function(v), "omen_inline_load") &&
	       LLVMGetOperand(v, 0) == pointer;
}

/* Whether `v` comes from a load of the pointer through bitwise operations only. */
static bool keeps_bits(LLVMValueRef v, LLVMValueRef pointer, int depth)
{
	if (is_load_of(v, pointer))
		return true;
	if (!depth)
		return false;
	if (is_extension(v))
		return keeps_bits(LLVMGetOperand(v, 0), pointer, depth - 1);
	if (!is_opcode(v, LLVMAnd) && !is_opcode(v, LLVMOr) && !is_opcode(v, LLVMXor))
		return false;
	return keeps_bits(LLVMGetOperand(v, 0), pointer, depth - 1) ||
	       keeps_bits(LLVMGetOperand(v, 1), pointer, depth - 1);
}

static LLVMValueRef without_extensions(LLVMValueRef v)
{
	for (int i = 0; i < DEPTH && is_extension(v); i++)
		v = LLVMGetOperand(v, 0);
	return v;
}

static bool adds_to(LLVMValueRef v, LLVMValueRef pointer)
{
	v = without_extensions(v);
	bool add = is_opcode(v, LLVMAdd) || is_opcode(v, LLVMFAdd),
	     sub = is_opcode(v, LLVMSub) || is_opcode(v, LLVMFSub);

	if (!add && !sub)
		return false;
	return is_load_of(without_extensions(LLVMGetOperand(v, 0)), pointer) ||
	       (add && is_load_of(without_extensions(LLVMGetOperand(v, 1)), pointer));
}

unsigned update_flags(LLVMValueRef store)
{
	LLVMValueRef value = LLVMGetOperand(store, 0), pointer = LLVMGetOperand(store, 1);

	if (is_load_of(value, pointer))
		return 0;
	if (keeps_bits(value, pointer, DEPTH))
		return OMEN_SITE_SETS_BITS;
	return adds_to(value, pointer) ? OMEN_SITE_ADDS : 0;
}

/* ---- bits that are used ---- */

static uint64_t all_bits(LLVMValueRef v)
{
	LLVMTypeRef type = LLVMTypeOf(v);

	if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) >= 64)
		return ~0ul;
	return (1ul << LLVMGetIntTypeWidth(type)) - 1;
}

static uint64_t bits_used(LLVMValueRef v, int depth);

/* The bits of `v` that this user uses. */
static uint64_t bits_used_by(LLVMValueRef v, LLVMValueRef user, int depth)
{
	LLVMValueRef other = LLVMIsAInstruction(user) && LLVMGetNumOperands(user) == 2 && LLVMGetOperand(user, 0) == v
	                             ? LLVMGetOperand(user, 1)
	                             : NULL;
	bool has_constant = other && LLVMIsAConstantInt(other);
	uint64_t n = has_constant ? LLVMConstIntGetZExtValue(other) : 0;

	if (is_opcode(user, LLVMTrunc) || is_opcode(user, LLVMZExt))
		return bits_used(user, depth - 1) & all_bits(user) & all_bits(v);
	if (!has_constant)
		return all_bits(v);
	if (is_opcode(user, LLVMAnd))
		return bits_used(user, depth - 1) & n;
	if (is_opcode(user, LLVMLShr) && n < 64)
		return bits_used(user, depth - 1) << n & all_bits(v);
	if (is_opcode(user, LLVMShl) && n < 64)
		return bits_used(user, depth - 1) >> n;
	return all_bits(v);
}

static uint64_t bits_used(LLVMValueRef v, int depth)
{
	uint64_t bits = 0;

	if (!depth)
		return all_bits(v);
	for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u))
		bits |= bits_used_by(v, LLVMGetUser(u), depth);
	return bits;
}

uint64_t load_bits(LLVMValueRef load)
{
	if (LLVMGetTypeKind(LLVMTypeOf(load)) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(LLVMTypeOf(load)) > 64)
		return ~0ul;
	uint64_t bits = bits_used(load, DEPTH);
	return bits == all_bits(load) ? ~0ul : bits;
}
