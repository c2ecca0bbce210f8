"""Measures the interactive list in its own terminal: when its first screen is drawn, how long a key takes to a
painted screen while a pull writes, what it costs idle, and its memory after a thousand screens of pictures.

    list.py MEDIA LIBRARY    MEDIA is the built program, LIBRARY a folder with many posts

It works on the library it is given: posts of the built-in demo server are pulled into it.
"""
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time


class Terminal:
    """A program in a pseudo-terminal whose output is read and thrown away."""

    def __init__(self, command, environment, columns, rows):
        self.begun = time.monotonic()
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            os.execve(command[0], command, environment)
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.output = b""

    def read(self, seconds):
        """The output within a number of seconds; empty if there is none."""
        ready, _, _ = select.select([self.file], [], [], seconds)
        if not ready:
            return b""
        try:
            piece = os.read(self.file, 1 << 20)
        except OSError:
            sys.exit("the list has ended: " + self.output[-400:].decode(errors="replace"))
        self.output = (self.output + piece)[-(1 << 20):]
        return piece

    def until(self, word, seconds=60):
        """Seconds from the start to a word on the screen."""
        end = time.monotonic() + seconds
        while word not in self.output:
            if time.monotonic() > end:
                sys.exit(f"never shown: {word}\n" + self.output[-2000:].decode(errors="replace"))
            self.read(0.05)
        return time.monotonic() - self.begun

    def quiet(self, seconds):
        """Reads until there is no output for a time."""
        while self.read(seconds):
            pass

    def watch(self, seconds):
        """Reads for a time: the countdown of the list never pauses."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.read(left)

    def press(self, key):
        """Milliseconds from a key to its output: a screen's changes arrive in one piece."""
        while self.read(0.002):
            pass
        begun = time.monotonic()
        os.write(self.file, key)
        return 1000 * (time.monotonic() - begun) if self.read(1) else None

    def usage(self):
        """Seconds of processor time of the program and its children."""
        return sum(ticks(pid) for pid in family(self.pid)) / os.sysconf("SC_CLK_TCK")

    def memory(self):
        """Megabytes of the program and of its children now."""
        own, *others = [resident(pid) for pid in family(self.pid)]
        return own, sum(others)

    def end(self, seconds=10):
        os.write(self.file, b"q")
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if os.waitpid(self.pid, os.WNOHANG)[0]:
                os.close(self.file)
                return
            self.drain()
        os.kill(self.pid, signal.SIGKILL)

    def drain(self):
        try:
            ready, _, _ = select.select([self.file], [], [], 0.05)
            if ready:
                os.read(self.file, 1 << 20)
        except OSError:
            time.sleep(0.02)


def family(pid):
    path = f"/proc/{pid}/task/{pid}/children"
    children = open(path).read().split() if os.path.exists(path) else []
    return [pid] + [int(child) for child in children]


def ticks(pid):
    fields = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


def resident(pid):
    for line in open(f"/proc/{pid}/status"):
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1000
    return 0


def percentile(values, part):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * part))]


def demo(media, posts):
    server = subprocess.Popen([media, "demo", "--port", "0", "--posts", str(posts)], stdout=subprocess.PIPE, text=True)
    return server, server.stdout.readline().strip()


def row(words, value):
    print(f"| {words} | {value} |", flush=True)


def first_screen(media, library, environment):
    times = []
    for _ in range(10):
        terminal = Terminal([media, "list", "--library", library], environment, 80, 24)
        times.append(terminal.until(b" posts") * 1000)
        terminal.end()
    row("first screen, from the start of the process", f"{percentile(times, 0.5):.0f} ms, at worst {max(times):.0f} ms")


def keys(media, library, environment):
    """Keys in a list of one tag while a pull writes pages of another."""
    server, url = demo(media, 40000)
    terminal = Terminal([media, "list", "--library", library, "--tag", "cats"], environment, 80, 24)
    terminal.until(b" posts")
    terminal.quiet(1)
    pull = [media, "tag", "demo", "--library", library, "--server", url, "--pages", "1000", "--no-pictures", "--no-avatars"]
    writer = subprocess.Popen(pull + ["--quiet"], stdout=subprocess.DEVNULL)
    time.sleep(0.5)
    times = {"a row": [], "a page": []}
    while writer.poll() is None and sum(map(len, times.values())) < 1000:
        for key in [b"j"] * 20 + [b"k"] * 5 + [b"\x1b[6~"] * 3 + [b"\x1b[5~"] * 2:
            time.sleep(0.01)
            took = terminal.press(key)
            if took is not None:
                times["a row" if len(key) == 1 else "a page"].append(took)
    still = writer.poll() is None
    writer.terminate()
    writer.wait()
    terminal.end()
    server.terminate()
    times["all"] = sum(times.values(), [])
    for kind, took in times.items():
        words = f"a key to a painted screen while a pull writes, {kind}, {len(took)} keys"
        row(
            words + ("" if still else ", the pull ended before"),
            f"{percentile(took, 0.5):.1f} ms, p99 {percentile(took, 0.99):.1f} ms, at worst {max(took):.1f} ms")


def idle(media, library, environment):
    terminal = Terminal([media, "list", "--library", library], environment, 80, 24)
    terminal.until(b" posts")
    terminal.quiet(2)
    before = terminal.usage()
    end = time.monotonic() + 20
    while time.monotonic() < end:
        terminal.read(0.5)
    row("idle, of one core", f"{(terminal.usage() - before) / 20 * 100:.2f} %")
    terminal.end()


def pictures(media, environment, way, columns, rows):
    with tempfile.TemporaryDirectory() as library:
        server, url = demo(media, 400)
        pull = [media, "tag", "demo", "--library", library, "--server", url, "--pages", "10", "--quiet"]
        subprocess.run(pull, check=True, stdout=subprocess.DEVNULL)
        server.terminate()
        flags = ["--library", library, "--pictures", way, "--no-animation"]
        terminal = Terminal([media, "list"] + flags, environment, columns, rows)
        terminal.until(b" posts")
        for screen in range(1000):
            down = screen // 100 % 2 == 0
            os.write(terminal.file, b"\x1b[6~" if down else b"\x1b[5~")
            terminal.quiet(0.03)
        own, others = terminal.memory()
        row(f"memory after 1,000 screens of pictures, {way} {columns} x {rows}", f"{own:.0f} MB, media-picture {others:.0f} MB")
        terminal.end()


def hurry():
    """Runs with high priority if permitted: this program's own waits must not count as the list's."""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, os.sched_param(1))
    except PermissionError:
        pass


def main(media, library):
    hurry()
    environment = dict(os.environ, TERM="xterm-256color", LANG="C.UTF-8")
    with tempfile.TemporaryDirectory() as configuration:
        environment["MEDIA_CONFIG"] = configuration
        print("| the interactive list | |\n| --- | --- |", flush=True)
        first_screen(media, library, environment)
        keys(media, library, environment)
        idle(media, library, environment)
        pictures(media, environment, "blocks", 80, 24)
        pictures(media, environment, "kitty", 120, 40)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
