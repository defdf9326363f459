# peer.py SECONDS: answers connections on a port of its own, which it prints first; at the end, which is so many seconds
# without one or SIGTERM, how many there were.
import signal
import socket
import sys


def end(*_):
    raise TimeoutError


signal.signal(signal.SIGTERM, end)

s = socket.socket()
s.bind(("127.0.0.1", 0))
s.listen(8)
s.settimeout(float(sys.argv[1]))
print(s.getsockname()[1], flush=True)
n = 0
try:
    while True:
        c, _ = s.accept()
        n += 1
        c.recv(64)
        c.sendall(b"pong%d" % n)
        c.close()
except TimeoutError:
    pass
print(n, flush=True)
