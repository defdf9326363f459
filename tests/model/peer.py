# peer.py SECONDS: prints its port and answers connections there. After SIGTERM, or SECONDS without a connection, it prints
# how many there were and ends.
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
