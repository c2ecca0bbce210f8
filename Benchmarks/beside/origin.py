"""The origin of all benchmarks: nginx with make_origin.py's output, or with files alone, on its own loopback ports."""
import getpass
import json
import os
import socket
import subprocess
import sys
import time
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
MODULES = "/usr/lib/nginx/modules"


class Origin:
    """Serves a folder until `stop`: its posts, and what is below its `system`.

    It is so many servers, each at `bases` with authors of its own. With certificates, the first speaks TLS, too.
    """

    def __init__(self, data, run, certificates=None, servers=1, **knobs):
        self.data, self.run, self.certificates = data, run, certificates
        os.makedirs(run, exist_ok=True)
        self.tls_port, *self.ports = free_ports(1 + servers)
        self.bases = [f"http://127.0.0.1:{port}" for port in self.ports]
        self.base = self.bases[0]
        self.nginx = subprocess.Popen(["nginx", "-p", run, "-c", self.configured()], stderr=subprocess.DEVNULL)
        self.wait()
        self.set(**knobs)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def configured(self):
        text = open(f"{HERE}/origin.conf.in").read()
        for name, value in [
            ("USER", getpass.getuser()), ("RUN", self.run), ("HERE", HERE), ("DATA", self.data), ("MODULES", MODULES),
            ("LISTEN", "\n        ".join(self.listening())),
            ("HOMES", " ".join(f"{port} .o{port}.example;" for port in self.ports[1:])),
        ]:
            text = text.replace(f"@{name}@", str(value))
        with open(f"{self.run}/nginx.conf", "w") as file:
            file.write(text)
        return f"{self.run}/nginx.conf"

    def listening(self):
        yield from (f"listen 127.0.0.1:{port} backlog=1024;" for port in self.ports)
        if self.certificates:
            # mastodon-to-sqlite speaks nothing else.
            yield f"listen 127.0.0.1:{self.tls_port} ssl http2 backlog=1024;"
            yield f"ssl_certificate {self.certificates}/cert.pem;"
            yield f"ssl_certificate_key {self.certificates}/key.pem;"

    def wait(self):
        for _ in range(100):
            try:
                self.counts()
                return
            except OSError:
                if self.nginx.poll() is not None:
                    break
                time.sleep(0.1)
        self.stop()
        log = f"{self.run}/error.log"
        sys.exit("the origin does not answer: " + (open(log).read()[-600:] if os.path.exists(log) else "no log"))

    def ask(self, path):
        with urllib.request.urlopen(f"{self.base}/-/{path}", timeout=10) as answer:
            return answer.read()

    def set(self, **knobs):
        """Changes settings (origin.lua lists them) and resets the counters."""
        self.ask("set?" + "&".join(f"{name}={value}" for name, value in knobs.items()))

    def counts(self):
        """Requests and bytes sent since the last `set`."""
        return json.loads(self.ask("counts"))

    def stop(self):
        self.nginx.terminate()
        try:
            self.nginx.wait(10)
        except subprocess.TimeoutExpired:
            self.nginx.kill()


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports
