/* The ELF note that marks an object as instrumented, and says for which hooks. */
#include "cc/pass.h"

static const char note_name[] = "omen.note";

/* An ELF note: three words, then name and contents, each padded to four bytes. */
void write_note(struct pass *p)
{
	enum { PADDED = (sizeof(OMEN_HOOKS) + 3) / 4 * 4 };
	static const char name[8] = "Omen", version[PADDED] = OMEN_HOOKS;
	LLVMValueRef fields[] = {
	        constant(p->i32, sizeof("Omen")),
	        constant(p->i32, sizeof(OMEN_HOOKS)),
	        constant(p->i32, OMEN_NOTE_TYPE),
	        LLVMConstStringInContext2(p->context, name, sizeof(name), true),
	        LLVMConstStringInContext2(p->context, version, sizeof(version), true),
	};
	LLVMValueRef value = LLVMConstStructInContext(p->context, fields, 5, false);
	LLVMValueRef note = LLVMAddGlobal(p->module, LLVMTypeOf(value), note_name);

	LLVMSetInitializer(note, value);
	LLVMSetLinkage(note, LLVMInternalLinkage);
	LLVMSetGlobalConstant(note, true);
	LLVMSetSection(note, ".note.omen");
	LLVMSetAlignment(note, 4);
	keep_global(p, note);
}

bool has_note(struct pass *p) { return LLVMGetNamedGlobal(p->module, note_name) != NULL; }
