#!/usr/bin/env python3
"""Asks haproxy on a Unix socket: haproxy_client.py SOCKET REQUESTS; eight connections at once.  Prints what was answered,
sorted, and ends the server softly."""
import os
import signal
import socket
import struct
import sys
import threading
import time

CONNECTIONS = 8
path, requests = sys.argv[1], int(sys.argv[2])


def connect():
    end = time.monotonic() + 60
    while True:
        s = socket.socket(socket.AF_UNIX)
        s.settimeout(120)
        try:
            s.connect(path)
            return s
        except OSError:
            s.close()
            if time.monotonic() > end:
                raise
            time.sleep(0.05)


def answer(stream):
    status = stream.readline()
    length = 0
    while True:
        line = stream.readline().strip().lower()
        if not line:
            break
        if line.startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    return b"%s: %s" % (status.split()[1] if status else b"nothing", stream.read(length).strip())


def ask(number, answers):
    with connect() as s, s.makefile("rb") as stream:
        for i in range(requests):
            s.sendall(b"GET /%d/%d HTTP/1.1\r\nHost: here\r\nX-Who: %d\r\n\r\n" % (number, i, i % 3))
            answers.append(answer(stream).decode())


lists = [[] for _ in range(CONNECTIONS)]
threads = [threading.Thread(target=ask, args=(n, answers)) for n, answers in enumerate(lists)]
for t in threads:
    t.start()
with connect() as s:
    pid = struct.unpack("3i", s.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[0]
for t in threads:
    t.join()
for line in sorted(line for answers in lists for line in answers):
    print(line)
os.kill(pid, signal.SIGUSR1)
sys.exit(0 if all(len(answers) == requests for answers in lists) else 1)
