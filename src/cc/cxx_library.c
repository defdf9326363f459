/*
 * The part of C++'s library that is compiled into the program (c++/bits/c++config.h), recognised by mangled names:
 * calls of streams are points, and not everything that orders the library's own accesses is visible.
 */
#include "cc/pass.h"

#include <stdlib.h>
#include <string.h>

#include "abi/library_calls.h"

static bool starts_with_any(LLVMValueRef function, const char *const *prefixes)
{
	for (; *prefixes; prefixes++)
		if (name_starts(function, *prefixes))
			return true;
	return false;
}

/*
 * Whether this is a member of ios_base, basic_ios, basic_istream, basic_ostream or basic_iostream. Several threads may
 * use std::cout and the other streams that are synchronised with stdio at the same time: what these functions do to
 * them is no race.
 */
bool is_stream_member(LLVMValueRef function)
{
	static const char *const prefixes[] = {
	        "_ZNSt8ios_base",
	        "_ZNKSt8ios_base",
	        "_ZNSt9basic_iosI",
	        "_ZNKSt9basic_iosI",
	        "_ZNSi",
	        "_ZNKSi",
	        "_ZNSo",
	        "_ZNKSo",
	        "_ZNSd",
	        "_ZNKSd",
	        "_ZNSt13basic_istreamI",
	        "_ZNKSt13basic_istreamI",
	        "_ZNSt13basic_ostreamI",
	        "_ZNKSt13basic_ostreamI",
	        "_ZNSt14basic_iostreamI",
	        NULL,
	};
	return starts_with_any(function, prefixes);
}

/* Whether this is a member of ctype<char>, which caches answers without synchronisation. */
bool races_by_design(LLVMValueRef function)
{
	static const char *const prefixes[] = {"_ZNKSt5ctypeIcE", NULL};
	return starts_with_any(function, prefixes);
}

/* A weak reference to an object that the program may not have; the runtime compares with its address. */
static LLVMValueRef weak_object(struct pass *p, const char *name)
{
	LLVMValueRef object = LLVMGetNamedGlobal(p->module, name);

	if (object)
		return object;
	object = LLVMAddGlobal(p->module, p->i8, name);
	LLVMSetLinkage(object, LLVMExternalWeakLinkage);
	return object;
}

/* The addresses of the standard streams, whatever library they come from and however it is linked. */
LLVMValueRef standard_streams(struct pass *p)
{
	static const char name[] = "omen.standard_streams";
	static const char *const names[OMEN_STREAMS] = {OMEN_STANDARD_STREAMS};
	LLVMValueRef table = LLVMGetNamedGlobal(p->module, name), at[OMEN_STREAMS];

	if (table)
		return table;
	for (size_t i = 0; i < OMEN_STREAMS; i++)
		at[i] = weak_object(p, names[i]);
	LLVMValueRef value = LLVMConstArray2(p->pointer, at, OMEN_STREAMS);
	table = LLVMAddGlobal(p->module, LLVMTypeOf(value), name);
	LLVMSetInitializer(table, value);
	LLVMSetGlobalConstant(table, true);
	LLVMSetLinkage(table, LLVMPrivateLinkage);
	return table;
}

/*
 * Functions that libstdc++ has as well are hidden, so that they stay the module's own: the library keeps using its
 * code, and so do modules that were not built with omen cc, whose synchronisation is not visible.
 */
void hide_library_functions(struct pass *p)
{
	static const char *const prefixes[] = {
	        "_ZNSt7__cxx1112basic_string",
	        "_ZNKSt7__cxx1112basic_string",
	        "_ZNSt7__cxx1115basic_stringbuf",
	        "_ZNSt15basic_streambuf",
	        "_ZNSt13basic_filebuf",
	        "_ZStls",
	        "_ZStrs",
	        "_ZSt7getline",
	        "_ZSt16__ostream_insert",
	        NULL,
	};

	for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f))
		if (LLVMGetLinkage(f) == LLVMLinkOnceODRLinkage && LLVMGetVisibility(f) == LLVMDefaultVisibility &&
		    (starts_with_any(f, prefixes) || is_stream_member(f)))
			LLVMSetVisibility(f, LLVMHiddenVisibility);
}

/* ---- points ---- */

/* Puts a point before a call of a stream, for executions in which not every operation is a point. */
void hook_stream_point(struct pass *p, LLVMValueRef call, bool has_row)
{
	LLVMValueRef at = site(p, call, OMEN_SITE_CALL, 0);

	insert_before(p, call);
	insert_call(p, "omen_stream", p->none, ARGUMENTS(constant(p->i32, has_row), at));
}

/* Whether this is a function of streams without a row in the table. The code of a template may be in this module. */
static bool is_other_stream(LLVMValueRef callee)
{
	static const char *const names[] = {
#define X(name) #name,
	        OMEN_OTHER_STREAMS(X)
#undef X
	};
	const char *text = callee ? LLVMGetValueName(callee) : "";

	if (!callee || (!LLVMIsDeclaration(callee) && LLVMGetLinkage(callee) != LLVMAvailableExternallyLinkage &&
	                LLVMGetLinkage(callee) != LLVMLinkOnceODRLinkage))
		return false;
	text += text[0] == '\1';
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		size_t n = strlen(names[i]);
		bool mangled = names[i][0] == '_' && names[i][1] == 'Z'; /* then it is the beginning of a name */
		if (!strncmp(text, names[i], n) && (mangled || !text[n]))
			return true;
	}
	return false;
}

/* After this call the standard streams may no longer be synchronised with stdio. */
static void hook_sync_with_stdio(struct pass *p, LLVMValueRef call)
{
	LLVMValueRef callee = called_function(call);

	if (!callee || strcmp(LLVMGetValueName(callee), "_ZNSt8ios_base15sync_with_stdioEb") ||
	    LLVMGetNumArgOperands(call) != 1)
		return;
	insert_before(p, call);
	LLVMValueRef yes = LLVMBuildIntCast2(p->builder, LLVMGetOperand(call, 0), p->i32, false, "");
	insert_call(p, "omen_streams_synchronise", p->none, ARGUMENTS(yes));
}

void walk_streams(struct pass *p, LLVMValueRef function)
{
	struct instructions all = instructions_of(function);
	bool inside = is_other_stream(function); /* its caller has the point */

	for (size_t i = 0; i < all.n; i++) {
		hook_sync_with_stdio(p, all.at[i]);
		if (!inside && is_other_stream(called_function(all.at[i])))
			hook_stream_point(p, all.at[i], false);
	}
	free(all.at);
}
