"""Runs media and its peers in turn, holds what was kept against what was served, and prints a table a job.

    bench.py --media MEDIA --work FOLDER --rounds N [--library FOLDER] JOB ...

Scripts/bench peers calls it, after it has built and installed what is measured. FOLDER holds the made-up data and the sketch;
the peers lie in `peers` beside it; LIBRARY is one of 1,000,000 posts, for job F. Ends with 1 where media kept something
wrong. A round runs every tool once, so that a slow minute falls on all of them; figures are medians over rounds. What
took longer than ten seconds is run once.
"""
import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile

from jobs import JOBS, Results
from lists import write_login, write_own_rows, write_rows, write_transfers
from local import LOCAL
from origin import Origin
from peers import KEEPS_NO_PICTURES, KEEPS_NO_POSTS, Place
from shares import Shares
from verify import Library, Truth, pictures_kept, posts_kept

HERE = os.path.dirname(os.path.abspath(__file__))
OTHERS = LOCAL | {"shares": Shares}
SLOW = 10  # seconds


class Bench:
    def __init__(self, options, memory, disk):
        self.options, self.memory, self.disk = options, memory, disk
        self.origins, self.wrong, self.missed = {}, [], []
        os.environ["MEDIA_CONFIG"] = f"{memory}/configuration"

    def origin(self, data):
        """Serves one of the made-up folders; all stay until the end, on the same ports."""
        if data not in self.origins:
            self.origins[data] = Origin(f"{self.options.work}/{data}", f"{self.disk}/{data}-origin", self.options.work)
        return self.origins[data]

    def measure(self, command, every=0):
        log = f"{self.disk}/said"
        measured = [sys.executable, "-I", "-S", f"{HERE}/measure.py", log, str(every)] + command
        process = subprocess.Popen(measured, stdout=subprocess.PIPE)
        try:
            run = json.loads(process.communicate()[0])
        except BaseException:
            process.terminate()
            process.wait()
            raise
        with open(log, errors="replace") as file:
            run["said"] = file.read()[-300:].strip()
        return run

    def report(self, name, title, results, goals):
        table, missed = results.table(goals)
        print(f"\n### {name}: {title}\n\n{table}", flush=True)
        self.missed += [f"{name}: {words}" for words in missed]

    def complain(self, name, words):
        self.wrong.append(f"{name}: {words}")
        print(f"bench: {name}: {words}", file=sys.stderr)

    def end(self):
        for origin in self.origins.values():
            origin.stop()


