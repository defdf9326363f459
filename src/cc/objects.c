/*
 * The variable that a pointer points into: which one, at what distance from its beginning, of what extent, and in which
 * cell. Only locals and globals that are defined here are known. A pointer is followed to the variable it is computed
 * from, and the distance is computed again as a number; a pointer that went through memory, a call or a PHI is not
 * followed.
 *
 * Only accesses that may be outside of their variable matter here. The compiler itself warns of a constant index that
 * is wrong.
 */
#include "cc/pass.h"

#include <stdint.h>

static bool is_pointer_step(LLVMValueRef pointer)
{
	LLVMOpcode opcode = LLVMIsAConstantExpr(pointer) ? LLVMGetConstOpcode(pointer) : LLVMUnreachable;

	return opcode == LLVMGetElementPtr || opcode == LLVMBitCast || LLVMIsAGetElementPtrInst(pointer) ||
	       LLVMIsABitCastInst(pointer);
}

LLVMValueRef base_of(LLVMValueRef pointer)
{
	for (;;) {
		LLVMValueRef callee = called_function(pointer);

		if (!is_pointer_step(pointer) && !(callee && is_intrinsic(callee, "llvm.threadlocal.address")))
			return pointer;
		pointer = LLVMGetOperand(pointer, 0);
	}
}

/* ---- extents ---- */

/* A definition that no other definition can replace, and that no linker script puts into an array of its section. */
static bool is_definition(LLVMValueRef global)
{
	LLVMLinkage linkage = LLVMGetLinkage(global);
	const char *section = LLVMGetSection(global);

	if (LLVMIsDeclaration(global) || LLVMIsThreadLocal(global) || LLVMIsGlobalConstant(global) ||
	    (section && *section))
		return false;
	return linkage == LLVMExternalLinkage || linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
}

/* 0: not known, or there is nothing to leave. */
static uint64_t constant_extent(struct pass *p, LLVMValueRef base)
{
	if (LLVMIsAGlobalVariable(base))
		return is_definition(base) ? LLVMABISizeOfType(p->layout, LLVMGlobalGetValueType(base)) : 0;
	if (!LLVMIsAAllocaInst(base) || !LLVMIsAConstantInt(LLVMGetOperand(base, 0)))
		return 0;
	return LLVMABISizeOfType(p->layout, LLVMGetAllocatedType(base)) *
	       LLVMConstIntGetZExtValue(LLVMGetOperand(base, 0));
}

static bool is_variable_length(LLVMValueRef base)
{
	return LLVMIsAAllocaInst(base) && !LLVMIsAConstantInt(LLVMGetOperand(base, 0));
}

static LLVMValueRef build_extent(struct pass *p, LLVMValueRef base)
{
	if (!is_variable_length(base))
		return constant(p->i64, constant_extent(p, base));
	LLVMValueRef count = LLVMBuildIntCast2(p->builder, LLVMGetOperand(base, 0), p->i64, false, "");
	return LLVMBuildMul(p->builder, count,
	                    constant(p->i64, LLVMABISizeOfType(p->layout, LLVMGetAllocatedType(base))), "");
}

/* ---- offsets: a constant part, and indices times their strides ---- */

enum { STEPS = 16 };

struct offset {
	int64_t constant;
	struct {
		LLVMValueRef index;
		uint64_t stride;
	} step[STEPS];
	size_t n;
};

static bool add_index(struct pass *p, struct offset *o, LLVMValueRef index, LLVMTypeRef *type, bool first)
{
	uint64_t stride;

	if (!first && LLVMGetTypeKind(*type) == LLVMStructTypeKind) {
		unsigned member = (unsigned)LLVMConstIntGetZExtValue(index);
		o->constant += (int64_t)LLVMOffsetOfElement(p->layout, *type, member);
		*type = LLVMStructGetTypeAtIndex(*type, member);
		return true;
	}
	if (!first && LLVMGetTypeKind(*type) != LLVMArrayTypeKind)
		return false;
	if (!first)
		*type = LLVMGetElementType(*type);
	stride = LLVMABISizeOfType(p->layout, *type);
	if (LLVMGetTypeKind(LLVMTypeOf(index)) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(LLVMTypeOf(index)) > 64)
		return false;
	if (LLVMIsAConstantInt(index)) {
		o->constant += LLVMConstIntGetSExtValue(index) * (int64_t)stride;
		return true;
	}
	if (o->n == STEPS)
		return false;
	o->step[o->n].index = index;
	o->step[o->n++].stride = stride;
	return true;
}

/* The offset of the pointer from the base; false if a step between them is of another kind. */
static bool find_offset(struct pass *p, LLVMValueRef pointer, LLVMValueRef base, struct offset *o)
{
	for (; pointer != base; pointer = LLVMGetOperand(pointer, 0)) {
		if (!is_pointer_step(pointer))
			return false;
		if (LLVMIsABitCastInst(pointer) ||
		    (LLVMIsAConstantExpr(pointer) && LLVMGetConstOpcode(pointer) == LLVMBitCast))
			continue;
		LLVMTypeRef type = LLVMGetGEPSourceElementType(pointer);
		for (int i = 1; i < LLVMGetNumOperands(pointer); i++)
			if (!add_index(p, o, LLVMGetOperand(pointer, (unsigned)i), &type, i == 1))
				return false;
	}
	return true;
}

