/*
 * The walk over inline assembly: which memory it accesses, and whether it synchronises.
 *
 * The text (AT&T syntax) is read as far as it is understood. A memory operand, or a register operand that is used as an
 * address, is an access of the operand's size. Under a LOCK prefix, or by XCHG, it is an atomic read-modify-write. In
 * assembly that the compiler may not move memory accesses across ("memory"), it is what the processor makes of it: an
 * acquire load or a release store. Otherwise it is a plain access. If assembly may order threads in a way that is not
 * understood, the runtime is told, and marks the races that it may order.
 */
#include "cc/pass.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPERANDS 30

struct asm_operand {
	LLVMValueRef value; /* NULL: an output */
	LLVMTypeRef type;   /* of the memory that an indirect operand points to */
	uint64_t bytes;     /* that the instruction accesses, whatever the type is; 0: as the type says */
	bool is_memory, is_output;
};

struct assembly {
	LLVMValueRef call;
	char *text;
	struct asm_operand operand[OPERANDS];
	unsigned n;
	bool clobbers;                        /* the clobber "memory" */
	bool locks, fences, compares, unseen; /* whether the text has such instructions */
};

/* ---- operands ---- */

static LLVMTypeRef element_type(LLVMValueRef call, unsigned argument)
{
	static const char name[] = "elementtype";
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
	LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(call, argument + 1, kind);

	return a ? LLVMGetTypeAttributeValue(a) : NULL;
}

/* "=*m,r,*m,~{memory}": an output in a register has no argument. */
static void read_constraints(struct assembly *a, LLVMValueRef code)
{
	size_t length;
	const char *all = LLVMGetInlineAsmConstraintString(code, &length);
	char *copy = strndup(all, length), *rest = copy;
	unsigned argument = 0;

	for (char *c; (c = strsep(&rest, ",")) && a->n < OPERANDS;) {
		a->clobbers |= !strcmp(c, "~{memory}");
		if (c[0] == '~' || c[0] == '!' || !c[0])
			continue;
		struct asm_operand *o = &a->operand[a->n++];
		*o = (struct asm_operand){.is_output = c[0] == '=', .is_memory = strchr(c, '*')};
		if (o->is_output && !o->is_memory)
			continue;
		if (argument == LLVMGetNumArgOperands(a->call))
			break;
		o->value = LLVMGetOperand(a->call, argument);
		o->type = o->is_memory ? element_type(a->call, argument) : NULL;
		argument++;
	}
	free(copy);
}

/* The next $ of an operand: $$ stands for a $ in the assembly. */
static const char *next_dollar(const char *s)
{
	while ((s = strchr(s, '$')) && s[1] == '$')
		s += 2;
	return s;
}

/* The number after a $, or -1: "$1", "${1:b}". */
static int operand_number(const char *dollar)
{
	const char *digits = dollar + 1 + (dollar[1] == '{');
	return isdigit((unsigned char)*digits) ? atoi(digits) : -1;
}

/* Whether this output is read as well: then a second operand is the same memory as input. */
static bool is_read_too(const struct assembly *a, const struct asm_operand *o)
{
	for (unsigned i = 0; i < a->n; i++)
		if (a->operand[i].is_memory && !a->operand[i].is_output && a->operand[i].value == o->value)
			return true;
	return false;
}

/* ---- hooks ---- */

static uint32_t access_flags(const struct assembly *a, bool reads, bool writes)
{
	uint32_t what = (reads ? OMEN_ASM_READS : 0) | (writes ? OMEN_ASM_WRITES : 0);

	if (a->locks && writes)
		return what | OMEN_ASM_READS | OMEN_ASM_ATOMIC | (a->compares ? OMEN_ASM_COMPARES : 0);
	return what | (a->clobbers || a->locks ? OMEN_ASM_ATOMIC : 0);
}

