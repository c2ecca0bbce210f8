"""Measures harvests that bring nothing new: of one feed, and of a thousand on four hosts of this machine. A feed is a
document of ten items with an entity tag, so that nothing new is one request and no body.

    harvest.py MEDIA [FEEDS]    MEDIA is the built program; 1,000 feeds unless said otherwise

Seconds and memory are medians of five harvests, and the requests are counted by the server.
"""
import json
import os
import statistics
import subprocess
import sys
import tempfile

BESIDE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "beside")
sys.path.append(BESIDE)
from origin import Origin

HOSTS = 4
ROUNDS = 5
MEASURE = os.path.join(BESIDE, "measure.py")


def document(feed):
    items = "".join(
        f"<item><guid>{feed}-{number}</guid><title>Item {number} of {feed}</title>"
        f"<pubDate>Sat, 21 Nov 2026 {number:02}:00:00 GMT</pubDate></item>" for number in range(10, 0, -1))
    return f'<rss version="2.0"><channel><title>{feed}</title>{items}</channel></rss>'


def harvests(media, flags, origin):
    """Medians of seconds, processor seconds and megabytes, and the requests of one harvest."""
    runs = []
    for _ in range(ROUNDS):
        origin.set()
        said = subprocess.run(
            [sys.executable, "-I", "-S", MEASURE, os.devnull, "0", media, "harvest"] + flags, capture_output=True)
        run = json.loads(said.stdout)
        if run["code"]:
            sys.exit(f"harvest ended with {run['code']}")
        runs.append((run["wall"], run["cpu"], run["peak"], origin.counts()["requests"]))
    return [statistics.median(column) for column in zip(*runs)]


def main(media, count="1000"):
    print("| harvests with nothing new | wall | processor | peak | requests |\n| --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as home:
        os.makedirs(f"{home}/served/system")
        for number in range(int(count)):
            with open(f"{home}/served/system/{number}.rss", "w") as file:
                file.write(document(f"/{number}.xml"))
        os.environ["MEDIA_CONFIG"] = f"{home}/configuration"
        flags = ["--library", f"{home}/library", "--quiet"]
        with Origin(f"{home}/served", f"{home}/origin", servers=HOSTS) as origin:
            for number in range(int(count)):
                feed = f"{origin.bases[number % HOSTS]}/system/{number}.rss"
                subprocess.run([media, "follow", feed, "--every", "15m"] + flags, check=True)
                if number in (0, int(count) - 1):
                    subprocess.run([media, "harvest"] + flags, check=True)
                    wall, cpu, peak, requests = harvests(media, flags, origin)
                    print(f"| {number + 1:,} | {wall:.2f} s | {cpu:.2f} s | {peak:.0f} MB | {requests:.0f} |", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