/* ---- places in cells ---- */

static uint64_t declared_alignment(LLVMValueRef base)
{
	return LLVMIsAAllocaInst(base) || LLVMIsAGlobalVariable(base) ? LLVMGetAlignment(base) : 0;
}

/* The alignment of the base: as declared, or that of the type with which the first step uses it. */
static uint64_t alignment_of_base(struct pass *p, LLVMValueRef pointer, LLVMValueRef base)
{
	uint64_t alignment = declared_alignment(base);

	for (; !alignment && pointer != base; pointer = LLVMGetOperand(pointer, 0))
		if (LLVMIsAGetElementPtrInst(pointer) && LLVMGetOperand(pointer, 0) == base)
			alignment = LLVMABIAlignmentOfType(p->layout, LLVMGetGEPSourceElementType(pointer));
	return alignment;
}

/*
 * An access with a smaller alignment than its offset implies is to a packed member, or to an object that is less
 * aligned than its type.
 */
static bool is_as_aligned(int64_t offset, unsigned alignment)
{
	unsigned implied = (unsigned)(offset & -offset) & 7;

	return implied ? alignment >= implied : alignment >= 8;
}

bool find_cell_place(struct pass *p, LLVMValueRef pointer, unsigned alignment, struct cell_place *out)
{
	LLVMValueRef base = base_of(pointer);
	struct offset o = {0};

	*out = (struct cell_place){.base = pointer};
	if (!find_offset(p, pointer, base, &o) || alignment_of_base(p, pointer, base) < 8)
		return alignment >= 8;
	for (size_t i = 0; i < o.n; i++)
		if (o.step[i].stride % 8)
			return alignment >= 8;
	if (!is_as_aligned(o.constant, alignment))
		return false;
	out->offset = (unsigned)o.constant & 7;
	if (o.n) {
		out->base_offset = out->offset;
	} else {
		out->base = base;
		out->distance = o.constant & ~7l;
	}
	return true;
}

static LLVMValueRef build_offset(struct pass *p, const struct offset *o)
{
	LLVMValueRef sum = constant(p->i64, (uint64_t)o->constant);

	for (size_t i = 0; i < o->n; i++) {
		LLVMValueRef index = LLVMBuildIntCast2(p->builder, o->step[i].index, p->i64, true, "");
		LLVMValueRef part = LLVMBuildMul(p->builder, index, constant(p->i64, o->step[i].stride), "");
		sum = LLVMBuildAdd(p->builder, sum, part, "");
	}
	return sum;
}

/* ---- accesses that are certainly inside ---- */

/* The largest value an index can have, as far as its origin shows; then it is never negative. UINT64_MAX: unknown. */
static uint64_t largest_index(LLVMValueRef value, int depth)
{
	LLVMValueRef by = LLVMGetNumOperands(value) > 1 ? LLVMIsAConstantInt(LLVMGetOperand(value, 1)) : NULL;
	unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(value));

	if (!depth || !LLVMIsAInstruction(value))
		return UINT64_MAX;
	switch (LLVMGetInstructionOpcode(value)) {
	case LLVMZExt:
		width = LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(value, 0)));
		if (width < 32)
			return (1ull << width) - 1;
		return largest_index(LLVMGetOperand(value, 0), depth - 1);
	case LLVMSExt:
		return largest_index(LLVMGetOperand(value, 0), depth - 1);
	case LLVMAnd:
		return by && LLVMConstIntGetSExtValue(by) >= 0 ? LLVMConstIntGetZExtValue(by) : UINT64_MAX;
	case LLVMURem:
		return by && LLVMConstIntGetSExtValue(by) > 0 ? LLVMConstIntGetZExtValue(by) - 1 : UINT64_MAX;
	case LLVMLShr:
		if (!by || LLVMConstIntGetZExtValue(by) == 0 || LLVMConstIntGetZExtValue(by) >= width)
			return UINT64_MAX;
		return UINT64_MAX >> (64 - width) >> LLVMConstIntGetZExtValue(by);
	default:
		return UINT64_MAX;
	}
}

static bool is_inside(const struct offset *o, uint64_t extent, LLVMValueRef size)
{
	uint64_t most = (uint64_t)o->constant;

	if (o->constant < 0 || !LLVMIsAConstantInt(size))
		return false;
	for (size_t i = 0; i < o->n; i++) {
		uint64_t index = largest_index(o->step[i].index, 3);
		if (index > extent)
			return false;
		most += index * o->step[i].stride;
	}
	return most <= extent && LLVMConstIntGetZExtValue(size) <= extent - most;
}

bool find_object(struct pass *p, LLVMValueRef pointer, LLVMValueRef size, struct object *out)
{
	LLVMValueRef base = base_of(pointer);
	struct offset o = {0};
	uint64_t extent = constant_extent(p, base);

	if ((!extent && !is_variable_length(base)) || !find_offset(p, pointer, base, &o))
		return false;
	/* the ABI may pass a structure in a way that looks like an access outside of it */
	if (!o.n && LLVMIsAConstantInt(size))
		return false;
	if (extent && is_inside(&o, extent, size))
		return false;
	*out = (struct object){build_offset(p, &o), build_extent(p, base), LLVMIsAGlobalVariable(base) != NULL};
	return true;
}
