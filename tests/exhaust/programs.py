"""Random programs with branches, and all their outcomes, computed without Omen. A program is a list of threads, each a list
of statements, which become C (`text`) and code for a machine of a few lines that executes every order of all steps
(`Machine`).  The machine shares nothing with Omen: neither its points, nor its steps, nor its reduction."""
import random
import sys

sys.setrecursionlimit(100000)

HEAD = r"""
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static int plain[3], *at = plain;
#define x at[0]
#define y at[1]
#define z at[2]
static atomic_int a, b;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_spinlock_t l;
static pthread_barrier_t w;
static sem_t s;
static struct object {
	pthread_mutex_t m;
	int value;
} *o;

static int swap(atomic_int *at, int expected, int value)
{
	return atomic_compare_exchange_strong(at, &expected, value);
}
"""

PLAIN = ("x", "y", "z")
ATOMIC = ("a", "b")
MUTEX = ("m", "n", "l")  # the last one is a spin lock
VARIABLES = PLAIN + ATOMIC


class Statement:
    """`text`: C; `code(base)`: instructions whose jumps are relative to where they stand."""

    def __init__(self, text, code):
        self.text, self.code = text, code


def joined(statements):
    return "\n".join(t.text for t in statements), [i for t in statements for i in t.code]


def indent(text):
    return "\n".join("\t" + line for line in text.split("\n"))


def branch(condition, jump, then, otherwise):
    """`jump(distance)`: the instruction that skips `then` if the condition does not hold."""
    text, code = joined(then)
    other_text, other = joined(otherwise)
    lines = "if (%s) {\n%s\n}" % (condition, indent(text))
    if otherwise:
        lines += " else {\n%s\n}" % indent(other_text)
        code = code + [("jump", len(other) + 1)]
    return Statement(lines, [jump(len(code) + 1)] + code + other)


