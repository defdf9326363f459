#include "cmd/program.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abi/hooks.h"
#include "format/crc32.h"
#include "format/file.h"

static bool is_runnable_file(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && !access(path, X_OK);
}

/* Searches as execvp does, so that `omen record -- prog` starts what `prog` would. NULL: there is none. */
static char *search_path(const char *name)
{
	const char *path = getenv("PATH");

	if (strchr(name, '/'))
		return must_format("%s", name);
	for (const char *p = path ? path : "/bin:/usr/bin";; p++) {
		size_t length = strcspn(p, ":");
		char *candidate = must_format("%.*s%s%s", (int)length, p, length ? "/" : "./", name);
		if (is_runnable_file(candidate))
			return candidate;
		free(candidate);
		p += length;
		if (!*p)
			return NULL;
	}
}

/* A note of the file. Notes stand in segments, and those that are not loaded in sections. */
struct note {
	const char *name;
	uint32_t type;
	const uint8_t *desc;
	size_t size;
};

struct notes_found {
	bool omen;
	char other_version[32]; /* from a note of another version */
	char *build_id;
};

static void read_note(const struct note *n, struct notes_found *found)
{
	if (!strcmp(n->name, "GNU") && n->type == 3 && !found->build_id) {
		found->build_id = must_alloc(2 * n->size + 1);
		for (size_t i = 0; i < n->size; i++)
			snprintf(found->build_id + 2 * i, 3, "%02x", n->desc[i]);
	}
	if (strcmp(n->name, "Omen") || n->type != OMEN_NOTE_TYPE)
		return;
	found->omen = true;
	size_t length = strnlen((const char *)n->desc, n->size);
	if (length != strlen(OMEN_HOOKS) || memcmp(n->desc, OMEN_HOOKS, length))
		snprintf(found->other_version, sizeof found->other_version, "%.*s", (int)length, n->desc);
}

static void read_notes(Elf_Data *data, struct notes_found *found)
{
	size_t offset = 0, name_at, desc_at;
	GElf_Nhdr header;

	if (!data || !data->d_buf)
		return;
	while ((offset = gelf_getnote(data, offset, &header, &name_at, &desc_at)) > 0) {
		const char *bytes = data->d_buf;
		if (!header.n_namesz || bytes[name_at + header.n_namesz - 1])
			continue;
		struct note n = {bytes + name_at, header.n_type, (const uint8_t *)bytes + desc_at, header.n_descsz};
		read_note(&n, found);
	}
}

/* Whether the dynamic section asks for libomen.so. Reads all notes on the way. */
static bool needs_libomen(Elf *elf, struct notes_found *found)
{
	bool needs = false;
	size_t segments = 0;
	GElf_Phdr ph;
	GElf_Shdr sh;

	elf_getphdrnum(elf, &segments);
	for (size_t i = 0; i < segments; i++)
		if (gelf_getphdr(elf, (int)i, &ph) && ph.p_type == PT_NOTE)
			read_notes(elf_getdata_rawchunk(elf, (int64_t)ph.p_offset, ph.p_filesz,
			                                ph.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR),
			           found);
	for (Elf_Scn *s = elf_nextscn(elf, NULL); s; s = elf_nextscn(elf, s)) {
		if (!gelf_getshdr(s, &sh))
			continue;
		if (sh.sh_type == SHT_NOTE)
			read_notes(elf_getdata(s, NULL), found);
		if (sh.sh_type != SHT_DYNAMIC)
			continue;
		Elf_Data *data = elf_getdata(s, NULL);
		GElf_Dyn dyn;
		for (int i = 0; data && gelf_getdyn(data, i, &dyn) && dyn.d_tag != DT_NULL; i++) {
			const char *library =
			        dyn.d_tag == DT_NEEDED ? elf_strptr(elf, sh.sh_link, dyn.d_un.d_val) : NULL;
			const char *slash = library ? strrchr(library, '/') : NULL;
			needs |= library && !strcmp(slash ? slash + 1 : library, "libomen.so");
		}
	}
	return needs;
}

static bool check_elf(Elf *elf, const char *name, struct notes_found *found, struct error *e)
{
	GElf_Ehdr header;

	if (!elf || elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &header))
		return error_set(e, "cannot run %s: not an ELF executable; give a program built with omen cc", name);
	if (header.e_machine != EM_X86_64 || gelf_getclass(elf) != ELFCLASS64)
		return error_set(e, "cannot run %s: built for another machine; this omen runs x86-64 programs", name);
	if (header.e_type != ET_EXEC && header.e_type != ET_DYN)
		return error_set(e, "cannot run %s: an object file, not an executable; link it with omen cc", name);
	bool needs = needs_libomen(elf, found);
	if (found->other_version[0])
		return error_set(e, "%s was built by omen %s, this is omen " OMEN_HOOKS "; build it again", name,
		                 found->other_version);
	const char *base = strrchr(name, '/') ? strrchr(name, '/') + 1 : name;
	if (!found->omen || !needs)
		return error_set(e,
		                 "%s was not built with omen cc; build it with CC=omen-cc (or: omen cc -g %s.c -o %s)",
		                 name, base, base);
	return true;
}

static bool check_script(int fd, const char *name, struct error *e)
{
	char start[128] = "";
	ssize_t n = pread(fd, start, sizeof start - 1, 0);

	if (n < 2 || start[0] != '#' || start[1] != '!')
		return true;
	start[strcspn(start, "\n")] = 0;
	const char *interpreter = start + 2 + strspn(start + 2, " \t");
	return error_set(e, "cannot run %s: it is a script (for %s); give the program it starts, built with omen cc",
	                 name, interpreter);
}

static char *checksum_of(int fd)
{
	uint8_t piece[1 << 16];
	uint32_t crc = 0;
	off_t at = 0;
	ssize_t n;

	while ((n = pread(fd, piece, sizeof piece, at)) > 0) {
		crc = crc32_of(crc, piece, (size_t)n);
		at += n;
	}
	return must_format("size-%ld-crc32-%08x", at, crc);
}

bool program_check(const char *path, const char *name, struct program *p, struct error *e)
{
	struct stat st;
	struct notes_found found = {0};

	*p = (struct program){0};
	if (stat(path, &st))
		return error_set(e, "cannot run %s: %s", name, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return error_set(e, "cannot run %s: %s", name,
		                 S_ISDIR(st.st_mode) ? "a directory" : "not a regular file");
	if (access(path, X_OK))
		return error_set(e, "cannot run %s: not executable; chmod +x it, or give the program built from it",
		                 name);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return error_set(e, "cannot read %s: %s", name, strerror(errno));
	bool ok = check_script(fd, name, e);
	if (ok) {
		elf_version(EV_CURRENT);
		Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
		ok = check_elf(elf, name, &found, e);
		elf_end(elf);
	}
	if (ok) {
		p->path = must_format("%s", path);
		p->absolute = realpath(path, NULL);
		if (!p->absolute)
			p->absolute = must_format("%s", path);
		p->build_id = found.build_id ? found.build_id : checksum_of(fd);
	} else {
		free(found.build_id);
	}
	close(fd);
	return ok;
}

bool program_find(const char *name, struct program *p, struct error *e)
{
	char *path = search_path(name);

	if (!path)
		return error_set(e, "cannot find %s in PATH; for a program in this directory say ./%s", name, name);
	bool ok = program_check(path, name, p, e);
	free(path);
	return ok;
}

void program_free(struct program *p)
{
	free(p->path);
	free(p->absolute);
	free(p->build_id);
	*p = (struct program){0};
}
