"""Writes down which functions media runs in its daily work, those of all jobs first and each job's own together, so that
the linker can put them side by side: what lies strewn over the program's file costs memory and time for all that lies
between.

    order.py MEDIA    MEDIA is the built program, with its symbols; prints their names

Each job runs in callgrind, which sees every call.
"""
import os
import subprocess
import sys
import tempfile
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

from callgrind import command, costs
from list import Terminal, demo


class Quiet(SimpleHTTPRequestHandler):
    """Serves a folder without a log."""

    def log_message(self, *_):
        pass


def feed(work):
    """The address of a feed of 100 items."""
    item = "<item><guid>{0}</guid><title>No. {0}</title><link>https://cats.example/{0}</link><description>&lt;p&gt;A cat" \
        "&lt;/p&gt;</description><category>cats</category><pubDate>Sun, 01 Nov 2026 10:00:{1:02} GMT</pubDate></item>"
    os.mkdir(f"{work}/served")
    with open(f"{work}/served/feed.rss", "w") as file:
        items = "".join(item.format(number, number % 60) for number in range(100))
        file.write(f'<rss version="2.0"><channel><title>Cats</title>{items}</channel></rss>')
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=f"{work}/served"))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/feed.rss"


def main(media):
    work = tempfile.mkdtemp()
    program = f"{work}/media"
    # callgrind does not read the compiler's debug information.
    subprocess.run(["strip", "--strip-debug", "-o", program, media], check=True)
    os.symlink(os.path.realpath(f"{os.path.dirname(media)}/media-picture"), f"{work}/media-picture")
    server, url = demo(media, 200)
    environment = dict(os.environ, HOME=work, TERM="xterm-kitty", LANG="C.UTF-8")
    ran = []

    def profiled(number, arguments):
        return command(f"{work}/{number}", [program] + arguments)

    def functions(number):
        return {function for file, function in costs(f"{work}/{number}") if file == program}

    jobs = [
        ["tag", "demo", "--server", url, "--pages", "3"], ["tag", "demo", "--server", url, "--new"],
        ["feed", feed(work)], ["list"], ["list", "--json", "--limit", "20"], ["list", "--search", "the"], ["show", "1"],
        ["delete", "1"], ["restore", "1"], ["follow", f"demo@{url}"], ["harvest"], ["harvest"], ["gaps"], ["runs"],
        ["recheck"], ["check"], ["stats"], ["--help"],
    ]
    for number, job in enumerate(jobs):
        done = subprocess.run(profiled(number, job), env=environment, capture_output=True, text=True)
        print(f"order: media {' '.join(job)}: {done.returncode} {done.stderr[:100].strip()}", file=sys.stderr)
        ran.append(functions(number))
    terminal = Terminal(profiled("list", ["list", "--pictures", "kitty"]), environment, 120, 40)
    terminal.until(b" posts", seconds=300)
    for key in [b"\x1b[6~"] * 4 + [b"\x1b[5~", b"j", b"k", b"\r", b"\x1b", b"v", b"v", b"d", b"u", b"/", b"the", b"\x1b"]:
        os.write(terminal.file, key)
        terminal.watch(3)
    terminal.end(seconds=120)
    ran.append(functions("list"))
    server.terminate()
    # First the functions of a pull, among them those that later jobs share; then the others of the next job; and so on.
    for function in sorted(set().union(*ran), key=lambda function: ([function not in job for job in ran], function)):
        if not function.startswith("0x"):
            print(function)


if __name__ == "__main__":
    main(os.path.realpath(sys.argv[1]))
