"""Omen's commands for gdb. src/cmd/gdb.c starts gdb with this file on a replay.

The threads of a replay are fibers of one kernel thread, so gdb does not see them; these commands show them. They read
libomen's own variables, by name. To show a fiber that does not run, an unwinder places its saved registers behind the
innermost frame. No register of the process is ever written, so nothing must be restored before it continues. The only
thing the commands write is the point to stop at.
"""
import contextlib
import json
import os
import re
import signal

import gdb
import gdb.unwinder

NOT_ATTACHED = 125  # as in src/cmd/gdb.c
FAULTS = ["SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL"]
PROGRAM_FRAMES = 3  # that `omen threads` shows of each fiber

# As in src/rt/ending/ending.c: modules that are not the program's own code.
LIBRARIES = ("libc.so", "libomen.so", "ld-linux", "libstdc++", "libgomp", "libm.so", "libgcc_s", "libpthread", "libatomic")

# What arch_switch pushes on the stack of the fiber it leaves, from fiber.sp upwards (fibers/arch/x86_64/switch.S).
SWITCHED = ["control", "r15", "r14", "r13", "r12", "rbx", "rbp", "rip"]
# The gregs of a ucontext, and their offset in it, as the kernel's interface defines them.
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
    """The runtime's struct omen; an error before it has a fiber."""
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


def saved_registers(fiber):
    """The registers of a fiber that does not run."""
    sp = int(fiber["sp"])
    registers = {name: word(sp + 8 * i) for i, name in enumerate(SWITCHED)}
    del registers["control"]
    registers["rsp"] = sp + 8 * len(SWITCHED)
    registers["fs_base"] = int(fiber["fs"])
    return registers


class FrameId:
    def __init__(self, sp, pc):
        kind = gdb.lookup_type("unsigned long")
        self.sp = gdb.Value(sp).cast(kind)
        self.pc = gdb.Value(pc).cast(kind)


class View(gdb.unwinder.Unwinder):
    """The fiber that gdb shows. The innermost frame stays that of the process; the frames of the fiber follow it."""

    def __init__(self):
        super().__init__("omen-view")
        self.fiber = None  # the number of the shown fiber; None: the one that runs
        self.registers = None
        self.real = None  # rip and rsp of the process
        self.last_hidden = -1  # the frames up to this level are not the fiber's
        self.saved_past_main = False

    def show(self, omen, fiber):
        if self.fiber is not None:
            self.set_past_main(self.saved_past_main)
        self.fiber = None
        self.last_hidden = -1
        gdb.invalidate_cached_frames()
        if fiber is None or is_current(omen, fiber):
            return
        frame = gdb.newest_frame()
        self.real = self.position(frame)
        while frame.type() == gdb.INLINE_FRAME:  # an inlined function has no registers of its own
            frame = frame.older()
        self.fiber = int(fiber["id"])
        self.registers = saved_registers(fiber)
        self.last_hidden = frame.level()
        # The process may be in main, where gdb would stop unwinding.
        self.saved_past_main = gdb.parameter("backtrace past-main")
        self.set_past_main(True)
        gdb.invalidate_cached_frames()

    @staticmethod
    def set_past_main(on):
        gdb.execute("set backtrace past-main " + ("on" if on else "off"), to_string=True)

    def forget(self, *_):
        if self.fiber is not None:
            self.show(None, None)

    def first_frame(self):
        """The innermost frame of the shown fiber."""
        frame = gdb.newest_frame()
        while frame.level() <= self.last_hidden:
            frame = frame.older()
        return frame

    @staticmethod
    def position(frame):
        return [int(frame.read_register(name)) & (1 << 64) - 1 for name in ("rip", "rsp")]

    def __call__(self, pending):
        if self.fiber is None or self.position(pending) != self.real:
            return None
        kind = gdb.lookup_type("unsigned long")
        # gdb wants a frame below its caller's, so this frame gets an address below the fiber's stack pointer.
        unwound = pending.create_unwind_info(FrameId(self.registers["rsp"] - 128, self.real[0]))
        for name, value in self.registers.items():
            unwound.add_saved_register(name, gdb.Value(value).cast(kind))
        return unwound


