"""Measures harvests that bring nothing new: of one feed, and of a thousand on four hosts of this machine. A feed is a
document of ten items with an entity tag, so that nothing new is one request and no body.

    harvest.py MEDIA [FEEDS]    MEDIA is the built program; 1,000 feeds unless said otherwise

Seconds and memory are medians of five harvests, and the requests are counted by the server.
"""
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading

HOSTS = 4
ROUNDS = 5
MEASURE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "beside", "measure.py")


class Server:
    """Feeds at several ports, each at any path."""

    def __init__(self):
        self.requests, self.ports = 0, []
        begun = threading.Event()
        threading.Thread(target=lambda: asyncio.run(self.serve(begun)), daemon=True).start()
        begun.wait()

    async def serve(self, begun):
        servers = [await asyncio.start_server(self.talk, "127.0.0.1", 0) for _ in range(HOSTS)]
        self.ports = [server.sockets[0].getsockname()[1] for server in servers]
        begun.set()
        await asyncio.Event().wait()

    async def talk(self, reader, writer):
        while True:
            try:
                head = (await reader.readuntil(b"\r\n\r\n")).decode()
            except (asyncio.IncompleteReadError, ConnectionError):
                break
            self.requests += 1
            path = head.split(" ", 2)[1]
            if "if-none-match" in head.lower():
                writer.write(b'HTTP/1.1 304 Not Modified\r\nETag: "1"\r\n\r\n')
            else:
                body = document(path).encode()
                kind = "Content-Type: application/rss+xml\r\n"
                fields = f'HTTP/1.1 200 OK\r\nETag: "1"\r\n{kind}Content-Length: {len(body)}\r\n\r\n'
                writer.write(fields.encode() + body)
            await writer.drain()
        writer.close()


def document(path):
    items = "".join(
        f"<item><guid>{path}-{number}</guid><title>Item {number} of {path}</title>"
        f"<pubDate>Sat, 21 Nov 2026 {number:02}:00:00 GMT</pubDate></item>" for number in range(10, 0, -1))
    return f'<rss version="2.0"><channel><title>{path}</title>{items}</channel></rss>'


def harvests(media, flags, server):
    """Medians of seconds, processor seconds and megabytes, and the requests of one harvest."""
    runs = []
    for _ in range(ROUNDS):
        before = server.requests
        said = subprocess.run(
            [sys.executable, "-I", "-S", MEASURE, os.devnull, "0", media, "harvest"] + flags, capture_output=True)
        run = json.loads(said.stdout)
        if run["code"]:
            sys.exit(f"harvest ended with {run['code']}")
        runs.append((run["wall"], run["cpu"], run["peak"], server.requests - before))
    return [statistics.median(column) for column in zip(*runs)]


def main(media, count="1000"):
    server = Server()
    print("| harvests with nothing new | wall | processor | peak | requests |\n| --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as home:
        os.environ["MEDIA_CONFIG"] = f"{home}/configuration"
        flags = ["--library", f"{home}/library", "--quiet"]
        for number in range(int(count)):
            feed = f"http://127.0.0.1:{server.ports[number % HOSTS]}/{number}.xml"
            subprocess.run([media, "follow", feed, "--every", "15m"] + flags, check=True)
            if number in (0, int(count) - 1):
                subprocess.run([media, "harvest"] + flags, check=True)
                wall, cpu, peak, requests = harvests(media, flags, server)
                print(f"| {number + 1:,} | {wall:.2f} s | {cpu:.2f} s | {peak:.0f} MB | {requests:.0f} |", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