static void hook_access(struct pass *p, struct assembly *a, LLVMValueRef address, uint64_t size, uint32_t what)
{
	enum omen_site_kind kind = !(what & OMEN_ASM_ATOMIC) ? what & OMEN_ASM_WRITES ? OMEN_SITE_STORE : OMEN_SITE_LOAD
	                           : !(what & OMEN_ASM_WRITES) ? OMEN_SITE_ATOMIC_LOAD
	                           : what & OMEN_ASM_READS     ? OMEN_SITE_ATOMIC_RMW
	                                                       : OMEN_SITE_ATOMIC_STORE;

	if (!size || size & (size - 1) || size > 16 || LLVMGetPointerAddressSpace(LLVMTypeOf(address))) {
		a->unseen |= a->locks;
		return;
	}
	if (!(what & OMEN_ASM_ATOMIC) && (!counts_accesses(p, function_of(a->call)) || !is_shared(p, address)))
		return;
	LLVMValueRef at = site(p, a->call, kind, 0), bytes = constant(p->i64, size), how = constant(p->i32, what);
	insert_before(p, a->call);
	LLVMValueRef old = insert_call(p, "omen_assembly_before", p->i64, ARGUMENTS(address, bytes, how, at));
	if (LLVMIsACallInst(a->call)) /* where control may leave elsewhere, no other thread has run since `before` */
		insert_after(p, a->call);
	if (what & OMEN_ASM_ATOMIC)
		insert_call(p, "omen_assembly_after", p->none, ARGUMENTS(address, bytes, how, old, at));
}

static void hook_operand(struct pass *p, struct assembly *a, const struct asm_operand *o)
{
	uint64_t size = o->bytes                              ? o->bytes
	                : o->type && LLVMTypeIsSized(o->type) ? LLVMStoreSizeOfType(p->layout, o->type)
	                                                      : 0;
	bool reads = !o->is_output || is_read_too(a, o);
	bool may_write =
	        a->locks && LLVMGetInstructionOpcode(a->call) == LLVMCallBr; /* asm goto: all operands are inputs */

	hook_access(p, a, o->value, size, access_flags(a, reads, o->is_output || may_write));
}

/* ---- the text ---- */

static bool is_one_of(const char *word, size_t n, const char *const *words)
{
	for (; *words; words++)
		if (strlen(*words) == n && !strncmp(*words, word, n))
			return true;
	return false;
}

static bool begins(const char *s, const char *prefix) { return !strncmp(s, prefix, strlen(prefix)); }

/* The size of the two instructions that have it in their names. */
static uint64_t pair_bytes(const char *mnemonic)
{
	return begins(mnemonic, "cmpxchg16b") ? 16 : begins(mnemonic, "cmpxchg8b") ? 8 : 0;
}

/* The size by the last letter of an instruction; 0: it has none. */
static uint64_t suffix_bytes(const char *mnemonic, size_t n)
{
	if (pair_bytes(mnemonic))
		return pair_bytes(mnemonic);
	switch (n ? mnemonic[n - 1] : 0) {
	case 'b':
		return 1;
	case 'w':
		return 2;
	case 'l':
		return 4;
	case 'q':
		return 8;
	default:
		return 0;
	}
}

/* Handles an operand that is an address in a register: "$1" in parentheses, perhaps after a number. */
static void hook_address(struct pass *p, struct assembly *a, const char *open, const char *mnemonic, size_t n)
{
	const char *close = strchr(open, ')'), *from = open;
	int number = open[1] == '$' ? operand_number(open + 1) : -1;
	const struct asm_operand *o = number >= 0 && number < (int)a->n ? &a->operand[number] : NULL;
	bool last = !close || !strchr(close, ','), compares = begins(mnemonic, "cmp") && !begins(mnemonic, "cmpxchg");
	bool only_reads = !last || compares || begins(mnemonic, "test") || (begins(mnemonic, "bt") && n <= 3);
	bool only_writes = !only_reads && (begins(mnemonic, "mov") || begins(mnemonic, "set"));

	while (from > mnemonic + n && (isdigit((unsigned char)from[-1]) || from[-1] == '-'))
		from--;
	if (!o || !close || memchr(open, ',', (size_t)(close - open)) || !o->value || o->is_memory ||
	    LLVMGetTypeKind(LLVMTypeOf(o->value)) != LLVMPointerTypeKind ||
	    (!isspace((unsigned char)from[-1]) && from[-1] != ',') || !suffix_bytes(mnemonic, n)) {
		a->unseen = true;
		return;
	}
	LLVMValueRef offset = constant(p->i64, (unsigned long long)(from < open ? atoll(from) : 0));
	insert_before(p, a->call);
	LLVMValueRef address = LLVMBuildGEP2(p->builder, p->i8, o->value, &offset, 1, "");
	hook_access(p, a, address, suffix_bytes(mnemonic, n), access_flags(a, !only_writes, !only_reads));
}

