"""Speaks HTTP/2 over TLS to tests, below its manners: what it says to a request is given to it byte by byte.

server.py FOLDER: FOLDER holds ca.pem and key.pem, `first` and `again`. Each connection says its settings; to the first
request it says `first`, and then `again` without end, unless that is empty; to the others nothing. On standard output: the port, then a line
for each request (`asked`), and one for each connection that took a megabyte (`poured`). Ends with its standard input.
"""
import pathlib
import select
import socket
import ssl
import sys
import threading

folder = pathlib.Path(sys.argv[1])
first, again = (folder / "first").read_bytes(), (folder / "again").read_bytes()
SETTINGS, HEADERS, ACKNOWLEDGED = 4, 1, 1
GREETING = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"


def tell(line):
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


class Connection:
    """One client. TLS is not for two threads at once: what it says is taken in between what is said to it."""

    def __init__(self, plain):
        self.tls = context.wrap_socket(plain, server_side=True)
        self.tls.setblocking(False)
        self.came = b""
        self.greeted = self.asked = False

    def take(self):
        """Takes what has come, and all of it, so that it is never the client that cannot go on."""
        try:
            part = self.tls.recv(1 << 16)
            if not part:
                raise ConnectionError
            self.came += part
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return False
        if not self.greeted and len(self.came) >= len(GREETING):
            self.greeted, self.came = True, self.came[len(GREETING) :]
            self.say(bytes([0, 0, 0, SETTINGS, 0, 0, 0, 0, 0]))
        while self.greeted and len(self.came) >= 9:
            end = 9 + int.from_bytes(self.came[:3], "big")
            if len(self.came) < end:
                break
            kind, flags = self.came[3], self.came[4]
            self.came = self.came[end:]
            if kind == SETTINGS and not flags & ACKNOWLEDGED:
                self.say(bytes([0, 0, 0, SETTINGS, ACKNOWLEDGED, 0, 0, 0, 0]))
            if kind == HEADERS:
                self.asked = True
                tell("asked")
        return True

    def say(self, parts):
        parts = memoryview(parts)
        while parts:
            try:
                parts = parts[self.tls.send(parts) :]
            except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
                if not self.take():
                    select.select([self.tls], [self.tls], [])


def serve(plain):
    connection = Connection(plain)
    while not connection.asked:
        if not connection.take():
            select.select([connection.tls], [], [])
    connection.say(first)
    said = 0
    while True:
        connection.say(again)
        if said < 1 << 20 <= said + len(again):
            tell("poured")
        said += len(again)
        while connection.take():
            pass
        if not again:
            select.select([connection.tls], [], [])


def attend(connection):
    try:
        serve(connection)
    except (OSError, ValueError):
        connection.close()


context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(folder / "ca.pem", folder / "key.pem")
context.set_alpn_protocols(["h2"])
listener = socket.create_server(("127.0.0.1", 0))
tell(str(listener.getsockname()[1]))


def take():
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=attend, args=(connection,), daemon=True).start()


threading.Thread(target=take, daemon=True).start()
sys.stdin.read()
