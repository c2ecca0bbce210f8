"""Measures what goes into a library and out of it. Prints a table; the library is not changed.

    importing.py MEDIA LIBRARY FILES
"""

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MEDIA, LIBRARY, FILES = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve(), int(sys.argv[3])
SCRATCH = Path(tempfile.mkdtemp(prefix="media-importing-"))
ENVIRONMENT = {**os.environ, "MEDIA_CONFIG": str(SCRATCH / "config"), "TZ": "UTC"}
FILE_BYTES = 137_000


def report(name, value, goal=""):
    print(f"| {name} | {value} | {goal} |", flush=True)


def run(*arguments, output=subprocess.DEVNULL):
    """The seconds, the processor's seconds, and the most resident memory in MB."""
    started = time.perf_counter()
    process = subprocess.Popen(list(map(str, arguments)), env=ENVIRONMENT, stdout=output, stderr=subprocess.PIPE)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    took = time.perf_counter() - started
    assert status == 0, (arguments, status, errors[-2000:])
    return took, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1000


def rate(name, count, measured, goal, unit="posts"):
    took, work, memory = measured
    report(f"{name}, {unit} a second", f"{count / took:,.0f}", goal)
    report(f"{name}, memory in MB; seconds of a core", f"{memory:.0f}; {work:.0f}", "60")


def synced():
    """Waits until what was written before is on the disk, which is nobody's time."""
    os.sync()


def lines():
    """A library as lines of JSON, out and in."""
    path = SCRATCH / "library.ndjson"
    out = run(MEDIA, "export", "--library", LIBRARY, "--out", path, "--quiet")
    with path.open("rb") as file:
        count = sum(line.startswith(b'{"id":') for line in file)
    report("posts; the file in MB", f"{count:,}; {path.stat().st_size / 1e6:,.0f}")
    rate("ndjson out", count, out, "60,000")
    synced()
    rate("ndjson in", count, run(MEDIA, "import", path, "--library", SCRATCH / "imported", "--quiet"), "10,000")
    rate("the same again", count, run(MEDIA, "import", path, "--library", SCRATCH / "imported", "--quiet"), "10,000")
    path.unlink()
    shutil.rmtree(SCRATCH / "imported")
    synced()
    rate("copy, with the comparison", count, run(MEDIA, "copy", LIBRARY, SCRATCH / "copied", "--quiet"), "")
    rate("copied again", count, run(MEDIA, "copy", LIBRARY, SCRATCH / "copied", "--quiet"), "")
    return count


def backup():
    """A backup, and a second one with nothing new."""
    library, target = SCRATCH / "copied", SCRATCH / "backup"
    report("first backup, s", f"{run(MEDIA, 'backup', target, '--library', library, '--quiet')[0]:.1f}")
    again = [run(MEDIA, "backup", target, "--library", library, "--quiet")[0] for _ in range(5)]
    report("a backup with nothing new, s: worst of 5", f"{max(again):.2f}", "1")
    shutil.rmtree(library)
    shutil.rmtree(target)


def folder():
    """A folder of gallery-dl, beside the hashes of its files alone."""
    downloads = SCRATCH / "gallery-dl"
    downloads.mkdir()
    dice = random.Random(7)
    for number in range(FILES):
        # A JPEG's first bytes; what follows is looked at by nobody.
        (downloads / f"{number}_1.jpg").write_bytes(b"\xff\xd8\xff\xe0" + dice.randbytes(FILE_BYTES - 4))
        (downloads / f"{number}_1.jpg.json").write_text(json.dumps({
            "category": "made-up", "subcategory": "user", "id": number, "num": 1, "date": "2024-02-29 12:30:00",
            "description": f"made up {number}", "tags": f"cats {number}", "extension": "jpg"}))
    synced()
    names = SCRATCH / "names"
    names.write_text("\n".join(str(file) for file in sorted(downloads.glob("*.jpg"))))
    digests = ["xargs", "-a", names, "-n", "500", "openssl", "dgst", "-sha256"]
    # Once to have the files in memory, as the import will.
    run(*digests)
    alone = run(*digests)[0]
    took, work, memory = run(MEDIA, "import", downloads, "--library", SCRATCH / "folder", "--quiet")
    megabytes = FILES * FILE_BYTES / 1e6
    started = time.perf_counter()
    shutil.copytree(downloads, SCRATCH / "plain")
    os.sync()
    plain = time.perf_counter() - started
    shutil.rmtree(SCRATCH / "plain")
    report("files of a folder; MB", f"{FILES:,}; {megabytes:,.0f}")
    report("openssl dgst -sha256, MB/s", f"{megabytes / alone:,.0f}")
    report("a folder of gallery-dl, times openssl's", f"{took / alone:.2f}", "1.5")
    # Where files cannot share bytes, as on ext4, the disk has to write them all.
    report("a folder of gallery-dl, times openssl's and a plain copy's", f"{took / (alone + plain):.2f}", "1.5")
    report("a folder of gallery-dl, MB/s; seconds of a core; memory in MB", f"{megabytes / took:,.0f}; {work:.1f}; {memory:.0f}")
    again = run(MEDIA, "import", downloads, "--library", SCRATCH / "folder", "--quiet")[0]
    report("the same again, s", f"{again:.1f}")


try:
    print("| what | measured | goal |\n| --- | --- | --- |")
    (SCRATCH / "config").mkdir()
    lines()
    backup()
    folder()
finally:
    shutil.rmtree(SCRATCH, ignore_errors=True)