static bool is_own_stack(const char *open)
{
	return begins(open, "(%rsp") || begins(open, "(%esp") || begins(open, "(%rbp");
}

/* Reads one instruction: first for what it is, in a second pass for its accesses. */
static void read_instruction(struct pass *p, struct assembly *a, const char *s, bool accesses)
{
	static const char *const prefixes[] = {"rep",    "repe",    "repz", "repne", "repnz",
	                                       "data16", "notrack", "bnd",  NULL};
	static const char *const transactions[] = {"xbegin", "xend", "xacquire", "xrelease", "call", "callq", NULL};
	static const char *const no_access[] = {"lea", "leal", "leaq", "nop", "nopl", "nopw", "clflush", NULL};
	bool lock = false;
	size_t n;

	for (;; s += n + strspn(s + n, " \t")) { /* skip labels and prefixes */
		n = strcspn(s, " \t");
		if (n == 4 && begins(s, "lock"))
			lock = true;
		else if (!n || !(s[n - 1] == ':' || is_one_of(s, n, prefixes)))
			break;
	}
	const char *rest = s + n, *dollar = next_dollar(rest);
	bool memory = strpbrk(rest, "([");
	for (; dollar && !memory; dollar = next_dollar(dollar + 1)) {
		int number = operand_number(dollar);
		memory = number >= 0 && number < (int)a->n && a->operand[number].is_memory;
		if (memory)
			a->operand[number].bytes = pair_bytes(s);
	}
	a->locks |= lock; /* LOCK may be a line of its own */
	if (!n || s[0] == '.' || s[0] == '#' || is_one_of(s, n, no_access) || begins(s, "prefetch"))
		return;
	a->locks |= begins(s, "xchg") && memory;
	a->compares |= begins(s, "cmpxchg");
	a->fences |= begins(s, "mfence");
	a->unseen |= is_one_of(s, n, transactions) || strchr(rest, '[');
	for (const char *open = rest; accesses && (open = strchr(open, '(')); open++)
		if (!is_own_stack(open))
			hook_address(p, a, open, s, n);
}

static void read_text(struct pass *p, struct assembly *a, bool accesses)
{
	char *copy = strdup(a->text), *rest = copy;

	for (char *s; (s = strsep(&rest, "\n;"));)
		read_instruction(p, a, s + strspn(s, " \t"), accesses);
	free(copy);
}

static bool is_named(const struct assembly *a, unsigned number)
{
	for (const char *d = next_dollar(a->text); d; d = next_dollar(d + 1))
		if (operand_number(d) == (int)number)
			return true;
	return false;
}

/* ---- the walk ---- */

static void instrument_assembly(struct pass *p, LLVMValueRef call, LLVMValueRef code)
{
	size_t length;
	const char *text = LLVMGetInlineAsmAsmString(code, &length);
	struct assembly a = {.call = call, .text = strndup(text, length)};

	if (!a.text)
		fail("out of memory");
	read_constraints(&a, code);
	read_text(p, &a, false);
	a.unseen &= a.clobbers || a.locks;
	bool unseen = a.unseen;
	/* an operand that the text does not name only tells the compiler something */
	for (unsigned i = 0; i < a.n; i++)
		if (a.operand[i].is_memory && a.operand[i].value && is_named(&a, i))
			hook_operand(p, &a, &a.operand[i]);
	read_text(p, &a, true);
	if (a.fences) {
		insert_before(p, call);
		insert_call(p, "omen_fence", p->none,
		            ARGUMENTS(constant(p->i32, 5), constant(p->i32, 0), site(p, call, OMEN_SITE_FENCE, 0)));
	}
	if (unseen || (a.unseen && (a.clobbers || a.locks))) {
		insert_before(p, call);
		insert_call(p, "omen_assembly_unseen", p->none, NULL, 0);
	}
	free(a.text);
}

void walk_assembly(struct pass *p, LLVMValueRef function)
{
	struct instructions all = instructions_of(function);

	for (size_t i = 0; i < all.n; i++) {
		LLVMOpcode op = LLVMGetInstructionOpcode(all.at[i]);
		if (op != LLVMCall && op != LLVMInvoke && op != LLVMCallBr)
			continue;
		LLVMValueRef code = LLVMIsAInlineAsm(LLVMGetCalledValue(all.at[i]));
		if (code)
			instrument_assembly(p, all.at[i], code);
	}
	free(all.at);
}
