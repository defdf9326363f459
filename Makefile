# Omen.  `make` builds build/omen, which works in place; `make demo` and `make check` set up what they need first.

PREFIX  ?= /usr/local
BUILD   ?= build
V       ?=
Q       := $(if $(V),,@)

# The compiler that `omen cc` drives is also the one that builds it: the slow hooks need its preserve_most.
override CC := clang-19
LLVM    := llvm-config-19

WARN    := -Wall -Wextra -Wshadow -Wstrict-prototypes -Werror
CFLAGS  ?= -O2 -g
STD     := -std=gnu11 -Isrc -D_GNU_SOURCE $(WARN) -MMD -MP

RT_SRC   := $(sort $(shell find src/rt -name '*.[cS]'))
TOOL_SRC := $(wildcard $(patsubst %,src/%/*.c,cmd classify run predict report format))
CC_SRC   := $(wildcard src/cc/*.c)
INL_SRC  := $(wildcard src/cc/inline/*.c)
# In front of libstdc++'s.
CXX_HEADERS := $(patsubst src/cc/%,$(BUILD)/%,$(wildcard src/cc/c++/bits/*))

obj = $(patsubst src/%,$(BUILD)/obj/%.o,$(basename $(1)))

# The runtime lives in other people's programs: nothing of it is visible but what it interposes and the hooks.
RT_FLAGS := -fPIC -fvisibility=hidden -ftls-model=initial-exec -fno-stack-protector -fno-builtin-malloc \
            -fasynchronous-unwind-tables -mfsgsbase -mcx16 -I$(BUILD)/include
# What the program calls like any other function: no frame of these holds a register that only fills it up (src/rt/fibers/state_hash.c).
CALLED   := $(patsubst %,$(BUILD)/obj/rt/%.o,threads/pthread threads/c11_threads threads/cxx_guard threads/plain_calls threads/without_sync threads/tsan_abi atomics/atomic atomics/libatomic kernel/untrapped)
RT_LINK  := -shared -Wl,-soname,libomen.so -Wl,-z,now -Wl,-z,defs -static-libgcc -ldl

all: $(BUILD)/omen $(BUILD)/omen-cc $(BUILD)/omen-c++ $(BUILD)/libomen.so $(BUILD)/inline.bc $(BUILD)/omen.h \
     $(BUILD)/omen-gdb.py $(BUILD)/omen-llvm-ar $(BUILD)/omen-llvm-ranlib $(CXX_HEADERS)

# Packages: asked for once, installed only where something is missing.
$(BUILD)/.packages: tools/packages
	@mkdir -p $(BUILD)
	@tools/packages
	@touch $@

$(CALLED): RT_FLAGS += -mstackrealign
# The functions that a program tells its syscalls by: whatever clang's header has of them.
$(BUILD)/include/syscall_hooks.h: | $(BUILD)/.packages
	@mkdir -p $(@D)
	@echo "  GEN     $@"
	$(Q)echo '#include <sanitizer/linux_syscall_hooks.h>' | $(CC) -E -x c - >$@.all
	$(Q)grep -o '__sanitizer_syscall_p[a-z]*_impl_[a-z0-9_]*' $@.all | sort -u | sed 's/.*/SILENT(&)/' >$@
$(BUILD)/obj/rt/threads/sanitizer_abi.o: $(BUILD)/include/syscall_hooks.h

$(BUILD)/obj/rt/%.o: src/rt/%.c | $(BUILD)/.packages
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) $(CFLAGS) $(STD) $(RT_FLAGS) -c $< -o $@
$(BUILD)/obj/rt/%.o: src/rt/%.S | $(BUILD)/.packages
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) $(STD) -fPIC -c $< -o $@
$(BUILD)/obj/cc/%.o: src/cc/%.c | $(BUILD)/.packages
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) $(CFLAGS) $(STD) -isystem $$($(LLVM) --includedir) -c $< -o $@
$(BUILD)/obj/%.o: src/%.c | $(BUILD)/.packages
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) $(CFLAGS) $(STD) -c $< -o $@

$(BUILD)/libomen.so: $(call obj,$(RT_SRC))
	@echo "  CC      $@"
	$(Q)$(CC) $^ $(RT_LINK) -o $@
$(BUILD)/omen: $(call obj,$(TOOL_SRC))
	@echo "  CC      $@"
	$(Q)$(CC) $^ -ldw -lelf -lzstd -lz3 -o $@
$(BUILD)/omen-cc: $(call obj,$(CC_SRC))
	@echo "  CC      $@"
	$(Q)$(CC) $^ $$($(LLVM) --ldflags --libs) -o $@
$(BUILD)/omen-c++: $(BUILD)/omen-cc
	ln -sf omen-cc $@
# CMake takes the beginning of the name omen-cc for that of all tools, and looks for these two for link-time optimisation.
$(BUILD)/omen-llvm-%: | $(BUILD)/.packages
	ln -sf $$($(LLVM) --bindir)/llvm-$* $@
$(BUILD)/inline.bc: $(INL_SRC) $(wildcard src/cc/inline/*.h) $(wildcard src/abi/*.h) | $(BUILD)/.packages
	@echo "  CC      $@"
	$(Q)$(CC) -O1 -std=gnu11 -Isrc $(WARN) -Xclang -disable-llvm-passes -emit-llvm -c $(INL_SRC) -o $@
$(BUILD)/omen.h: include/omen.h | $(BUILD)/.packages
	cp $< $@
$(BUILD)/c++/bits/%: src/cc/c++/bits/% | $(BUILD)/.packages
	@mkdir -p $(@D)
	cp $< $@
$(BUILD)/omen-gdb.py: src/gdb/omen-gdb.py | $(BUILD)/.packages
	cp $< $@

demo: all
	examples/demo $(BUILD)

check: all
	@tests/run $(BUILD)

install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/omen $(DESTDIR)$(PREFIX)/include
	install $(BUILD)/omen $(DESTDIR)$(PREFIX)/bin/omen
	install $(BUILD)/omen-cc $(DESTDIR)$(PREFIX)/bin/omen-cc
	ln -sf omen-cc $(DESTDIR)$(PREFIX)/bin/omen-c++
	cp -d $(BUILD)/omen-llvm-ar $(BUILD)/omen-llvm-ranlib $(DESTDIR)$(PREFIX)/bin/
	install -m 644 $(BUILD)/inline.bc $(DESTDIR)$(PREFIX)/lib/omen/inline.bc
	install $(BUILD)/libomen.so $(DESTDIR)$(PREFIX)/lib/omen/libomen.so
	install -d $(DESTDIR)$(PREFIX)/lib/omen/c++/bits
	install -m 644 $(CXX_HEADERS) $(DESTDIR)$(PREFIX)/lib/omen/c++/bits/
	install -m 644 $(BUILD)/omen-gdb.py $(DESTDIR)$(PREFIX)/lib/omen/omen-gdb.py
	install -m 644 include/omen.h $(DESTDIR)$(PREFIX)/include/omen.h
	install -m 644 include/omen.h $(DESTDIR)$(PREFIX)/lib/omen/omen.h

# The code as .clang-format has it.
format:
	$(Q)find src include -name '*.[ch]' | xargs clang-format-19 -i

clean:
	rm -rf $(BUILD)

-include $(shell find $(BUILD)/obj -name '*.d' 2>/dev/null)

.PHONY: all demo check install format clean
