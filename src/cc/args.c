/*
 * The command line: the purpose of each argument.
 *
 * One table says for every option that matters which of the three children reads it: the front end, the back end or the
 * linker. An option that is not in the table goes to the front end and the linker, where clang judges it.
 */
#include "cc/driver.h"

#include <stdlib.h>
#include <string.h>

enum form {
	EXACT,  /* the option is this word */
	PREFIX, /* the option begins with this */
	NEXT,   /* the option is this word, and the next word is its value */
	BOTH,   /* the value follows in the same word, or is the next word */
};

static const struct option {
	const char *text;
	enum form form;
	unsigned role;
} options[] = {
        /* Questions that clang answers. */
        {"-E", EXACT, CLANG_ONLY},
        {"-M", EXACT, CLANG_ONLY},
        {"-MM", EXACT, CLANG_ONLY},
        {"-fsyntax-only", EXACT, CLANG_ONLY},
        {"-###", EXACT, CLANG_ONLY},
        {"--version", EXACT, CLANG_ONLY},
        {"--help", PREFIX, CLANG_ONLY},
        {"--analyze", EXACT, CLANG_ONLY},
        {"--precompile", EXACT, CLANG_ONLY},
        {"-cc1", PREFIX, CLANG_ONLY},
        {"-dumpversion", EXACT, CLANG_ONLY},
        {"-dumpmachine", EXACT, CLANG_ONLY},
        {"-print-", PREFIX, CLANG_ONLY},
        {"--print-", PREFIX, CLANG_ONLY},

        /* Makefile fragments. */
        {"-MD", EXACT, DEPENDS},
        {"-MMD", EXACT, DEPENDS},
        {"-MP", EXACT, DEPENDS},
        {"-MG", EXACT, DEPENDS},
        {"-MV", EXACT, DEPENDS},
        {"-MF", BOTH, DEPENDS},
        {"-MT", BOTH, DEPENDS},
        {"-MQ", BOTH, DEPENDS},
        {"-Wp,-MD,", PREFIX, DEPENDS},
        {"-Wp,-MMD,", PREFIX, DEPENDS},
        {"-MJ", BOTH, FRONT},

        /* The language and its files. */
        {"-include", NEXT, FRONT},
        {"-include-pch", NEXT, FRONT},
        {"-imacros", NEXT, FRONT},
        {"-isystem", BOTH, FRONT},
        {"-iquote", BOTH, FRONT},
        {"-idirafter", BOTH, FRONT},
        {"-iprefix", BOTH, FRONT},
        {"-iwithprefixbefore", BOTH, FRONT},
        {"-iwithprefix", BOTH, FRONT},
        {"-isysroot", BOTH, FRONT | LINK},
        {"-iframework", BOTH, FRONT},
        {"-ivfsoverlay", NEXT, FRONT},
        {"-cxx-isystem", BOTH, FRONT},
        {"-stdlib++-isystem", BOTH, FRONT},
        {"-working-directory", NEXT, FRONT | LINK},
        {"-I", BOTH, FRONT},
        {"-D", BOTH, FRONT},
        {"-U", BOTH, FRONT},
        {"-std=", PREFIX, FRONT},
        {"-stdlib=", PREFIX, FRONT | LINK},
        {"-undef", EXACT, FRONT},
        {"-Xpreprocessor", NEXT, FRONT},
        {"-Xclang", NEXT, FRONT},
        {"--serialize-diagnostics", NEXT, FRONT},
        {"-serialize-diagnostics", NEXT, FRONT},

        /* Both halves of the compiler. */
        {"-target", NEXT, FRONT | CODEGEN | LINK},
        {"--target=", PREFIX, FRONT | CODEGEN | LINK},
        {"-B", BOTH, FRONT | CODEGEN | LINK},
        {"--sysroot=", PREFIX, FRONT | CODEGEN | LINK},
        {"--sysroot", NEXT, FRONT | CODEGEN | LINK},
        {"--gcc-toolchain=", PREFIX, FRONT | CODEGEN | LINK},
        {"-mllvm", NEXT, FRONT | CODEGEN},
        {"--param", NEXT, FRONT | CODEGEN},
        {"-arch", NEXT, FRONT | CODEGEN | LINK},
        {"-v", EXACT, FRONT | CODEGEN | LINK},
        {"-Wa,", PREFIX, CODEGEN},
        {"-Xassembler", NEXT, CODEGEN},
        {"-Wl,", PREFIX, LINK},
        {"-W", PREFIX, FRONT},
        {"-w", EXACT, FRONT},

        /* The linker. */
        {"-ltsan", EXACT, 0}, /* libomen answers ThreadSanitizer's calls */
        {"-L", BOTH, LINK},
        {"-l", BOTH, LINK},
        {"-T", BOTH, LINK},
        {"-u", BOTH, LINK},
        {"-z", BOTH, LINK},
        {"-e", BOTH, LINK},
        {"-F", BOTH, FRONT | LINK},
        {"-Xlinker", NEXT, LINK},
        {"-rpath", NEXT, LINK},
        {"-s", EXACT, LINK},
        {"-shared", EXACT, LINK},
        {"-rdynamic", EXACT, LINK},
        {"-pie", EXACT, LINK},
        {"-no-pie", EXACT, LINK},
        {"-nopie", EXACT, LINK},

        /*
         * Not for an instrumented program. Link-time optimisation would break the assumptions of the hooks, gcc's
         * sanitizers are second runtimes, and the others would write files named after our temporary files.
         */
        {"-static-libtsan", EXACT, 0},
        {"-static-libasan", EXACT, 0},
        {"-static-liblsan", EXACT, 0},
        {"-static-libubsan", EXACT, 0},
        {"-flto", PREFIX, 0},
        {"-fno-lto", EXACT, 0},
        {"-ffat-lto-objects", EXACT, 0},
        {"-fno-fat-lto-objects", EXACT, 0},
        {"-fuse-linker-plugin", EXACT, 0},
        {"-fno-use-linker-plugin", EXACT, 0},
        {"-fwhole-program-vtables", EXACT, 0},
        {"-save-temps", PREFIX, 0},
        {"--save-temps", PREFIX, 0},
        {"-gsplit-dwarf", PREFIX, 0},
        {"-ftime-trace", PREFIX, 0},
        {"--coverage", EXACT, 0},
        {"-coverage", EXACT, 0},
        {"-fprofile-arcs", EXACT, 0},
        {"-ftest-coverage", EXACT, 0},
        {"-dumpbase", NEXT, 0},
        {"-dumpdir", NEXT, 0},
        {"-aux-info", NEXT, 0},

        /* Options of gcc that clang refuses. They tune or check; none changes the meaning of the program. */
        {"-fanalyzer", PREFIX, 0},
        {"-fallow-store-data-races", EXACT, 0},
        {"-fno-allow-store-data-races", EXACT, 0},
        {"-fcompare-debug", PREFIX, 0},
        {"-fconserve-stack", EXACT, 0},
        {"-fcode-hoisting", EXACT, 0},
        {"-fno-code-hoisting", EXACT, 0},
        {"-fcrossjumping", EXACT, 0},
        {"-fno-crossjumping", EXACT, 0},
        {"-fgraphite", PREFIX, 0},
        {"-fguess-branch-probability", EXACT, 0},
        {"-fno-guess-branch-probability", EXACT, 0},
        {"-fno-gnu-unique", EXACT, 0},
        {"-fhardened", EXACT, 0},
        {"-fipa-", PREFIX, 0},
        {"-fno-ipa-", PREFIX, 0},
        {"-fira-", PREFIX, 0},
        {"-fno-ira-", PREFIX, 0},
        {"-fivopts", EXACT, 0},
        {"-fno-ivopts", EXACT, 0},
        {"-flive-patching", PREFIX, 0},
        {"-fno-partial-inlining", EXACT, 0},
        {"-fpartial-inlining", EXACT, 0},
        {"-fpermitted-flt-eval-methods", PREFIX, 0},
        {"-fno-printf-return-value", EXACT, 0},
        {"-freorder-functions", EXACT, 0},
        {"-fno-reorder-functions", EXACT, 0},
        {"-fsched-", PREFIX, 0},
        {"-fno-sched-", PREFIX, 0},
        {"-fno-stack-limit", EXACT, 0},
        {"-fno-toplevel-reorder", EXACT, 0},
        {"-fno-trampolines", EXACT, 0},
        {"-ftree-", PREFIX, 0},
        {"-fno-tree-", PREFIX, 0},
        {"-fvar-tracking", PREFIX, 0},
        {"-fno-var-tracking", PREFIX, 0},
        {"-maccumulate-outgoing-args", EXACT, 0},
        {"-mno-accumulate-outgoing-args", EXACT, 0},

        /* Other options of these families. */
        {"-fmodule", PREFIX, FRONT},
        {"-fprebuilt-module", PREFIX, FRONT},
        {"-f", PREFIX, FRONT | CODEGEN | LINK},
        {"-m", PREFIX, FRONT | CODEGEN | LINK},
        {"-g", PREFIX, FRONT | CODEGEN | LINK},
        {"-O", PREFIX, FRONT | CODEGEN | LINK},
};