class Pull:
    """One job against the origin."""

    def __init__(self, bench, name):
        self.bench, self.name, self.job = bench, name, JOBS[name]
        self.origin = bench.origin(self.job.data)
        self.scratch = tempfile.mkdtemp(dir=bench.disk if self.job.disk else bench.memory)
        self.out, self.results, self.wrong = f"{self.scratch}/out", Results(), False
        self.truth = Truth(self.origin.data, self.origin.base, self.job.skip, self.job.posts)
        self.place = Place(
            media=bench.options.media, sketch=f"{bench.options.work}/floor", peers=bench.options.peers,
            base=self.origin.base, tls_port=self.origin.tls_port, pages=self.job.pages, out=self.out,
            lists=f"{self.scratch}/lists",
            pictures=[f"{self.origin.data}/{path}" for path, _ in self.truth.pictures])

    def run(self):
        tools = [tool for tool in self.job.tools if self.place.program(tool)]
        self.prepare(tools)
        for turn in range(self.bench.options.rounds):
            for tool in tools:
                runs = self.results.runs.get(tool, [])
                if tool not in self.results.failed and not (runs and runs[0]["wall"] > SLOW):
                    self.measured(tool)
        for tool in self.job.tools:
            if tool not in tools:
                self.results.failed[tool] = "not installed"
        self.bench.report(self.name, self.job.title, self.results, self.job.goals)
        shutil.rmtree(self.scratch)

    def turn_knobs(self, latency=0):
        self.origin.set(hide=self.job.skip, visible=self.job.posts, latency_ms=latency)

    def prepare(self, tools):
        """The lists, the result of an earlier pull, and an untimed pull whose result a timed one must match."""
        self.turn_knobs()
        write_transfers(self.place.lists, self.origin.base, self.truth, self.job.pages)
        write_login(self.place.lists, self.origin.tls_port)
        if {"loader", "copier"} & set(tools):
            write_rows(self.place.lists, self.truth)
        if self.job.kind == "again":
            self.origin.set(hide=5, visible=400, latency_ms=0)
            for tool in tools:
                self.untimed(tool, "pull")
                os.rename(self.out, f"{self.scratch}/{tool}")
            self.turn_knobs()
        self.begin("media")
        self.untimed("media", self.job.kind)
        self.marks = self.library_holds()
        if "own" in tools:
            write_own_rows(self.place.lists, self.out)

    def begin(self, tool):
        shutil.rmtree(self.out, ignore_errors=True)
        if self.job.kind == "again":
            subprocess.run(["cp", "-a", f"{self.scratch}/{tool}", self.out], check=True)
        os.makedirs(self.out, exist_ok=True)
        if self.job.disk:
            os.sync()

    def untimed(self, tool, kind):
        os.makedirs(self.out, exist_ok=True)
        run = self.bench.measure(self.place.command(tool, kind))
        if run["code"]:
            self.fail(tool, run)

    def fail(self, tool, run):
        self.results.failed[tool] = f"failed, {run['code']}"
        said = f"{tool} ended with {run['code']}: {run['said']}"
        if tool == "media":
            self.bench.complain(self.name, said)
        else:
            print(f"bench: {self.name}: {said}", file=sys.stderr)

    def measured(self, tool):
        self.begin(tool)
        self.turn_knobs(self.job.latency)
        run = self.bench.measure(self.place.command(tool, self.job.kind), self.job.every if tool == "media" else 0)
        if run["code"]:
            return self.fail(tool, run)
        figures = {name: run[name] for name in ("wall", "cpu", "peak")}
        figures["requests"] = self.origin.counts()["requests"]
        self.results.add(tool, figures | watched(run["samples"]))
        if tool == "media":
            self.library_holds(self.marks)
            self.results.kept[tool] = "**wrong**" if self.wrong else "all, verified"
        elif tool not in self.results.kept:
            self.results.kept[tool] = self.kept(tool)

    def library_holds(self, marks=None):
        """Reports errors that a pull left in the library; returns the marks for a comparison with another pull."""
        if "media" in self.results.failed:
            return None
        library = Library(self.out)
        said = library.trouble(self.truth, self.job.pictures) + (library.differences(marks) if marks else [])
        marks = marks or library.marks()
        library.close()
        check = subprocess.run([self.bench.options.media, "check", "--json", "--library", self.out], capture_output=True)
        if check.returncode:
            said.append(f"media check ends with {check.returncode}")
        for words in said:
            self.wrong = True
            self.bench.complain(self.name, words)
        return marks

    def kept(self, tool):
        """The contents of another tool's folder; for a tool that only transfers, the files."""
        said = []
        if tool not in KEEPS_NO_POSTS:
            said.append(f"{posts_kept(self.out, self.truth)} of {len(self.truth.ids)} posts")
        if self.job.pictures and tool not in KEEPS_NO_PICTURES:
            said.append(f"{pictures_kept(self.out, self.truth)} of {len(self.truth.digests)} pictures")
        return ", ".join(said)


def watched(samples):
    """The growth of memory from the second to the last quarter of a run, and the most open files."""
    if len(samples) < 8:
        return {}
    quarter = len(samples) // 4
    held = [max(memory for memory, _ in samples[part * quarter:(part + 1) * quarter]) for part in (1, 3)]
    return {"growth": held[1] / held[0], "files": max(files for _, files in samples)}


def end_in_order(number, _):
    sys.exit(128 + number)


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--media", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--peers", required=True)
    parser.add_argument("--library")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("jobs", nargs="+", choices=list(JOBS) + list(OTHERS), metavar="JOB")
    return parser.parse_args()


def main():
    given = options()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, end_in_order)
    memory = "/dev/shm" if os.path.isdir("/dev/shm") else given.work
    with tempfile.TemporaryDirectory(prefix="media-bench-", dir=memory) as memory, \
            tempfile.TemporaryDirectory(prefix="bench-", dir=given.work) as disk:
        bench = Bench(given, memory, disk)
        try:
            for name in given.jobs:
                if name in JOBS:
                    Pull(bench, name).run()
                else:
                    OTHERS[name](bench).run()
        finally:
            bench.end()
    print("\n" + ("Goals missed:" if bench.missed else "All goals hold."))
    print("".join(f"- {words}\n" for words in bench.missed), end="")
    if bench.wrong:
        sys.exit("bench: media kept something wrong:\n" + "\n".join(bench.wrong))


if __name__ == "__main__":
    main()
