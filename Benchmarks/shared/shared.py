"""Measures a library that machines share, in PostgreSQL and an S3 service. Prints a table.

    shared.py MEDIA LIBRARYBENCH FOLDER POSTS [PART...]    POSTS are sizes between commas: 1000000,10000000

FOLDER keeps what is made up: the posts of an origin, and a library of each size. Parts: store, workers, pictures, size.
"""

import concurrent.futures
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path += [str(HERE), str(HERE.parent / "beside")]
from origin import Origin
from servers import ROOT, PostgreSQL, S3

MEDIA, BENCH, FOLDER = (Path(text).resolve() for text in sys.argv[1:4])
SIZES = [int(text) for text in sys.argv[4].split(",")]
PARTS = sys.argv[5:] or ["store", "workers", "pictures", "size"]
SCRATCH = Path(tempfile.mkdtemp(prefix="media-shared-"))
ROUNDS = 3
PAGES, WORKERS = 100, 4
# While posts are loaded. What is measured has the guide's settings alone.
LOADING = ["wal_level=minimal", "max_wal_senders=0", "full_page_writes=off", "synchronous_commit=off"]


def report(name, value, goal=""):
    print(f"| {name} | {value} | {goal} |", flush=True)


def made(name, *options):
    """A folder of the origin's, made up once."""
    folder = FOLDER / name
    if not (folder / "made").exists():
        maker = ROOT / "Benchmarks" / "beside" / "make_origin.py"
        common = ["--reblogs", "0", "--repeated", "0"]
        subprocess.run([sys.executable, maker, folder, *options, *common], check=True)
    return folder


def serve(posts, servers, milliseconds):
    """The posts at several servers, which wait so long before each answer."""
    return Origin(posts, str(SCRATCH / "origin"), servers=servers, hide=0, latency_ms=milliseconds)


def pull(library, base, environment, pages, *flags):
    """How many seconds a pull of so many pages takes."""
    command = [MEDIA, "tag", "bench", "--server", base, "--pages", pages, "--library", library, "--no-avatars", *flags]
    started = time.perf_counter()
    run = subprocess.run(list(map(str, command)), env=environment, capture_output=True, text=True)
    assert run.returncode == 0, (command, run.stderr[-2000:])
    return time.perf_counter() - started


def begun(library, base, environment):
    """The same library, with the posts of a first page: it is made, and its plans are those of a library in use."""
    pull(library, base, environment, 1, "--no-pictures")
    return library


def in_turn(*measures):
    """Medians of several functions, which take turns: a machine that slows down slows all of them."""
    rounds = [[measure(number) for measure in measures] for number in range(ROUNDS)]
    return [statistics.median(column) for column in zip(*rounds)]


def store(server, environment):
    """One worker, posts alone: PostgreSQL beside SQLite."""
    posts = made("posts", "--posts", "4000", "--each", "1", "--media-kb", "2..3")
    with serve(posts, 2, 0) as origin:
        def one(library):
            return 40 * PAGES / pull(begun(library, origin.bases[0], environment), origin.bases[1], environment, PAGES,
                                     "--no-pictures")
        sqlite, shared = in_turn(
            lambda number: one(SCRATCH / f"store-{number}"),
            lambda number: one(f"{server.new(f'store_{number}')}?blobs={SCRATCH}/blobs"))
    report("posts a second, SQLite", f"{sqlite:,.0f}")
    report("posts a second, PostgreSQL; times SQLite's", f"{shared:,.0f}; {shared / sqlite:.2f}", "0.5")


def workers(server, environment):
    """Several processes at once, each with a feed of its own, from servers that take 50 ms."""
    posts = made("posts", "--posts", "4000", "--each", "1", "--media-kb", "2..3")
    with serve(posts, 2 + WORKERS, 50) as origin:
        def library(name):
            return begun(f"{server.new(name)}?blobs={SCRATCH}/blobs", origin.bases[0], environment)

        def alone(number):
            return 40 * PAGES / pull(library(f"alone_{number}"), origin.bases[1], environment, PAGES, "--no-pictures")

        def together(number):
            shared = library(f"together_{number}")
            started = time.perf_counter()
            with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
                list(pool.map(lambda base: pull(shared, base, environment, PAGES, "--no-pictures"), origin.bases[2:]))
            return WORKERS * 40 * PAGES / (time.perf_counter() - started)

        one, all_of_them = in_turn(alone, together)
    report("posts a second at 50 ms a request, one worker", f"{one:,.0f}")
    report(f"the same of {WORKERS} workers; times one", f"{all_of_them:,.0f}; {all_of_them / one:.2f}", "3.5")


def pictures(server, environment):
    """Pictures from a server that takes 50 ms, 16 at once: to the service, and to a folder."""
    posts = made("pictures", "--posts", "400", "--each", "2", "--media-kb", "130..144")
    count = 800
    with serve(posts, 2, 50) as origin, S3(SCRATCH / "s3") as s3:
        environment = {**environment, **s3.environment, "XDG_CACHE_HOME": str(SCRATCH / "cache")}

        def one(name, blobs):
            library = begun(f"{server.new(name)}?blobs={blobs}", origin.bases[0], environment)
            return count / pull(library, origin.bases[1], environment, 10)
        folder, service = in_turn(
            lambda number: one(f"folder_{number}", SCRATCH / f"blobs-{number}"),
            lambda number: one(f"service_{number}", f"s3://media/library-{number}"))
    report("pictures of 137 kB a second at 50 ms, a folder", f"{folder:,.0f}")
    report("the same, S3; times the folder's", f"{service:,.0f}; {service / folder:.2f}", "0.7")


def load(sizes):
    """Libraries of made-up posts, kept. A load that was cut off goes on."""
    with PostgreSQL(FOLDER / "server", LOADING) as server:
        for size in sizes:
            name = f"posts_{size}"
            if not server.has(name):
                server.new(name)
            elif server.ask(name, "SELECT to_regclass('made.step')") and server.ask(
                    name, "SELECT made.has_done('vacuum')") == "t":
                continue
            subprocess.run([BENCH, "begin", server.address(name)], env=server.environment, check=True)
            server.script(name, ROOT / "Benchmarks" / "shared" / "posts.sql", posts=size)


def size(server, environment):
    """Windows, changes and takes of libraries of each size, by their own readings."""
    names = [f"posts_{size}" for size in SIZES]
    for name in names:
        kept = server.ask(name, "SELECT round(pg_database_size(current_database()) / 1e9, 1)")
        report(f"{name}, GB", kept)
    subprocess.run([BENCH, "shared", *map(server.address, names)], env=environment, check=True)


try:
    FOLDER.mkdir(parents=True, exist_ok=True)
    (SCRATCH / "configuration").mkdir()
    if "size" in PARTS:
        load(SIZES)
    print("| what | measured | goal |\n| --- | --- | --- |")
    with PostgreSQL(FOLDER / "server") as server:
        environment = {**server.environment, "MEDIA_CONFIG": str(SCRATCH / "configuration"),
                       "XDG_DATA_HOME": str(SCRATCH / "data")}
        for part in PARTS:
            {"store": store, "workers": workers, "pictures": pictures, "size": size}[part](server, environment)
        for name in server.ask("postgres", "SELECT datname FROM pg_database WHERE datname ~ '_[0-9]$'").split():
            server.drop(name)
finally:
    shutil.rmtree(SCRATCH, ignore_errors=True)