static bool matches(const struct option *o, const char *text)
{
	size_t n = strlen(o->text);

	if (o->form == EXACT || o->form == NEXT)
		return !strcmp(text, o->text);
	return !strncmp(text, o->text, n);
}

static const struct option *find_option(const char *text)
{
	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++)
		if (matches(&options[i], text))
			return &options[i];
	return NULL;
}

size_t words_dropped(const struct list *args, size_t i)
{
	const char *text = args->at[i];
	const struct option *o = text[0] == '-' ? find_option(text) : NULL;

	if (!o || o->role)
		return 0;
	return 1 + (args->at[i + 1] && (o->form == NEXT || (o->form == BOTH && !strcmp(text, o->text))));
}

/* Kinds of input by -x's language and by the file's ending. NOT_INPUT: a header, to be precompiled by clang alone. */
struct kind {
	const char *name;
	enum input input;
};

static const struct kind languages[] = {
        {"c", SOURCE},
        {"c++", SOURCE},
        {"cpp-output", SOURCE},
        {"c++-cpp-output", SOURCE},
        {"c++-module", SOURCE},
        {"objective-c", SOURCE},
        {"objective-c++", SOURCE},
        {"ir", IR},
        {"assembler", ASSEMBLY},
        {"assembler-with-cpp", ASSEMBLY},
        {NULL, NOT_INPUT},
};

