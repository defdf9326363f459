/*
 * The instrumentation of one translation unit, in the order of its steps.
 *
 * The walks insert calls of the helpers of inline/inline.c and no control flow. The helpers are then linked in and
 * inlined, so the inliner builds all control flow.
 */
#include "cc/pass.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Linker.h>
#include <stdlib.h>
#include <string.h>

static LLVMModuleRef read_module(LLVMContextRef context, const char *path)
{
	LLVMMemoryBufferRef buffer;
	LLVMModuleRef module;
	char *error;

	if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &error))
		fail("cannot read %s: %s", path, error);
	if (LLVMParseIRInContext(context, buffer, &module, &error))
		fail("cannot read %s: %s", path, error);
	return module;
}

/* The helpers have no opinion on frame pointers, stack protectors or processors: each becomes part of its caller. */
static void make_neutral(LLVMValueRef helper)
{
	static const char *const strings[] = {
	        "target-cpu",  "target-features", "tune-cpu", "frame-pointer", "stack-protector-buffer-size",
	        "probe-stack", "no-trapping-math"};
	static const char *const enums[] = {"uwtable", "ssp", "sspstrong", "sspreq"};

	const LLVMAttributeIndex whole = LLVMAttributeFunctionIndex;

	for (size_t i = 0; i < sizeof(strings) / sizeof(*strings); i++)
		LLVMRemoveStringAttributeAtIndex(helper, whole, strings[i], strlen(strings[i]));
	for (size_t i = 0; i < sizeof(enums) / sizeof(*enums); i++)
		LLVMRemoveEnumAttributeAtIndex(helper, whole,
		                               LLVMGetEnumAttributeKindForName(enums[i], strlen(enums[i])));
}

/*
 * Linking would merge the helpers' module flags (PIE level, size of wchar_t) into those of the program and change its
 * code. The C interface cannot remove them; in the module's text they are one line.
 */
static LLVMModuleRef without_flags(LLVMContextRef context, LLVMModuleRef module)
{
	char *text = LLVMPrintModuleToString(module), *error;
	char *flags = strstr(text, "!llvm.module.flags");
	LLVMModuleRef again;

	if (flags)
		*flags = ';'; /* makes the line a comment */
	LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "helpers");
	if (LLVMParseIRInContext(context, buffer, &again, &error))
		fail("cannot read the helpers again: %s", error);
	LLVMDisposeMessage(text);
	LLVMDisposeModule(module);
	return again;
}

/*
 * Hooks are called through the GOT and bound at load time. Lazy binding would run the dynamic linker in the middle of a
 * preserve_most call, and it keeps only the registers that carry arguments.
 */
static void bind_at_load(struct pass *p)
{
	static const char name[] = "nonlazybind";
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
	LLVMAttributeRef bound = LLVMCreateEnumAttribute(p->context, kind, 0);

	for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f))
		if (name_starts(f, "omen_") && LLVMIsDeclaration(f))
			LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, bound);
}

static void link_helpers(struct pass *p, const char *path)
{
	LLVMModuleRef helpers = without_flags(p->context, read_module(p->context, path));

	for (LLVMValueRef f = LLVMGetFirstFunction(helpers); f; f = LLVMGetNextFunction(f))
		make_neutral(f);
	run_passes(helpers, "function(lower-expect,sroa,early-cse,simplifycfg)");
	LLVMSetTarget(helpers, LLVMGetTarget(p->module));
	LLVMSetDataLayout(helpers, LLVMGetDataLayoutStr(p->module));
	if (LLVMLinkModules2(p->module, helpers))
		fail("cannot link %s", path);

	for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f))
		if (name_starts(f, "omen_inline_") && !LLVMIsDeclaration(f))
			LLVMSetLinkage(f, LLVMInternalLinkage);
	run_passes(p->module, "always-inline,globaldce");
	for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f))
		if (name_starts(f, "omen_inline_"))
			fail("%s does not define %s as the pass calls it", path, LLVMGetValueName(f));
}

static struct pass open_pass(const char *path)
{
	LLVMContextRef c = LLVMContextCreate();
	LLVMModuleRef m = read_module(c, path);

	if (strncmp(LLVMGetTarget(m), "x86_64", 6) || LLVMPointerSize(LLVMGetModuleDataLayout(m)) != 8)
		fail("cannot instrument for %s: only 64-bit x86 is supported", LLVMGetTarget(m));
	return (struct pass){
	        .context = c,
	        .module = m,
	        .builder = LLVMCreateBuilderInContext(c),
	        .layout = LLVMGetModuleDataLayout(m),
	        .none = LLVMVoidTypeInContext(c),
	        .i1 = LLVMInt1TypeInContext(c),
	        .i8 = LLVMInt8TypeInContext(c),
	        .i16 = LLVMInt16TypeInContext(c),
	        .i32 = LLVMInt32TypeInContext(c),
	        .i64 = LLVMInt64TypeInContext(c),
	        .pointer = LLVMPointerTypeInContext(c, 0),
	};
}

static void close_pass(struct pass *p, const char *out)
{
	char *error = NULL;

	if (LLVMVerifyModule(p->module, LLVMReturnStatusAction, &error))
		fail("the instrumented program is not valid IR (a defect of omen, please report it): %s", error);
	LLVMDisposeMessage(error);
	if (LLVMWriteBitcodeToFile(p->module, out))
		fail("cannot write %s", out);
	LLVMDisposeBuilder(p->builder);
	LLVMDisposeModule(p->module);
	LLVMContextDispose(p->context);
}

/*
 * Whether the input is instrumented already: bitcode from omen-cc -emit-llvm, or with ThreadSanitizer's calls, which
 * libomen answers as well.
 */
static bool is_done(struct pass *p) { return has_note(p) || LLVMGetNamedFunction(p->module, "tsan.module_ctor"); }

void make_optimisable(const char *in, const char *out)
{
	struct pass p = open_pass(in);

	hide_marks(&p);
	close_pass(&p, out);
}

void instrument(const char *in, const char *out, const char *helpers, unsigned mode)
{
	struct pass p = open_pass(in);

	if (is_done(&p)) {
		close_pass(&p, out);
		return;
	}
	p.all_count = mode & PASS_FOREIGN && !has_marks(&p);
	drop_false_attributes(&p);
	if (mode & PASS_PROMOTE)
		promote_locals(&p);
	open_sites(&p);
	for (LLVMValueRef f = LLVMGetFirstFunction(p.module); f; f = LLVMGetNextFunction(f)) {
		if (!is_instrumented(&p, f))
			continue;
		walk_streams(&p, f); /* first, as the point comes before the accesses of the call */
		if (counts_accesses(&p, f)) {
			walk_memory(&p, f);
			walk_libcalls(&p, f);
			walk_branches(&p, f);
		}
		walk_atomics(&p, f);
		walk_assembly(&p, f);
		walk_loader(&p, f);
		walk_loops(&p, f);
		walk_frames(&p, f);
		end_function_sites(&p);
	}
	walk_constructors(&p);
	forget_escapes(&p);
	drop_marks(&p);
	hide_library_functions(&p);
	close_sites(&p);
	write_note(&p);
	link_helpers(&p, helpers);
	bind_at_load(&p);
	close_pass(&p, out);
}
