#!/usr/bin/env python3
"""A bounded client for memcached: several connections at once, every answer checked.

usage: memcached_client.py PORT_FILE

Waits for the server to write its port ("TCP INET: 12345") to PORT_FILE, talks to it over the connections below,
prints a summary that does not depend on timing, and ends the server with its shutdown command.
"""
import os
import socket
import sys
import threading
import time

CONNECTIONS = 6
ROUNDS = 60
SHARED_STEPS = 40
START_SECONDS = 30
ANSWER_SECONDS = 60


class Connection:
    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=ANSWER_SECONDS)
        self.stream = self.socket.makefile("rb")

    def send(self, command, body=None):
        message = command.encode() + b"\r\n"
        if body is not None:
            message += body + b"\r\n"
        self.socket.sendall(message)

    def line(self):
        return self.stream.readline().rstrip(b"\r\n").decode()

    def ask(self, command, body=None):
        self.send(command, body)
        return self.line()

    def get(self, key, verb="get"):
        """The value and, for gets, its cas number; (None, None) when there is none."""
        self.send(f"{verb} {key}")
        head = self.line()
        if head == "END":
            return None, None
        fields = head.split()
        value = self.stream.read(int(fields[3]) + 2)[:-2]
        expect(f"{verb} {key}: end", self.line(), "END")
        return value, fields[4] if len(fields) > 4 else None

    def store(self, verb, key, value, cas=""):
        return self.ask(f"{verb} {key} 0 0 {len(value)} {cas}".rstrip(), value)


def expect(what, got, wanted):
    if got != wanted:
        raise AssertionError(f"{what}: {got!r} instead of {wanted!r}")


def own_keys(c, me):
    """set, get, add, append, replace, incr, decr, touch and delete on keys of one connection."""
    for i in range(ROUNDS):
        key = f"own-{me}-{i}"
        value = (f"value {me} {i} ".encode() * (1 + i * 7 % 200))
        expect(f"set {key}", c.store("set", key, value), "STORED")
        expect(f"get {key}", c.get(key)[0], value)
        expect(f"add {key}", c.store("add", key, b"no"), "NOT_STORED")
        expect(f"append {key}", c.store("append", key, b"!"), "STORED")
        expect(f"get {key} again", c.get(key)[0], value + b"!")
        if i % 3 == 0:
            expect(f"delete {key}", c.ask(f"delete {key}"), "DELETED")
            expect(f"get deleted {key}", c.get(key)[0], None)
            expect(f"replace deleted {key}", c.store("replace", key, b"no"), "NOT_STORED")
        if i % 5 == 0:
            expect(f"touch {key}", c.ask(f"touch {key} 0"), "NOT_FOUND" if i % 3 == 0 else "TOUCHED")
    expect("set number", c.store("set", f"number-{me}", b"10"), "STORED")
    for i in range(ROUNDS):
        expect("incr", c.ask(f"incr number-{me} {i}"), str(10 + i * (i + 1) // 2))
    expect("decr", c.ask(f"decr number-{me} 100000"), "0")


def shared_keys(c, me):
    """incr on one counter and a cas loop on one value, against all other connections."""
    for _ in range(SHARED_STEPS):
        answer = c.ask("incr shared-counter 1")
        if not answer.isdigit():
            raise AssertionError(f"incr shared-counter: {answer!r}")
        while True:
            value, cas = c.get("shared-cas", "gets")
            answer = c.store("cas", "shared-cas", str(int(value) + me + 1).encode(), cas)
            if answer == "STORED":
                break
            expect("cas", answer, "EXISTS")


def work(port, me, failures):
    try:
        c = Connection(port)
        own_keys(c, me)
        shared_keys(c, me)
        c.send("quit")
    except Exception as error:  # any failure of a thread is a failure of the client
        failures.append(f"connection {me}: {error}")


def wait_for_port(path):
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        if os.path.exists(path):
            with open(path) as file:
                for line in file:
                    if line.startswith("TCP INET:") and line.endswith("\n"):
                        return int(line.split()[-1])
        time.sleep(0.05)
    sys.exit("memcached_client: the server did not write its port")


def main():
    port = wait_for_port(sys.argv[1])
    c = Connection(port)
    expect("set", c.store("set", "shared-counter", b"0"), "STORED")
    expect("set", c.store("set", "shared-cas", b"0"), "STORED")
    failures = []
    threads = [threading.Thread(target=work, args=(port, me, failures)) for me in range(CONNECTIONS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for failure in failures:
        print(failure, file=sys.stderr)
    print("shared counter", c.get("shared-counter")[0].decode())
    print("shared cas", c.get("shared-cas")[0].decode())
    c.send("stats")
    stats = {}
    while (line := c.line()) != "END":
        _, name, value = line.split(" ", 2)
        stats[name] = value
    for name in ("curr_items", "total_items", "cmd_touch", "delete_hits", "incr_hits", "incr_misses", "decr_hits",
                 "cas_hits", "cas_misses", "touch_hits", "evictions", "threads"):
        # A failed cas counts as badval; how many there are depends on timing, what succeeds does not.
        print(name, stats[name])
    c.send("shutdown")
    sys.exit(1 if failures else 0)


main()
