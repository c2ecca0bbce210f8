"""The jobs that need no origin: lists and searches of a large library, a process's start, and the build."""
import os
import sqlite3
import subprocess
import sys
import tempfile
import time

from jobs import Goal, Results
from make_origin import TAG
from peers import NAMES, Place

REPEATS = 10  # of each command in a round: they are short
NEWEST = """SELECT p.id, a.handle, p.created_at, p.url, p.caption FROM post p LEFT JOIN author a ON a.id = p.author
ORDER BY p.created_at DESC, p.id DESC LIMIT 50"""
FOUND = """SELECT p.id, a.handle, p.created_at, p.url, p.caption FROM caption_fts f JOIN post p ON p.id = f.rowid
LEFT JOIN author a ON a.id = p.author WHERE caption_fts MATCH '{}' ORDER BY {} LIMIT 50"""


class Short:
    """Commands that end within milliseconds, in turn."""

    def __init__(self, bench):
        self.bench, self.media = bench, bench.options.media
        self.place = Place(self.media, "", bench.options.peers, "", 0, 0, "", "", [])

    def turns(self, name, title, commands, goals):
        results = Results({name: NAMES[name] for name in ("media", "same", "best")})
        for tool in commands:
            if not self.place.program(tool):
                results.failed[tool] = "not installed"
        for _ in range(self.bench.options.rounds * REPEATS):
            for tool, command in commands.items():
                if tool not in results.failed:
                    self.measured(name, tool, command, results)
        self.bench.report(name, title, results, goals)

    def measured(self, name, tool, command, results):
        run = self.bench.measure(command)
        if run["code"]:
            results.failed[tool] = f"failed, {run['code']}"
            if tool == "media":
                self.bench.complain(name, f"media ended with {run['code']}: {run['said']}")
            return
        results.add(tool, {name: run[name] for name in ("wall", "cpu", "peak")})


class Lists(Short):
    """Job F. The peers read media's own library: their time is that of SQLite and of starting."""

    def run(self):
        library = self.bench.options.library
        with sqlite3.connect(f"file:{library}/media.sqlite?mode=ro", uri=True) as base:
            posts = base.execute("SELECT count(*) FROM post").fetchone()[0]
            words = {"rare": a_word_of(base, posts // 1000), "common": a_word_of(base, posts // 10)}
        goals = [Goal("media", "wall", most=0.025)]
        listing = [self.media, "list", "--plain", "--limit", "50", "--library", library]
        self.turns("F", f"the newest 50 of {posts:,} posts", {"media": listing} | self.peers(library, NEWEST), goals)
        for kind, (word, times) in words.items():
            commands = {"media": listing + ["--search", word]} | self.peers(library, FOUND.format(word, "p.created_at DESC"))
            commands["best"] = ["sqlite3", f"{library}/media.sqlite", FOUND.format(word, "rank")]
            self.turns("F", f"the newest 50 with a {kind} word, which {times:,} of {posts:,} posts have", commands, goals)

    def peers(self, library, query):
        file, address = f"{library}/media.sqlite", "/media.json?sql=" + query.replace("\n", " ").replace(" ", "+")
        return {
            "same": ["sqlite3", file, query],
            "sqlite-utils": [self.place.program("sqlite-utils"), "query", file, query],
            "datasette": [
                self.place.program("datasette"), file, "--setting", "sql_time_limit_ms", "60000", "--get", address,
            ],
        }


class Start(Short):
    def run(self):
        with tempfile.TemporaryDirectory(dir=self.bench.memory) as library:
            subprocess.run([self.media, "add", f"A post for #{TAG}", "--library", library, "--quiet"], check=True)
            self.one("`media --help`", [self.media, "--help"])
            self.one("`media list --limit 1`", [self.media, "list", "--limit", "1", "--library", library])

    def one(self, title, command):
        commands = {"media": command}
        for tool in ("curl", "sqlite3", "gallery-dl", "toot"):
            commands[tool] = [self.place.program(tool), "--version"]
        self.turns("start", f"{title}, its peers with `--version`", commands, [Goal("media", "wall", most=0.012)])


class Build:
    """A clean release build, as by Scripts/build; dependencies are fetched before."""

    limit = 300  # seconds, on two cores

    def __init__(self, bench):
        self.bench = bench

    def run(self):
        with tempfile.TemporaryDirectory(dir=self.bench.options.work) as scratch:
            swift = ["--scratch-path", scratch]
            subprocess.run(["swift", "package"] + swift + ["resolve"], check=True, stdout=sys.stderr)
            begun = time.monotonic()
            built = subprocess.run(["Scripts/build"] + swift, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
            took = time.monotonic() - begun
            sizes = {}
            for program in (built, f"{built}-picture", f"{built}-demo", f"{built}-serve"):
                subprocess.run(["strip", "-o", f"{scratch}/stripped", program], check=True)
                sizes[os.path.basename(program)] = [os.path.getsize(path) / 1e6 for path in (program, f"{scratch}/stripped")]
        print(f"\n### build: release from clean, {os.cpu_count()} cores\n")
        print("| | | goal | holds |\n| --- | --- | --- | --- |")
        print(f"| wall | {took:.0f} s | ≤ {self.limit} s | {'yes' if took <= self.limit else '**no**'} |")
        for program, (whole, stripped) in sizes.items():
            print(f"| `{program}` | {whole:.0f} MB, {stripped:.0f} MB stripped | | |", flush=True)
        if took > self.limit:
            self.bench.missed.append(f"build: {took:.0f} s ≤ {self.limit} s")


def a_word_of(base, times):
    """LibraryBench's word whose number of posts is nearest to a count, and that number."""
    word, low, high = None, 1, 20_000
    while low <= high:
        rank = (low + high) // 2
        found = base.execute("SELECT count(*) FROM caption_fts WHERE caption_fts MATCH ?", [f'"{drawn(rank)}"'])
        count = found.fetchone()[0]
        if word is None or abs(count - times) < abs(word[1] - times):
            word = drawn(rank), count
        low, high = (rank + 1, high) if count > times else (low, rank - 1)
    return word


def drawn(rank):
    """LibraryBench's word of a rank; the n-th is drawn about 1/n as often as the first."""
    syllables = ["ka", "lo", "mi", "ren", "tu", "sha", "vel", "no", "pi", "dor", "es", "an"]
    word, rest = "", rank + len(syllables)
    while rest:
        word, rest = word + syllables[rest % len(syllables)], rest // len(syllables)
    return word


LOCAL = {"F": Lists, "start": Start, "build": Build}
