"""Omen in gdb: the threads of a replay are fibers of one kernel thread, which gdb does not know of; these commands show
them. Everything is read from libomen's own variables, by name. Nothing is written but registers, for as long as the stack
of a fiber that does not run is shown.
"""
import contextlib
import json
import os
import signal

import gdb
import gdb.unwinder

NOT_ATTACHED = 125  # as in src/cmd/gdb.c
FAULTS = ["SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL"]
PROGRAM_FRAMES = 3  # of each fiber in `omen threads`

# As in src/rt/ending.c: code that is not the program's own.
LIBRARIES = ("libc.so", "libomen.so", "ld-linux", "libstdc++", "libgomp", "libm.so", "libgcc_s", "libpthread", "libatomic")

# What arch_switch leaves on the stack of who it switches away from, upwards from fiber.sp (src/rt/arch/x86_64/switch.S).
SWITCHED = ["control", "r15", "r14", "r13", "r12", "rbx", "rbp", "rip"]
# gregs of a ucontext, and where they begin in it: part of the kernel's interface.
GREGS = ["r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "rdi", "rsi", "rbp", "rbx", "rdx", "rax", "rcx",
         "rsp", "rip"]
GREGS_OFFSET = 40

OBJECTS = {
    "OBJECT_MUTEX": "mutex", "OBJECT_RWLOCK": "rwlock", "OBJECT_COND": "condition", "OBJECT_BARRIER": "barrier",
    "OBJECT_SEMAPHORE": "semaphore", "OBJECT_SPINLOCK": "spin lock", "OBJECT_ONCE": "once",
    "OBJECT_THREAD": "the end of thread",
}
WAITS = {
    "WAIT_KEY": "a futex", "WAIT_FDS": "input or output", "WAIT_SIGNAL": "a signal", "WAIT_CHILD": "a child process",
    "WAIT_SHARED": "a futex shared with other processes",
}


def library():
    for objfile in gdb.objfiles():
        if os.path.basename(objfile.filename or "") == "libomen.so":
            return objfile
    return None


def runtime():
    """struct omen, once there is a fiber in it."""
    objfile = library()
    symbol = objfile and objfile.lookup_global_symbol("omen")
    if objfile and not symbol:
        raise gdb.GdbError("omen: libomen.so has no debug information")
    if not gdb.selected_inferior().pid:
        raise gdb.GdbError("omen: the program has ended")
    if not symbol or not symbol.value()["current"]:
        raise gdb.GdbError("omen: the program has not begun yet: break main, then continue")
    return symbol.value()


def fibers(omen):
    return [omen["live"][i].dereference() for i in range(int(omen["nlive"]))]


def is_current(omen, fiber):
    return int(fiber["id"]) == int(omen["current"]["id"])


def in_runtime(pc):
    return os.path.basename(gdb.solib_name(pc) or "") == "libomen.so"


def word(address):
    return int.from_bytes(gdb.selected_inferior().read_memory(address, 8).tobytes(), "little")


# ---- stacks ----


class Context:
    """The registers of a fiber that does not run, for a while."""

    def __init__(self, fiber):
        sp = int(fiber["sp"])
        self.registers = {name: word(sp + 8 * i) for i, name in enumerate(SWITCHED)}
        del self.registers["control"]
        self.registers["rsp"] = sp + 8 * len(SWITCHED)

    @staticmethod
    def set(registers):
        for name, value in registers.items():
            gdb.execute("set $%s = %d" % (name, value), to_string=True)

    def __enter__(self):
        frame = gdb.selected_frame()
        self.level = frame.level()
        gdb.newest_frame().select()
        # gdb forgets an interrupted syscall when rip is written: orig_rax is put back behind it.
        mask = (1 << 64) - 1
        names = list(self.registers) + ["orig_rax"]
        self.before = {name: int(gdb.newest_frame().read_register(name)) & mask for name in names}
        self.set(self.registers)

    def __exit__(self, *_):
        gdb.newest_frame().select()
        self.set(self.before)
        gdb.execute("frame level %d" % self.level, to_string=True)


def context(omen, fiber):
    return contextlib.nullcontext() if is_current(omen, fiber) else Context(fiber)