class Maker:
    def __init__(self, choose, undefined=False):
        """`undefined`: an object with its mutex may be freed while others use it; the machine knows nothing of that."""
        self.choose, self.undefined = choose, undefined

    def number(self):
        return self.choose.randint(1, 3)

    def block(self, depth, held, main, length=None):
        count = length if length is not None else self.choose.choice([1, 1, 1, 2, 2])
        return [self.statement(depth, held, main) for _ in range(count)]

    def statement(self, depth, held, main):
        kinds = ["load", "load", "store", "store", "update", "copy", "put", "add", "load atomic", "store atomic",
                 "swap", "print", "post", "signal", "broadcast", "arrive"]
        if self.undefined:
            kinds += ["drop", "visit", "visit"]
        if depth < 2:
            kinds += ["if", "if", "if else", "lock", "lock", "trylock", "if swap", "take if", "if mine"]
            if not held:
                kinds += ["wait", "wait once", "read lock", "write lock"]
        if depth:
            kinds += ["return"] if not held else []
            kinds += ["exit"]
        kinds += ["assert", "take"]
        return getattr(self, "make_" + self.choose.choice(kinds).replace(" ", "_"))(depth, held, main)

    # Plain memory.

    def make_load(self, *_):
        v = self.choose.choice(PLAIN)
        return Statement("mine = (mine * 10 + %s) %% 1000;" % v, [("load", v), ("use",)])

    def make_store(self, *_):
        v, k = self.choose.choice(PLAIN), self.number()
        return Statement("%s = %d;" % (v, k), [("store", v, k)])

    def make_update(self, *_):
        v, f, k = self.choose.choice(PLAIN), self.choose.choice([1, 2]), self.number()
        return Statement("%s = %s * %d + %d;" % (v, v, f, k), [("load", v), ("store sum", v, f, k)])

    def make_copy(self, *_):
        v, w, k = self.choose.choice(PLAIN), self.choose.choice(PLAIN), self.number()
        return Statement("%s = %s + %d;" % (v, w, k), [("load", w), ("store sum", v, 1, k)])

    def make_put(self, *_):
        v = self.choose.choice(PLAIN)
        return Statement("%s = (int)mine;" % v, [("store mine", v)])

    # Atomics whose value is used.

    def make_add(self, *_):
        v, k = self.choose.choice(ATOMIC), self.number()
        return Statement("mine = (mine * 10 + atomic_fetch_add(&%s, %d)) %% 1000;" % (v, k), [("add", v, k), ("use",)])

    def make_load_atomic(self, *_):
        v = self.choose.choice(ATOMIC)
        return Statement("mine = (mine * 10 + atomic_load(&%s)) %% 1000;" % v, [("load", v), ("use",)])

    def make_store_atomic(self, *_):
        v, k = self.choose.choice(ATOMIC), self.number()
        return Statement("atomic_store(&%s, %d);" % (v, k), [("store", v, k)])

    def make_swap(self, *_):
        v, k = self.choose.choice(ATOMIC), self.number()
        return Statement("mine = mine * 2 + swap(&%s, 0, %d);" % (v, k), [("swap", v, 0, k), ("use twice",)])

    def make_if_swap(self, depth, held, main):
        v, k = self.choose.choice(ATOMIC), self.number()
        e = self.choose.choice([0, 0, k - 1])
        s = branch("swap(&%s, %d, %d)" % (v, e, k), lambda d: ("unless", "==", 1, d), self.block(depth + 1, held, main), [])
        return Statement(s.text, [("swap", v, e, k)] + s.code)

    # Branches on shared values.

    def condition(self):
        v = self.choose.choice(VARIABLES)
        op, k = self.choose.choice([("==", 0), ("!=", 0), ("==", 1), (">", 1), ("<", 2)])
        return v, op, k

    def make_if(self, depth, held, main, otherwise=False):
        v, op, k = self.condition()
        other = self.block(depth + 1, held, main) if otherwise else []
        s = branch("%s %s %d" % (v, op, k), lambda d: ("unless", op, k, d), self.block(depth + 1, held, main), other)
        return Statement(s.text, [("load", v)] + s.code)

    def make_if_else(self, depth, held, main):
        return self.make_if(depth, held, main, True)

    def make_if_mine(self, depth, held, main):
        op, k = self.choose.choice([("==", 0), ("!=", 0), (">", 1)])
        return branch("mine %s %d" % (op, k), lambda d: ("unless mine", op, k, d), self.block(depth + 1, held, main), [])

    def make_return(self, *_):
        return Statement("return (void *)mine;", [("return",)])

    def make_exit(self, *_):
        k = self.number()
        return Statement("exit(%d);" % k, [("flush",), ("exit", k)])

    def make_assert(self, *_):
        v, op, k = self.condition()
        return Statement("assert(%s %s %d);" % (v, op, k), [("load", v), ("if", op, k, 2), ("abort",)])

    # Locks.

    def make_lock(self, depth, held, main):
        free = [l for l in MUTEX if l not in held]
        if not free:
            return self.make_store()
        l = self.choose.choice(free)
        kind = "spin" if l == "l" else "mutex"
        text, code = joined(self.block(depth + 1, held + (l,), main))
        return Statement("pthread_%s_lock(&%s);\n%s\npthread_%s_unlock(&%s);" % (kind, l, text, kind, l),
                         [("lock", l)] + code + [("unlock", l)])

    def make_trylock(self, depth, held, main):
        free = [l for l in MUTEX if l not in held]
        if not free:
            return self.make_load()
        l = self.choose.choice(free)
        kind = "spin" if l == "l" else "mutex"
        text, code = joined(self.block(depth + 1, held + (l,), main))
        return Statement("if (!pthread_%s_trylock(&%s)) {\n%s\n\tpthread_%s_unlock(&%s);\n}" %
                         (kind, l, indent(text), kind, l),
                         [("trylock", l, len(code) + 2)] + code + [("unlock", l)])

    def rw(self, name, depth, main):
        text, code = joined(self.block(depth + 1, MUTEX, main, 1))
        return Statement("pthread_rwlock_%slock(&r);\n%s\npthread_rwlock_unlock(&r);" % (name, text),
                         [(name + "lock",)] + code + [(name + "unlock",)])

    def make_read_lock(self, depth, held, main):
        return self.rw("rd", depth, main)

    def make_write_lock(self, depth, held, main):
        return self.rw("wr", depth, main)

    # Waiting.

    def make_wait(self, *_):
        v = self.choose.choice(PLAIN)
        return Statement("pthread_mutex_lock(&m);\nwhile (%s == 0)\n\tpthread_cond_wait(&c, &m);\npthread_mutex_unlock(&m);" % v,
                         [("lock", "m"), ("load", v), ("unless", "==", 0, 4), ("wait", "m"), ("wake", "m"), ("jump", -4),
                          ("unlock", "m")])

    def make_wait_once(self, *_):
        v = self.choose.choice(PLAIN)
        return Statement("pthread_mutex_lock(&m);\nif (%s == 0)\n\tpthread_cond_wait(&c, &m);\npthread_mutex_unlock(&m);" % v,
                         [("lock", "m"), ("load", v), ("unless", "==", 0, 3), ("wait", "m"), ("wake", "m"), ("unlock", "m")])

    def make_signal(self, *_):
        v = self.choose.choice(PLAIN)
        return Statement("%s = 1;\npthread_cond_signal(&c);" % v, [("store", v, 1), ("signal",)])

    def make_broadcast(self, *_):
        v = self.choose.choice(PLAIN)
        return Statement("%s = 1;\npthread_cond_broadcast(&c);" % v, [("store", v, 1), ("broadcast",)])

    def make_take(self, *_):
        return Statement("sem_wait(&s);", [("take",)])

    def make_take_if(self, depth, held, main):
        return branch("!sem_trywait(&s)", lambda d: ("take if", d), self.block(depth + 1, held, main), [])

    def make_post(self, *_):
        return Statement("sem_post(&s);", [("post",)])

    def make_print(self, *_):
        k = self.number()
        return Statement('printf("p%d ");' % k, [("print", "p%d " % k)])

    def make_arrive(self, *_):
        return Statement("pthread_barrier_wait(&w);", [("arrive",)])

    # An object that may be freed.

    def make_drop(self, *_):
        return Statement("pthread_mutex_destroy(&o->m);\nfree(o);", [])

    def make_visit(self, *_):
        return Statement("pthread_mutex_lock(&o->m);\no->value++;\npthread_mutex_unlock(&o->m);", [])

    # A whole program.

    def thread(self):
        body = self.block(0, (), False, self.choose.choice([1, 1, 2, 2, 3]))
        return Statement(joined(body)[0] + "\nreturn (void *)mine;", joined(body)[1] + [("return",)])

    def program(self):
        count = self.choose.choice([1, 1, 1, 1, 2, 2, 3])
        threads = [self.thread() for _ in range(count)]
        parts, left = [], []
        for i in range(count):
            parts.append(Statement("pthread_create(&t[%d], NULL, %%s_%d, NULL);" % (i, i), [("create", i)]))
            left.append(i)
            if self.choose.random() < (0.8 if i == count - 1 else 0.3):
                parts += self.block(0, (), True, self.choose.randint(1, 2))
        if self.choose.random() < 0.1:
            left = left[1:]
        for i in left:
            parts.append(Statement("pthread_join(t[%d], &seen[%d]);" % (i, i), [("join", i)]))
            if self.choose.random() < 0.1:
                parts += self.block(0, (), True, 1)
        parts.append(Statement('printf("%%d %%d %%d %%d %%d", x, y, z, a, b);', [("show", v) for v in VARIABLES] +
                               [("print shown",)]))
        parts.append(Statement('printf(" %%ld %%ld %%ld %%ld\\n", mine, (long)seen[0], (long)seen[1], (long)seen[2]);',
                               [("print seen",)]))
        parts.append(Statement("return NULL;", [("return",)]))
        return Program(threads, parts)