static const struct kind endings[] = {
        {"c", SOURCE},      {"i", SOURCE},      {"cc", SOURCE},     {"cp", SOURCE},   {"cpp", SOURCE},
        {"cxx", SOURCE},    {"CPP", SOURCE},    {"c++", SOURCE},    {"C", SOURCE},    {"CC", SOURCE},
        {"ii", SOURCE},     {"m", SOURCE},      {"mi", SOURCE},     {"mm", SOURCE},   {"M", SOURCE},
        {"ll", IR},         {"bc", IR},         {"cppm", SOURCE},   {"ccm", SOURCE},  {"ixx", SOURCE},
        {"s", ASSEMBLY},    {"S", ASSEMBLY},    {"sx", ASSEMBLY},   {"h", NOT_INPUT}, {"hh", NOT_INPUT},
        {"hpp", NOT_INPUT}, {"hxx", NOT_INPUT}, {"h++", NOT_INPUT}, {"H", NOT_INPUT}, {"tcc", NOT_INPUT},
        {NULL, OBJECT},
};

static enum input look_up(const struct kind *table, const char *name)
{
	while (table->name && strcmp(table->name, name))
		table++;
	return table->input;
}

static enum input input_kind(const char *path, const char *language)
{
	if (language)
		return look_up(languages, language);

	const char *base = strrchr(path, '/');
	const char *dot = strrchr(base ? base : path, '.');
	return dot ? look_up(endings, dot + 1) : OBJECT;
}

void add_argument(struct command *c, struct argument a)
{
	if (c->n == c->room) {
		c->room = c->room ? 2 * c->room : 64;
		c->at = realloc(c->at, c->room * sizeof(*c->at));
		if (!c->at)
			fail("out of memory");
	}
	c->at[c->n++] = a;
}