class SignalFrame(gdb.unwinder.Unwinder):
    """The frame of a trapped syscall or a signal: gdb does not know it, as the restorer is not glibc's."""

    class Id:
        def __init__(self, sp, pc):
            self.sp = sp
            self.pc = pc

    def __init__(self):
        super().__init__("omen-signal-frame")

    def __call__(self, pending):
        kind = gdb.lookup_type("unsigned long")
        pc, sp = (int(pending.read_register(name)) & (1 << 64) - 1 for name in ("rip", "rsp"))
        if not in_runtime(pc) or pc != int(gdb.parse_and_eval("(unsigned long)&arch_restorer")):
            return None
        unwound = pending.create_unwind_info(self.Id(gdb.Value(sp).cast(kind), gdb.Value(pc).cast(kind)))
        for i, name in enumerate(GREGS):
            unwound.add_saved_register(name, gdb.Value(word(sp + GREGS_OFFSET + 8 * i)).cast(kind))
        return unwound


class HideRuntime:
    """A frame filter: backtraces show the program, not what stands below it. `bt -no-filters` shows all."""

    name = "omen"
    priority = 100
    enabled = True

    def __init__(self):
        gdb.frame_filters[self.name] = self

    def filter(self, frames):
        return (frame for frame in frames if not in_runtime(frame.inferior_frame().pc()))


def program_frames():
    """The innermost frames that have a source line and are the program's own."""
    found = []
    frame = gdb.newest_frame()
    while frame and len(found) < PROGRAM_FRAMES:
        place = frame.find_sal()
        module = os.path.basename(gdb.solib_name(frame.pc()) or "")
        if place.symtab and frame.name() and not module.startswith(LIBRARIES):
            found.append("%s %s:%d" % (frame.name(), os.path.basename(place.symtab.filename), place.line))
        frame = frame.older()
    return found


# ---- what a fiber waits for ----


def waited_mutex(fiber):
    key, thing = int(fiber["wait"]["key"]), str(fiber["object_kind"])
    if thing == "OBJECT_MUTEX":
        return key if key == int(fiber["object"]) else 0
    return key if thing == "OBJECT_COND" and key == int(fiber["mutex"]) else 0


def owner(omen, mutex):
    kind = gdb.lookup_type("pthread_mutex_t").pointer()
    tid = int(gdb.Value(mutex).cast(kind)["__data"]["__owner"])
    return next((f for f in fibers(omen) if int(f["tid"]) == tid), None)


def describe(omen, fiber):
    if str(fiber["state"]) != "FIBER_BLOCKED":
        return "runs" if is_current(omen, fiber) else "runnable" if fiber["started"] else "not started yet"
    thing, wait = str(fiber["object_kind"]), fiber["wait"]
    mutex = waited_mutex(fiber)
    if mutex:
        holder = owner(omen, mutex)
        return "waits for mutex %#x%s" % (mutex, " held by T%d" % int(holder["id"]) if holder else "")
    if thing == "OBJECT_THREAD":
        for other in fibers(omen):
            if int(other["fs"]) == int(fiber["object"]):
                return "waits for the end of T%d" % int(other["id"])
    if thing in OBJECTS:
        return "waits for %s %#x" % (OBJECTS[thing], int(fiber["object"]))
    what = WAITS[str(wait["kind"])]
    return "waits for %s%s" % (what, " %#x" % int(wait["key"]) if wait["key"] else "")


# ---- commands ----


class Omen(gdb.Command):
    """Commands for the threads of a replay."""

    def __init__(self):
        super().__init__("omen", gdb.COMMAND_STACK, prefix=True)


class Threads(gdb.Command):
    """The program's threads: number, what each does or waits for, and where."""

    def __init__(self):
        super().__init__("omen threads", gdb.COMMAND_STACK)

    def invoke(self, _argument, _tty):
        omen = runtime()
        for fiber in fibers(omen):
            where = []
            if fiber["started"]:
                with context(omen, fiber):
                    where = program_frames()
            mark = "*" if is_current(omen, fiber) else " "
            print("%s T%-3d %s: %s" % (mark, int(fiber["id"]), describe(omen, fiber), " < ".join(where) or "-"))


class Backtrace(gdb.Command):
    """omen bt N [ARGS]: the backtrace of thread N; ARGS as for backtrace (full, -no-filters, a count)."""

    def __init__(self):
        super().__init__("omen bt", gdb.COMMAND_STACK)

    def invoke(self, argument, _tty):
        omen = runtime()
        number, _, rest = argument.strip().partition(" ")
        number = number.lstrip("Tt")
        fiber = next((f for f in fibers(omen) if number == str(int(f["id"]))), None)
        if not fiber:
            raise gdb.GdbError("omen: no such thread: %s; see omen threads" % (argument or "a number is missing"))
        if not fiber["started"]:
            print("T%s has not started yet" % number)
            return
        with context(omen, fiber):
            gdb.execute("backtrace " + rest)