class Program:
    def __init__(self, threads, main):
        self.threads = threads
        self.main_text, self.main_code = joined(main)

    def text(self, name):
        out = ""
        for i, t in enumerate(self.threads):
            out += "static void *%s_%d(void *arg)\n{\n\tlong mine = (long)arg;\n%s\n}\n" % (name, i, indent(t.text))
        main = self.main_text.replace("%s_", name + "_").replace("%%", "%")
        return out + ("static void *%s_main(void *arg)\n{\n\tlong mine = (long)arg;\n\tpthread_t t[3];\n"
                      "\tvoid *seen[3] = {0};\n\n%s\n}\n" % (name, indent(main)))

    def codes(self):
        """Thread 0 is main."""
        return [self.main_code] + [t.code for t in self.threads]


def write(file, programs):
    """With a second argument, the plain variables are on the stack of the main thread."""
    file.write(HEAD)
    for i, p in enumerate(programs):
        file.write(p.text("p%d" % i))
    file.write("\nstatic void *(*const programs[])(void *) = {%s};\n" % ", ".join("p%d_main" % i for i in range(len(programs))))
    file.write("int main(int argc, char **argv)\n{\n\tint own[3] = {0};\n\n\tsem_init(&s, 0, 1);\n"
               "\tpthread_spin_init(&l, 0);\n\tpthread_barrier_init(&w, NULL, 2);\n"
               "\to = calloc(1, sizeof *o);\n\tpthread_mutex_init(&o->m, NULL);\n"
               "\tif (argc > 2)\n\t\tat = own;\n"
               "\tprograms[argc > 1 ? atoi(argv[1]) : 0](NULL);\n\texit(0); // its stack is still there\n}\n")