view = View()


@contextlib.contextmanager
def looking_at(omen, fiber):
    """Shows a fiber, and afterwards what was shown before."""
    before = view.fiber
    level = gdb.selected_frame().level()
    view.show(omen, fiber)
    try:
        yield
    finally:
        view.show(omen, next((f for f in fibers(omen) if int(f["id"]) == before), None))
        frame = gdb.newest_frame()
        while frame and frame.level() < level:
            frame = frame.older()
        if frame:
            frame.select()


class SignalFrame(gdb.unwinder.Unwinder):
    """Unwinds the frame of a trapped syscall or a signal, which gdb does not recognise: the restorer is not glibc's."""

    def __init__(self):
        super().__init__("omen-signal-frame")

    def __call__(self, pending):
        kind = gdb.lookup_type("unsigned long")
        pc, sp = (int(pending.read_register(name)) & (1 << 64) - 1 for name in ("rip", "rsp"))
        if not in_runtime(pc) or pc != int(gdb.parse_and_eval("(unsigned long)&arch_restorer")):
            return None
        unwound = pending.create_unwind_info(FrameId(sp, pc))
        for i, name in enumerate(GREGS):
            unwound.add_saved_register(name, gdb.Value(word(sp + GREGS_OFFSET + 8 * i)).cast(kind))
        return unwound


class HideRuntime:
    """A frame filter: backtraces show the program without the runtime's frames. `bt -no-filters` shows all frames."""

    name = "omen"
    priority = 100
    enabled = True

    def __init__(self):
        gdb.frame_filters[self.name] = self

    def filter(self, frames):
        return (frame for frame in frames if not self.hides(frame.inferior_frame()))

    @staticmethod
    def hides(frame):
        return in_runtime(frame.pc()) or frame.level() <= view.last_hidden


def is_program_frame(frame):
    """Whether the frame has a source line and belongs to the program itself."""
    module = os.path.basename(gdb.solib_name(frame.pc()) or "")
    return frame.find_sal().symtab and frame.name() and not module.startswith(LIBRARIES)


def program_frames(most):
    """The innermost program frames of the shown fiber."""
    found = []
    frame = view.first_frame()
    while frame and len(found) < most:
        if is_program_frame(frame):
            found.append(frame)
        frame = frame.older()
    return found


def select_program_frame():
    """Selects the innermost frame that is not in the runtime or a library."""
    found = program_frames(1)
    (found[0] if found else view.first_frame()).select()


def place_of(frame):
    place = frame.find_sal()
    return "%s %s:%d" % (frame.name(), os.path.basename(place.symtab.filename), place.line)


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


def find_fiber(omen, number):
    fiber = next((f for f in fibers(omen) if number.lstrip("Tt") == str(int(f["id"]))), None)
    if not fiber:
        raise gdb.GdbError("omen: no such thread: %s; see omen threads" % (number or "a number is missing"))
    if not fiber["started"]:
        raise gdb.GdbError("omen: T%d has not started yet" % int(fiber["id"]))
    return fiber


def shown_fiber(omen):
    return omen["current"].dereference() if view.fiber is None else find_fiber(omen, str(view.fiber))


class Threads(gdb.Command):
    """The program's threads: number, what each does or waits for, and where."""

    def __init__(self):
        super().__init__("omen threads", gdb.COMMAND_STACK)

    def invoke(self, _argument, _tty):
        omen = runtime()
        for fiber in fibers(omen):
            where = []
            if fiber["started"]:
                with looking_at(omen, fiber):
                    where = [place_of(frame) for frame in program_frames(PROGRAM_FRAMES)]
            mark = "*" if is_current(omen, fiber) else ">" if int(fiber["id"]) == view.fiber else " "
            print("%s T%-3d %s: %s" % (mark, int(fiber["id"]), describe(omen, fiber), " < ".join(where) or "-"))


