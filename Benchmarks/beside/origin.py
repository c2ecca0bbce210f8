"""The origin of the benchmark: nginx with make_origin.py's output, on its own loopback ports."""
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
    """Serves a folder until `stop`."""

    def __init__(self, data, run, certificates):
        self.data, self.run, self.certificates = data, run, certificates
        os.makedirs(run, exist_ok=True)
        self.port, self.tls_port = free_ports(2)
        self.base = f"http://127.0.0.1:{self.port}"
        self.nginx = subprocess.Popen(["nginx", "-p", run, "-c", self.configured()], stderr=subprocess.DEVNULL)
        self.wait()

    def configured(self):
        text = open(f"{HERE}/origin.conf.in").read()
        for name, value in [
            ("USER", getpass.getuser()), ("RUN", self.run), ("HERE", HERE), ("DATA", self.data), ("MODULES", MODULES),
            ("CERTIFICATES", self.certificates), ("PORT", self.port), ("TLS_PORT", self.tls_port),
        ]:
            text = text.replace(f"@{name}@", str(value))
        with open(f"{self.run}/nginx.conf", "w") as file:
            file.write(text)
        return f"{self.run}/nginx.conf"

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