OPERATORS = {"==": lambda v, k: v == k, "!=": lambda v, k: v != k, ">": lambda v, k: v > k, "<": lambda v, k: v < k}

RUNNING, WAITING, WOKEN, AT_BARRIER, EXITING, ENDED, UNBORN = range(7)


class TooMany(Exception):
    pass


class Machine:
    """Every order of every step.  A state is a tuple: shared values, locks, semaphore, output, threads."""

    def __init__(self, program, most=200000):
        self.codes = program.codes()
        self.most = most
        self.raw = False  # something is printed after exit() has freed the buffer

    def start(self):
        # pc, mine, temporary, result, status, values to be printed, results of joined threads
        threads = tuple((0, 0, 0, 0, RUNNING if i == 0 else UNBORN, (), (0, 0, 0)) for i in range(len(self.codes)))
        memory = tuple(0 for _ in VARIABLES)
        return (memory, (None,) * len(MUTEX), (), None, 1, "", "", False, threads)

    def outcomes(self):
        self.found, self.ways = set(), {}
        self.count = self.go_on(self.start())  # the number of orders of all steps
        return self.found

    def go_on(self, state):
        if isinstance(state[0], str):
            self.found.add(state)
            return 1
        if state in self.ways:
            return self.ways[state]
        if len(self.ways) > self.most:
            raise TooMany()
        nexts = [s for i in range(len(self.codes)) for s in self.step(state, i)]
        if not nexts:
            self.found.add(("deadlock", 0, state[5]))
        self.ways[state] = sum(map(self.go_on, nexts)) or 1
        return self.ways[state]

    def step(self, state, i):
        """The states, or ends, that the next step of thread i leads to; none if it has to wait."""
        memory, mutex, readers, writer, tokens, out, buffer, unbuffered, threads = state
        pc, mine, temporary, result, status, shown, results = threads[i]
        if status in (ENDED, UNBORN, WAITING, AT_BARRIER):
            return []
        op, *arg = self.codes[i][pc]
        me = [pc + 1, mine, temporary, result, status, shown, results]

        def put(variable, value):
            nonlocal memory
            k = VARIABLES.index(variable)
            memory = memory[:k] + (value,) + memory[k + 1:]

        def get(variable):
            return memory[VARIABLES.index(variable)]

        def own(lock, value):
            nonlocal mutex
            k = MUTEX.index(lock)
            mutex = mutex[:k] + (value,) + mutex[k + 1:]

        def write(text):
            nonlocal out, buffer
            if unbuffered:
                self.raw = True
                out += text
            else:
                buffer += text

        def done(others=None):
            all_threads = list(others if others is not None else threads)
            self.think(i, me)
            all_threads[i] = tuple(me)
            return (memory, mutex, readers, writer, tokens, out, buffer, unbuffered, tuple(all_threads))

        if op == "load":
            me[2] = get(arg[0])
        elif op == "store":
            put(arg[0], arg[1])
        elif op == "store sum":
            put(arg[0], temporary * arg[1] + arg[2])
        elif op == "store mine":
            put(arg[0], mine)
        elif op == "add":
            me[2] = get(arg[0])
            put(arg[0], me[2] + arg[1])
        elif op == "swap":
            me[2] = int(get(arg[0]) == arg[1])
            if me[2]:
                put(arg[0], arg[2])
        elif op == "return":
            if status == EXITING:
                return [("end", 0, out)]
            if i == 0:  # as exit(0)
                me[0], me[4] = pc, EXITING
                out, buffer, unbuffered = out + buffer, "", True
            else:
                me[3], me[4] = mine, ENDED
        elif op == "flush":
            out, buffer, unbuffered = out + buffer, "", True
        elif op == "exit":
            return [("end", arg[0], out)]
        elif op == "abort":
            return [("abort", 0, out)]
        elif op == "lock" or op == "wake":
            if op == "wake" and status != WOKEN:
                raise AssertionError("woken before it waits")
            if mutex[MUTEX.index(arg[0])] is not None:
                return []
            own(arg[0], i)
            me[4] = RUNNING
        elif op == "unlock":
            own(arg[0], None)
        elif op == "trylock":
            if mutex[MUTEX.index(arg[0])] is not None:
                me[0] = pc + arg[1]
            else:
                own(arg[0], i)
        elif op == "rdlock":
            if writer is not None:
                return []
            readers = tuple(sorted(readers + (i,)))
        elif op == "rdunlock":
            readers = tuple(t for t in readers if t != i)
        elif op == "wrlock":
            if writer is not None or readers:
                return []
            writer = i
        elif op == "wrunlock":
            writer = None
        elif op == "wait":
            own(arg[0], None)
            me[4] = WAITING
        elif op == "signal":
            waiting = [k for k, t in enumerate(threads) if t[4] == WAITING]
            return [done(self.wake(threads, [k])) for k in waiting] or [done()]
        elif op == "broadcast":
            return [done(self.wake(threads, [k for k, t in enumerate(threads) if t[4] == WAITING]))]
        elif op == "arrive":
            other = [k for k, t in enumerate(threads) if t[4] == AT_BARRIER]
            if other:
                left = list(threads)
                left[other[0]] = left[other[0]][:4] + (RUNNING,) + left[other[0]][5:]
                return [done(self.thought(other[0], left))]
            me[4] = AT_BARRIER
        elif op == "take":
            if not tokens:
                return []
            tokens -= 1
        elif op == "take if":
            if tokens:
                tokens -= 1
            else:
                me[0] = pc + arg[0]
        elif op == "post":
            tokens += 1
        elif op == "print":
            write(arg[0])
        elif op == "show":
            me[5] = shown + (get(arg[0]),)
        elif op == "print shown":
            write(" ".join(map(str, shown)))
            me[5] = ()
        elif op == "print seen":
            write(" %s\n" % " ".join(map(str, (mine,) + results)))
        elif op == "create":
            others = list(threads)
            made = arg[0] + 1
            others[made] = others[made][:4] + (RUNNING,) + others[made][5:]
            return [done(self.thought(made, others))]
        elif op == "join":
            if threads[arg[0] + 1][4] != ENDED:
                return []
            me[6] = results[:arg[0]] + (threads[arg[0] + 1][3],) + results[arg[0] + 1:]
        else:
            raise AssertionError("unknown instruction " + op)
        return [done()]

    def think(self, i, me):
        """What a thread does between two steps: nobody notices it."""
        while me[4] == RUNNING:
            op, *arg = self.codes[i][me[0]]
            distance = 1
            if op == "use":
                me[1] = (me[1] * 10 + me[2]) % 1000
            elif op == "use twice":
                me[1] = me[1] * 2 + me[2]
            elif op == "jump":
                distance = arg[0]
            elif op in ("if", "unless", "unless mine"):
                holds = OPERATORS[arg[0]](me[1] if op == "unless mine" else me[2], arg[1])
                distance = arg[2] if holds == (op == "if") else 1
            else:
                return
            me[0] += distance

    def thought(self, i, threads):
        threads[i] = list(threads[i])
        self.think(i, threads[i])
        threads[i] = tuple(threads[i])
        return threads

    @staticmethod
    def wake(threads, which):
        others = list(threads)
        for k in which:
            others[k] = others[k][:4] + (WOKEN,) + others[k][5:]
        return others