class Backtrace(gdb.Command):
    """omen bt N [ARGS]: the backtrace of thread N; ARGS as for backtrace (full, -no-filters, a count)."""

    def __init__(self):
        super().__init__("omen bt", gdb.COMMAND_STACK)

    def invoke(self, argument, _tty):
        omen = runtime()
        number, _, rest = argument.strip().partition(" ")
        fiber = find_fiber(omen, number)
        with looking_at(omen, fiber):
            view.first_frame().select()
            gdb.execute("backtrace " + rest)


class Thread(gdb.Command):
    """omen thread [N]: show thread N: frame, up, info locals, print and $tls() are then about it, until the program
continues. Without N: say which thread is shown."""

    def __init__(self):
        super().__init__("omen thread", gdb.COMMAND_STACK)

    def invoke(self, argument, _tty):
        omen = runtime()
        if argument.strip():
            view.show(omen, find_fiber(omen, argument.strip()))
            select_program_frame()
        fiber = shown_fiber(omen)
        print("T%d %s" % (int(fiber["id"]), describe(omen, fiber)))
        gdb.execute("frame")


# ---- thread-local variables ----


def libc_offset(name):
    """The offset of a field in the C library, from its table for debuggers: {size, count, offset}."""
    return int(gdb.parse_and_eval("((unsigned *)&_thread_db_%s)[2]" % name))


def text_at(address):
    return gdb.Value(address).cast(gdb.lookup_type("char").pointer()).string(errors="replace")


def link_map(path):
    """The link_map of a loaded file; that of the program itself has no name."""
    at = word(int(gdb.parse_and_eval("(unsigned long)&_r_debug")) + 8)
    program = gdb.current_progspace().filename
    while at:
        name = text_at(word(at + 8))
        if os.path.realpath(name or program) == os.path.realpath(path):
            return at
        at = word(at + 24)
    raise gdb.GdbError("omen: %s is not loaded" % path)


def tls_address(fs, path, offset):
    module = word(link_map(path) + libc_offset("link_map_l_tls_modid"))
    block = word(word(fs + libc_offset("pthread_dtvp")) + 16 * module)
    if block == (1 << 64) - 1:
        raise gdb.GdbError("omen: this thread has not used a thread-local variable of %s yet" % path)
    return block + offset


class ThreadLocal(gdb.Function):
    """$tls("NAME"): a thread-local variable of the shown thread: print $tls("depth"), p $tls("cache").size."""

    def __init__(self):
        super().__init__("tls")

    def invoke(self, name):
        name = name.string()
        fiber = shown_fiber(runtime())
        symbol = gdb.lookup_symbol(name)[0] or gdb.lookup_static_symbol(name) or gdb.lookup_global_symbol(name)
        if not symbol:
            raise gdb.GdbError("omen: no variable %s here" % name)
        answer = gdb.execute("info address " + name, to_string=True)
        found = re.search(r"thread-local variable at offset (0x[0-9a-f]+) in the thread-local storage for .(.*)'", answer)
        if not found:
            raise gdb.GdbError("omen: %s is no thread-local variable" % name)
        address = tls_address(int(fiber["fs"]), found.group(2), int(found.group(1), 16))
        return gdb.Value(address).cast(symbol.type.pointer()).dereference()


# ---- moving through the execution ----


class Where(gdb.Command):
    """The current scheduling point and the running thread."""

    def __init__(self):
        super().__init__("omen where", gdb.COMMAND_STACK)

    def invoke(self, _argument, _tty):
        omen = runtime()
        print("point %d, T%d of %d threads" % (int(omen["points"]), int(omen["current"]["id"]), int(omen["nlive"])))


