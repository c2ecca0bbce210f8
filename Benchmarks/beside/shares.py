"""Whose instructions a pull runs: media's own, or those of its libraries."""
import collections
import glob
import os
import shutil
import subprocess
import sys

from peers import NAMES, Place

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(1, os.path.dirname(HERE))
from callgrind import command, costs  # noqa: E402

SOURCES = os.path.join(HERE, "../../Sources")
OWN, HASHES = "media's own code", "SHA-256, which OpenSSL gives no name"
SWIFT, NETWORK = "Swift's runtime, standard library and Foundation", "libcurl and its thirty libraries"
SYSTEM = "libc, beginning and loading"
# Swift names begin with their module; a library's function specialized for a type of media contains media's name later.
LIBRARIES = {"ArgumentParser": "ArgumentParser"}
FILES = {"libsqlite3": "SQLite", "libzstd": "zstd", "libc": SYSTEM, "ld-linux-x86-64": SYSTEM, "libm": SYSTEM}


class Shares:
    """Counts the jobs A and C of media beside the whole of what does them in C, and by the shell."""

    def __init__(self, bench):
        self.bench = bench
        self.origin = bench.origin("posts")
        self.origin.set(hide=5, visible=400, latency_ms=0)
        self.work = f"{bench.memory}/shares"
        os.makedirs(self.work)
        # callgrind does not read the compiler's debug information.
        self.media = f"{self.work}/media"
        subprocess.run(["strip", "--strip-debug", "-o", self.media, bench.options.media], check=True)
        self.place = Place(
            media=self.media, sketch=f"{bench.options.work}/floor", peers=bench.options.peers, base=self.origin.base,
            tls_port=self.origin.tls_port, pages=10, out=f"{self.work}/out", lists="", pictures=[])

    def run(self):
        print("\n### shares: millions of instructions, by whose they are\n")
        print("| | A | C |\n| --- | --- | --- |")
        tools = [tool for tool in ("media", "sketch", "pipeline") if self.place.program(tool)]
        found = {tool: [self.counted(tool, "pull"), self.counted(tool, "again")] for tool in tools}
        for whose in sorted(set().union(*found["media"]), key=lambda whose: -found["media"][0][whose]):
            self.row(whose, [found["media"][job][whose] for job in (0, 1)])
        for tool in found:
            self.row(f"{NAMES[tool]}, all but SHA-256", [job.total() - job[HASHES] for job in found[tool]])
        shutil.rmtree(self.work)

    @staticmethod
    def row(title, numbers):
        print(" | ".join([f"| {title}"] + [f"{number / 1e6:,.1f}" if number else "" for number in numbers]) + " |", flush=True)

    def counted(self, tool, kind):
        """The instructions of a job; the full pull runs before the one without new posts."""
        if tool == "sketch" and kind == "again":
            return collections.Counter()
        if kind == "pull":
            shutil.rmtree(self.place.out, ignore_errors=True)
            os.makedirs(self.place.out)
        for old in glob.glob(f"{self.work}/*.profile"):
            os.remove(old)
        counted = command(f"{self.work}/%p.profile", self.place.command(tool, kind), children=tool == "pipeline")
        subprocess.run(counted, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        found = collections.Counter()
        for profile in glob.glob(f"{self.work}/*.profile"):
            for (file, function), cost in costs(profile).items():
                found[self.whose(file or "", function or "")] += cost
        return found

    def whose(self, file, function):
        if file == self.media:
            module = module_of(function)
            if module in MODULES or any(f"{len(name)}{name}" in function for name in MODULES):
                return OWN
            return LIBRARIES.get(module, SWIFT)
        name = os.path.basename(file).split(".so")[0]
        if name == "libcrypto" and function.startswith("0x"):
            return HASHES
        return FILES.get(name, NETWORK)


def module_of(function):
    """The module of a mangled Swift name, `$s7Storage…`; nothing for other names."""
    if not function.startswith("$s"):
        return ""
    digits = len(function[2:]) - len(function[2:].lstrip("0123456789"))
    return function[2 + digits:2 + digits + int(function[2:2 + digits] or 0)]


MODULES = {name for name in os.listdir(SOURCES) if name not in ("Doors", "media-picture", "media-demo")} | {"Migrations"}