static void add_input(struct command *c, const char *path, const char *language)
{
	enum input kind = input_kind(path, language);

	if (kind == NOT_INPUT)
		c->clang_only = true;
	if (kind == SOURCE || kind == IR || kind == ASSEMBLY)
		c->sources++;
	c->inputs++;
	add_argument(c, (struct argument){.input = kind, .text = path, .language = language});
}

static void note_dependency(struct command *c, const char *text, const char *value)
{
	if (!strcmp(text, "-MD") || !strcmp(text, "-MMD") || !strncmp(text, "-Wp,", 4))
		c->depends = c->asks_dependencies = true;
	if (!strncmp(text, "-MF", 3))
		c->depends_file = value ? value : text + 3;
	if (!strncmp(text, "-Wp,", 4)) /* -Wp,-MD,FILE */
		c->depends_file = strchr(text + 4, ',') + 1;
	if (!strncmp(text, "-MT", 3) || !strncmp(text, "-MQ", 3))
		c->depends_target = true;
}

/* Keeps what an option says to the driver itself. */
static void note_option(struct command *c, const char *text)
{
	if (!strncmp(text, "-O", 2))
		c->optimise = text;
	if (!strcmp(text, "-r") || !strcmp(text, "-nostdlib") || !strcmp(text, "--relocatable"))
		c->no_runtime = true;
	if (!strcmp(text, "-shared"))
		c->shared = true;
	if (!strcmp(text, "-static") || !strcmp(text, "--static") || !strcmp(text, "-static-pie"))
		c->is_static = true;
	if (!strncmp(text, "-l", 2))
		c->inputs++;
}

/* Options that the driver acts on itself. Returns false for all others. */
static bool take_own(struct command *c, const struct list *args, size_t *i, const char **language)
{
	const char *text = args->at[*i], *next = args->at[*i + 1];

	if (!strcmp(text, "-c") || !strcmp(text, "--compile"))
		c->output = COMPILED;
	else if (!strcmp(text, "-S") || !strcmp(text, "--assemble"))
		c->output = ASSEMBLED;
	else if (!strcmp(text, "-emit-llvm"))
		c->emit_llvm = true;
	else if (!strcmp(text, "--as-optimised"))
		c->as_optimised = true;
	else if ((!strcmp(text, "-o") || !strcmp(text, "--output")) && next)
		c->name = args->at[++*i];
	else if (!strncmp(text, "--output=", 9))
		c->name = text + 9;
	else if (!strncmp(text, "-o", 2) && text[2])
		c->name = text + 2;
	else if (!strcmp(text, "-x") && next)
		*language = args->at[++*i];
	else if (!strncmp(text, "-x", 2) && text[2])
		*language = text + 2;
	else
		return false;
	if (*language && !strcmp(*language, "none"))
		*language = NULL;
	return true;
}

struct command parse_arguments(const struct list *args)
{
	struct command c = {0};
	const char *language = NULL;
	bool only_inputs = false;

	for (size_t i = 0; i < args->n; i++) {
		const char *text = args->at[i], *next = args->at[i + 1];

		if (only_inputs || text[0] != '-' || !text[1]) {
			add_input(&c, text, language);
			continue;
		}
		if (!strcmp(text, "--")) {
			only_inputs = true;
			continue;
		}
		if (take_own(&c, args, &i, &language) || take_sanitize(&c, text))
			continue;

		const struct option *o = find_option(text);
		struct argument a = {.text = text, .role = o ? o->role : FRONT | LINK};
		if (o && next && (o->form == NEXT || (o->form == BOTH && !strcmp(text, o->text))))
			a.value = args->at[++i];
		if (a.role & CLANG_ONLY)
			c.clang_only = true;
		if (!strcmp(text, "-M") || !strcmp(text, "-MM"))
			c.asks_dependencies = true;
		if (a.role & DEPENDS)
			note_dependency(&c, text, a.value);
		note_option(&c, text);
		add_argument(&c, a);
	}
	return c;
}