class ContinueTo(gdb.Command):
    """omen continue-to N: continue to scheduling point N, as `omen where`, reports and timelines count them. If the runtime
cannot stop there (no other thread could run), to the next point."""

    wanted = None  # the point that was asked for before points were counted

    def __init__(self):
        super().__init__("omen continue-to", gdb.COMMAND_RUNNING)

    def invoke(self, argument, _tty):
        if not re.fullmatch(r"[0-9]{1,18}", argument.strip()):
            raise gdb.GdbError("omen: continue-to needs the number of a point: %s" % (argument or "it is missing"))
        point = int(argument)
        if BeginBreakpoint.passed:
            omen = runtime()
            if point <= int(omen["points"]):
                raise gdb.GdbError("omen: point %d is past: this is %d; leave and replay again" % (point, int(omen["points"])))
            self.ask(point)
        else:
            ContinueTo.wanted = point
        gdb.execute("continue")

    @staticmethod
    def ask(point):
        gdb.execute("set var omen.debug_point = %d" % point, to_string=True)
        gdb.execute("set var omen.interest = omen.interest < %d ? omen.interest : %d" % (point, point), to_string=True)


def read_json(*parts):
    try:
        with open(os.path.join(*parts), encoding="utf-8", errors="replace") as file:
            return json.load(file)
    except (OSError, ValueError) as error:
        raise gdb.GdbError("omen: cannot read %s: %s" % (os.path.join(*parts), error))


def failure_in_report(evidence):
    """The failure that this evidence is for, from the report: by the number of its directory; a recording has only one."""
    number = os.path.basename(os.path.realpath(evidence))
    inside = number.isdigit() and os.path.basename(os.path.dirname(os.path.realpath(evidence))) == "failures"
    if not inside and not os.path.exists(os.path.join(evidence, "report.json")):
        return None
    report = read_json(evidence, "..", "..", "report.json") if inside else read_json(evidence, "report.json")
    failures = report.get("failures", [])
    index = int(number) - 1 if inside else 0
    return failures[index] if 0 <= index < len(failures) else None


class Violation(gdb.Command):
    """A breakpoint on the line where the failure of this evidence occurs, for its thread only."""

    def __init__(self):
        super().__init__("omen violation", gdb.COMMAND_BREAKPOINTS)

    def invoke(self, _argument, _tty):
        evidence = os.environ.get("OMEN_EVIDENCE", "")
        failure = failure_in_report(evidence)
        if not failure:
            raise gdb.GdbError("omen: %s is no evidence of a failure" % evidence)
        if not failure.get("file") or not failure.get("line"):
            raise gdb.GdbError("omen: the report does not say where the %s occurs" % failure["kind"])
        print("%s at %s:%d by T%d" % (failure["kind"], failure["file"], failure["line"], failure["thread"]))
        ViolationBreakpoint(failure)


class ViolationBreakpoint(gdb.Breakpoint):
    def __init__(self, failure):
        super().__init__(source=failure["file"], line=failure["line"])
        self.fiber = failure["thread"]

    def stop(self):
        return int(runtime()["current"]["id"]) == self.fiber


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
        for reported in report.get("races", []):
            if reported["id"] == race["id"]:
                break
        else:
            raise gdb.GdbError("omen: the report beside %s has no race %s" % (evidence, race["id"]))
        lines = []
        for access in reported["accesses"]:
            line = (access.get("file"), access.get("line"))
            print("T%d %s at %s:%s" % (access["thread"], access["kind"], *line))
            if all(line) and line not in lines:
                lines.append(line)
                gdb.Breakpoint(source=line[0], line=line[1])


# ---- the execution ----


class EndBreakpoint(gdb.Breakpoint):
    """Stops when the execution is about to end, while its state can still be examined."""

    def __init__(self, function, what):
        super().__init__(function=function, source="rt/ending/ending.c", internal=True)
        self.what = what
        self.silent = True

    def stop(self):
        what = self.what()
        if what:
            print("omen: %s; `omen threads` shows where each thread is, `continue` ends it" % what)
        return bool(what)


