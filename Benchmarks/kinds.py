"""Measures a harvest that brings nothing new of a thousand feeds of eight kinds: tags at `media demo` in six dialects, of eight
servers each, and documents of RSS and JSON Feed at nginx. All run on this machine. A proxy that keeps answers stands between, so that
what the servers of the demo cost is not measured.

    kinds.py MEDIA    MEDIA is the built program, beside its others

Seconds and memory are medians of five harvests; the requests are those that the program counts in one more.
"""
import contextlib
import getpass
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time

from harvest import MEASURE, ROUNDS, document
from origin import Origin, free_ports

SERVERS = 8
TAGS = """demo cats flowers forest sea balloons city mountains catsofthefediverse waldspaziergang stars nightwalk hiking birds
lighthouses mar sailing""".split()
# What logs in at a server of each dialect, and what is typed then.
LOGINS = {
    "mastodon": None, "misskey": None, "lemmy": None, "bluesky": ([], "mira.test\ndemo\n"),
    "tumblr": (["--client-id", "demo-consumer-key"], ""), "flickr": (["--client-id", "demo-api-key"], ""),
}
DOCUMENTS = 92
PROXY = """
user @USER@;
daemon off;
pid @RUN@/nginx.pid;
error_log @RUN@/error.log warn;
events { worker_connections 2048; }
http {
    access_log off;
    client_body_temp_path @RUN@/body;
    proxy_temp_path @RUN@/proxy;
    fastcgi_temp_path @RUN@/fastcgi;
    uwsgi_temp_path @RUN@/uwsgi;
    scgi_temp_path @RUN@/scgi;
    proxy_cache_path @RUN@/cache keys_zone=answers:10m;
    keepalive_requests 1000000;
    server {
        listen 127.0.0.1:@PORT@ backlog=1024;
        client_body_buffer_size 64k;
        location / {
            proxy_pass http://$http_host$request_uri;
            proxy_http_version 1.1;
            proxy_set_header Host $http_host;
            proxy_cache answers;
            proxy_cache_methods GET POST;
            proxy_cache_key "$request_method $http_host$request_uri $request_body $http_authorization";
            proxy_cache_valid 200 1h;
            proxy_ignore_headers Cache-Control Expires Set-Cookie Vary;
        }
    }
}
"""


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


@contextlib.contextmanager
def proxy(folder):
    """Makes the harvests of this process ask a proxy, which asks the servers once for each answer."""
    (port,) = free_ports(1)
    os.makedirs(folder)
    with open(f"{folder}/nginx.conf", "w") as file:
        file.write(PROXY.replace("@RUN@", folder).replace("@USER@", getpass.getuser()).replace("@PORT@", str(port)))
    with subprocess.Popen(["nginx", "-p", folder, "-c", f"{folder}/nginx.conf"], stderr=subprocess.DEVNULL) as server:
        os.environ["http_proxy"] = f"http://127.0.0.1:{port}"
        time.sleep(1)
        try:
            yield
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
        stack.enter_context(proxy(f"{home}/proxy"))
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