class Where(gdb.Command):
    """The current scheduling point and the running thread."""

    def __init__(self):
        super().__init__("omen where", gdb.COMMAND_STACK)

    def invoke(self, _argument, _tty):
        omen = runtime()
        print("point %d, T%d of %d threads" % (int(omen["points"]), int(omen["current"]["id"]), int(omen["nlive"])))


def read_json(*parts):
    try:
        with open(os.path.join(*parts), encoding="utf-8", errors="replace") as file:
            return json.load(file)
    except (OSError, ValueError) as error:
        raise gdb.GdbError("omen: cannot read %s: %s" % (os.path.join(*parts), error))


class Race(gdb.Command):
    """Breakpoints on the lines of the two accesses of the race that this evidence is for."""

    def __init__(self):
        super().__init__("omen race", gdb.COMMAND_BREAKPOINTS)

    def invoke(self, _argument, _tty):
        evidence = os.environ.get("OMEN_EVIDENCE", "")
        race = read_json(evidence, "manifest.json").get("race")
        if not race:
            raise gdb.GdbError("omen: %s is no evidence of a race" % evidence)
        report = read_json(evidence, "..", "..", "report.json")
        for told in report.get("races", []):
            if told["id"] == race["id"]:
                break
        else:
            raise gdb.GdbError("omen: the report beside %s does not tell of race %s" % (evidence, race["id"]))
        lines = []
        for access in told["accesses"]:
            line = (access.get("file"), access.get("line"))
            print("T%d %s at %s:%s" % (access["thread"], access["kind"], *line))
            if all(line) and line not in lines:
                lines.append(line)
                gdb.Breakpoint(source=line[0], line=line[1])


# ---- the run ----


class End(gdb.Breakpoint):
    """The execution is about to end: what it has come to can still be looked at."""

    def __init__(self, function, what):
        super().__init__(function=function, source="rt/ending.c", internal=True)
        self.what = what
        self.silent = True

    def stop(self):
        what = self.what()
        if what:
            print("omen: %s; `omen threads` tells who is where, `continue` ends it" % what)
        return bool(what)


def failed():
    return str(gdb.parse_and_eval("ending")).replace("ENDING_", "").replace("_", "-").lower()


def crashed():
    """A fault has stopped the program already, where it happened."""
    name = signal.Signals(int(gdb.parse_and_eval("signal"))).name
    return None if name in FAULTS else "the program dies of " + name


def watch_ends(event):
    if event.new_objfile != library():
        return
    gdb.events.new_objfile.disconnect(watch_ends)
    End("ending_deadlock", lambda: "deadlock")
    End("ending_fail", failed)
    End("ending_crash", crashed)


def begin():
    if not gdb.selected_inferior().pid:
        gdb.execute("quit %d" % NOT_ATTACHED)
    # Syscalls of the program arrive as SIGSYS, time limits as signal 64. Faults are stopped at by a catchpoint, as not all
    # are the program's: rdtsc (and rdtscp) raises one that the runtime answers, and a runtime that ends sends them.
    for name in ["SIGSYS", "SIG64", "SIGABRT"] + FAULTS:
        gdb.execute("handle %s nostop noprint pass" % name, to_string=True)
    gdb.execute("handle SIGSTOP nostop noprint nopass", to_string=True)  # of its start; gdb may see it late
    gdb.execute("catch signal " + " ".join(FAULTS), to_string=True)
    gdb.execute("condition $bpnum $_siginfo.si_code > 0 && ($_siginfo.si_code != 128 || "
                "(*(unsigned short *)$pc != 0x310f && (*(unsigned *)$pc & 0xffffff) != 0xf9010f))", to_string=True)
    gdb.events.new_objfile.connect(watch_ends)
    if hasattr(gdb.events, "gdb_exiting"):
        gdb.events.gdb_exiting.connect(lambda _: gdb.selected_inferior().pid and gdb.execute("kill", to_string=True))


Omen()
Threads()
Backtrace()
Where()
Race()
HideRuntime()
gdb.unwinder.register_unwinder(None, SignalFrame(), True)
begin()