class BeginBreakpoint(gdb.Breakpoint):
    """Notices the start of the execution: from here on points are counted."""

    passed = False

    def __init__(self):
        super().__init__(function="world_start", source="rt/world/world.c", internal=True)

    def stop(self):
        BeginBreakpoint.passed = True
        if ContinueTo.wanted:
            ContinueTo.ask(ContinueTo.wanted)
        return False


class ReachedBreakpoint(gdb.Breakpoint):
    """Stops at the point of `omen continue-to`."""

    def __init__(self):
        super().__init__(function="sched_stop", source="rt/fibers/sched.c", internal=True)
        self.silent = True

    def stop(self):
        omen = runtime()
        print("omen: at point %d, T%d" % (int(omen["points"]), int(omen["current"]["id"])))
        return True


def show_program(event):
    """At a stop inside the runtime, selects the program's frame."""
    if isinstance(event, gdb.BreakpointEvent) and isinstance(event.breakpoint, (EndBreakpoint, ReachedBreakpoint)):
        select_program_frame()


def failed():
    return str(gdb.parse_and_eval("ending")).replace("ENDING_", "").replace("_", "-").lower()


def crashed():
    """A fault has already stopped the program where it happened, so it is not reported again."""
    name = signal.Signals(int(gdb.parse_and_eval("signal"))).name
    return None if name in FAULTS else "the program dies of " + name


def watch_ends(event):
    if event.new_objfile != library():
        return
    gdb.events.new_objfile.disconnect(watch_ends)
    EndBreakpoint("ending_deadlock", lambda: "deadlock")
    EndBreakpoint("ending_fail", failed)
    EndBreakpoint("ending_crash", crashed)
    BeginBreakpoint()
    ReachedBreakpoint()


def begin():
    if not gdb.selected_inferior().pid:
        gdb.execute("quit %d" % NOT_ATTACHED)
    # Syscalls of the program arrive as SIGSYS, time limits as signal 64. A catchpoint stops at faults, as not all
    # of them are the program's: rdtsc (and rdtscp) raises one that the runtime answers, and a runtime that ends sends some.
    for name in ["SIGSYS", "SIG64", "SIGABRT"] + FAULTS:
        gdb.execute("handle %s nostop noprint pass" % name, to_string=True)
    gdb.execute("handle SIGSTOP nostop noprint nopass", to_string=True)  # from the program's start; gdb may see it late
    gdb.execute("catch signal " + " ".join(FAULTS), to_string=True)
    gdb.execute("condition $bpnum $_siginfo.si_code > 0 && ($_siginfo.si_code != 128 || "
                "(*(unsigned short *)$pc != 0x310f && (*(unsigned *)$pc & 0xffffff) != 0xf9010f))", to_string=True)
    gdb.events.new_objfile.connect(watch_ends)
    gdb.events.stop.connect(show_program)
    gdb.events.cont.connect(view.forget)
    # Stepping compares frames before and after, so it must not begin in the frames of another fiber.
    for command in ["step", "next", "stepi", "nexti", "until", "advance", "finish", "continue", "jump", "call"]:
        gdb.execute("define hook-%s\npython view.forget()\nend" % command, to_string=True)
    if hasattr(gdb.events, "gdb_exiting"):
        gdb.events.gdb_exiting.connect(lambda _: gdb.selected_inferior().pid and gdb.execute("kill", to_string=True))


Omen()
Threads()
Backtrace()
Thread()
ThreadLocal()
Where()
ContinueTo()
Race()
Violation()
HideRuntime()
gdb.unwinder.register_unwinder(None, SignalFrame(), True)
gdb.unwinder.register_unwinder(None, view, True)
begin()
