"""Machines of a laboratory: network namespaces of this machine, joined by a bridge, or loopback alone.

Whatever is started here ends with the process that started it.
"""
import concurrent.futures
import ctypes
import os
import signal
import socket
import subprocess
import threading
import time

LIBC = ctypes.CDLL(None, use_errno=True)


# A program ends with the thread that started it, so all are started by one that lasts.
STARTER = concurrent.futures.ThreadPoolExecutor(1)


def die_with_parent():
    LIBC.prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def run(*arguments, timeout=30, check=True, **more):
    """Runs a program to its end. Returns what it printed."""
    ended = subprocess.run(
        [str(argument) for argument in arguments], capture_output=True, text=True, timeout=timeout, **more)
    if check and ended.returncode:
        raise RuntimeError(f"{arguments[0]} ended with {ended.returncode}: {ended.stderr.strip()[-600:]}")
    return ended


def wait_until(condition, seconds, what):
    """Waits until a condition holds. An error counts as a no until the time is over."""
    end = time.monotonic() + seconds
    while True:
        try:
            if condition():
                return
            reason = ""
        except (RuntimeError, OSError, subprocess.TimeoutExpired) as error:
            reason = f": {error}"
        if time.monotonic() > end:
            raise RuntimeError(f"{what} took longer than {seconds} s{reason}")
        time.sleep(0.1)


class Program:
    """A running program. It may be killed, with all that it started, or stopped for a while."""

    def __init__(self, arguments, environment, log, isolated, pipes):
        self.isolated = isolated
        output = subprocess.PIPE if pipes else open(log + ".out", "ab")
        errors = open(log + ".err", "ab")
        self.log = log
        self.process = STARTER.submit(
            subprocess.Popen, arguments, env=environment, stdin=subprocess.PIPE if pipes else subprocess.DEVNULL,
            stdout=output, stderr=errors, text=pipes, start_new_session=True, preexec_fn=die_with_parent).result()
        errors.close()
        if not pipes:
            output.close()
        self.pid = self.process.pid
        if isolated:
            wait_until(lambda: self.children(self.process.pid) or self.ended, 10, "to start a program")
            self.pid = (self.children(self.process.pid) or [self.pid])[0]

    @staticmethod
    def children(pid):
        try:
            with open(f"/proc/{pid}/task/{pid}/children") as file:
                return [int(child) for child in file.read().split()]
        except OSError:
            return []

    @property
    def ended(self):
        return self.process.poll() is not None

    def signal(self, number, pid=None):
        try:
            os.kill(pid or self.pid, number)
        except ProcessLookupError:
            pass

    def kill(self):
        """Kills it as a loss of power would: nothing that it started goes on for a moment."""
        # In a namespace of its own all processes end with the first.
        others = []
        if not self.isolated:
            self.signal(signal.SIGSTOP)
            others = self.children(self.pid)
        self.signal(signal.SIGKILL)
        for pid in others:
            self.signal(signal.SIGKILL, pid)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            raise RuntimeError(f"a killed program goes on: {self.log}") from None

    def end(self, seconds=30):
        """Asks it to end, and returns its code; None if it had to be killed."""
        self.signal(signal.SIGCONT)
        self.signal(signal.SIGTERM)
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()
            return None

    @property
    def errors(self):
        with open(self.log + ".err", errors="replace") as file:
            return file.read()


class Host:
    """A machine: an address, a folder that is its disk, and a clock."""

    def __init__(self, network, name, address, folder):
        self.network, self.name, self.address, self.folder = network, name, address, folder
        self.clock = 0

    def wrapped(self, arguments):
        arguments = [str(argument) for argument in arguments]
        if not self.network.isolated:
            return arguments
        return [
            "nsenter", f"--net=/run/netns/{self.name}", "unshare", "--uts", "--pid", "--mount-proc", "--fork",
            "--kill-child", "--", "sh", "-c", 'hostname "$0"; exec "$@"', self.name, *arguments]

    def environment(self, more):
        home = os.path.join(self.folder, "home")
        os.makedirs(home, exist_ok=True)
        made = {
            "PATH": os.environ["PATH"], "HOME": home, "TZ": "UTC", "LANG": "C.UTF-8", "TERM": "dumb",
            "TMPDIR": self.folder, **more}
        return {**made, **self.network.faked(self.clock)} if self.clock else made

    def start(self, arguments, log, environment=None, pipes=False):
        log = os.path.join(self.network.room, "logs", log)
        program = Program(
            self.wrapped(arguments), self.environment(environment or {}), log, self.network.isolated, pipes)
        self.network.programs.append(program)
        return program

    def run(self, arguments, environment=None, timeout=60, check=True):
        return run(
            *self.wrapped(arguments), timeout=timeout, check=check, env=self.environment(environment or {}),
            start_new_session=True)

    def cut(self):
        """Nothing that it sends arrives, and nothing reaches it. Connections stay open on both sides."""
        run("ip", "link", "set", f"to-{self.name}", "nomaster")

    def join(self):
        run("ip", "link", "set", f"to-{self.name}", "master", "switch")

    def port(self):
        return self.network.port(self.address)


class Network:
    """The machines. Isolated ones need root, and a mount and a network namespace that the caller is alone in."""

    def __init__(self, room, isolated):
        self.room, self.isolated = room, isolated
        self.hosts, self.programs = {}, []
        self.ports = iter(range(20000, 30000))
        self.lock = threading.Lock()
        os.makedirs(os.path.join(room, "logs"))
        if not isolated:
            return
        os.makedirs("/run/netns", exist_ok=True)
        run("mount", "-t", "tmpfs", "none", "/run/netns")
        run("ip", "link", "set", "lo", "up")
        run("ip", "link", "add", "switch", "type", "bridge")
        run("ip", "address", "add", "10.77.0.1/24", "dev", "switch")
        run("ip", "link", "set", "switch", "up")

    def host(self, name, megabytes=None):
        folder = os.path.join(self.room, name)
        os.mkdir(folder, 0o755)
        address = f"10.77.0.{len(self.hosts) + 11}" if self.isolated else "127.0.0.1"
        host = self.hosts[name] = Host(self, name, address, folder)
        if self.isolated:
            for line in (
                f"netns add {name}", f"link add to-{name} type veth peer name uplink netns {name}",
                f"link set to-{name} master switch", f"link set to-{name} up", f"-n {name} link set lo up",
                f"-n {name} address add {address}/24 dev uplink", f"-n {name} link set uplink up",
            ):
                run("ip", *line.split())
            if megabytes:
                self.disk(folder, megabytes)
        return host

    def disk(self, folder, megabytes):
        """A small disk of its own, where the machine's may not be filled."""
        os.makedirs(folder, exist_ok=True)
        if self.isolated:
            run("mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=755", "none", folder)

    def port(self, address):
        if self.isolated:
            with self.lock:
                return next(self.ports)
        with socket.create_server((address, 0)) as taken:
            return taken.getsockname()[1]

    @staticmethod
    def faked(seconds):
        """What makes a program believe in another time of day. The time that only counts on stays right."""
        return {
            "LD_PRELOAD": "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1", "FAKETIME": f"{seconds:+d}s",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1"}

    def end(self):
        for program in reversed(self.programs):
            if not program.ended:
                try:
                    program.kill()
                except RuntimeError:
                    pass


def fill(folder):
    """Writes until the disk is full. Returns the file."""
    path = os.path.join(folder, "ballast")
    with open(path, "wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(1 << 16))
        except OSError:
            pass
    return path
