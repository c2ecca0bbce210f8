"""Measures a harvest that brings nothing new of a thousand feeds of eight kinds: tags at `media demo` in six dialects, of eight
servers each, and documents of RSS and JSON Feed at nginx. All run on this machine.

    kinds.py MEDIA    MEDIA is the built program, beside its others

Seconds and memory are medians of five harvests; the requests are those that the program counts in one more.
"""
import contextlib
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile

from harvest import MEASURE, ROUNDS, document
from origin import Origin

SERVERS = 8
TAGS = """demo cats flowers forest sea balloons city mountains catsofthefediverse waldspaziergang stars nightwalk hiking birds
lighthouses mar sailing""".split()
# What logs in at a server of each dialect, and what is typed then.
LOGINS = {
    "mastodon": None, "misskey": None, "lemmy": None, "bluesky": ([], "mira.test\ndemo\n"),
    "tumblr": (["--client-id", "demo-consumer-key"], ""), "flickr": (["--client-id", "demo-api-key"], ""),
}
DOCUMENTS = 92


def json_feed(feed):
    items = [
        {"id": f"{feed}-{number}", "content_text": f"Item {number}", "date_published": f"2026-11-21T{number:02}:00:00Z"}
        for number in range(10, 0, -1)]
    return json.dumps({"version": "https://jsonfeed.org/version/1.1", "title": feed, "items": items})


@contextlib.contextmanager
def demo(media, dialect):
    words = [media, "demo", "--port", "0", "--posts", "120", "--dialect", dialect, "--quiet"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as server:
        try:
            yield server.stdout.readline().strip()
        finally:
            server.send_signal(signal.SIGTERM)


def follow(media, flags, url, dialect):
    if LOGINS[dialect]:
        words, typed = LOGINS[dialect]
        subprocess.run([media, "login", url, "--source", dialect] + words + flags, input=typed, text=True, check=True)
    for tag in TAGS:
        words = ["follow", f"tag:{tag}@{url}", "--source", dialect, "--unchecked", "--every", "15m"]
        subprocess.run([media] + words + flags, check=True)


def main(media):
    with tempfile.TemporaryDirectory() as home, contextlib.ExitStack() as stack:
        os.makedirs(f"{home}/served/system")
        os.environ["MEDIA_CONFIG"] = f"{home}/configuration"
        flags = ["--library", f"{home}/library", "--quiet"]
        origin = stack.enter_context(Origin(f"{home}/served", f"{home}/origin", servers=2))
        for kind, text in [("rss", document), ("json", json_feed)]:
            for number in range(DOCUMENTS):
                with open(f"{home}/served/system/{number}.{kind}", "w") as file:
                    file.write(text(f"/{number}.{kind}"))
                feed = f"{origin.bases[number % 2]}/system/{number}.{kind}"
                subprocess.run([media, "follow", feed, "--every", "15m"] + flags, check=True)
        for dialect in LOGINS:
            for _ in range(SERVERS):
                follow(media, flags, stack.enter_context(demo(media, dialect)), dialect)
        harvest = [media, "harvest", "--no-pictures", "--no-avatars"] + flags
        subprocess.run(harvest, check=True)
        runs = []
        for _ in range(ROUNDS):
            said = subprocess.run([sys.executable, "-I", "-S", MEASURE, os.devnull, "0"] + harvest, capture_output=True)
            run = json.loads(said.stdout)
            if run["code"]:
                sys.exit(f"harvest ended with {run['code']}")
            runs.append((run["wall"], run["cpu"], run["peak"]))
        wall, cpu, peak = (statistics.median(column) for column in zip(*runs))
        lines = subprocess.run(harvest + ["--json"], capture_output=True, text=True, check=True).stdout.splitlines()
        requests = [json.loads(line).get("requests", 0) for line in lines]
        print("| feeds of eight kinds | wall | processor | peak | requests |\n| --- | --- | --- | --- | --- |")
        print(f"| {len(requests):,} | {wall:.2f} s | {cpu:.2f} s | {peak:.0f} MB | {sum(requests):,} |")


if __name__ == "__main__":
    main(*sys.argv[1:])
