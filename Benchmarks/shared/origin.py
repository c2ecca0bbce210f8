"""Serves the posts of make_origin.py as several Mastodon servers of this machine, each with posts of its own.

    origin.py FOLDER SERVERS MILLISECONDS    waits so long before each answer

It prints the servers' addresses, one a line, and serves until it is ended. `Origin` starts it as a process of its own.
"""

import asyncio
import bisect
import subprocess
import sys
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

LARGEST_PAGE = 40


class Server:
    def __init__(self, folder, number, wait):
        self.folder, self.number, self.wait = folder, number, wait
        self.posts, self.pages = [], {}

    async def start(self, lines):
        self.server = await asyncio.start_server(self.talk, "127.0.0.1", 0, backlog=1024)
        self.host = "127.0.0.1:%d" % self.server.sockets[0].getsockname()[1]
        self.base = f"http://{self.host}"
        # What all servers have the same of would be one post: so the others' authors are at home elsewhere.
        own = f".o{self.number}.example".encode()
        self.posts = [line.replace(b"@BASE@", self.base.encode()).replace(b".example", own) for line in lines]
        # From the oldest on, so that they ascend.
        self.ids = [int(line[7:line.index(b'"', 7)]) for line in reversed(self.posts)]

    async def talk(self, reader, writer):
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                if self.wait:
                    await asyncio.sleep(self.wait)
                for part in self.answer(head.split(b" ", 2)[1].decode()):
                    writer.write(part)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        writer.close()

    def answer(self, target):
        path = urlsplit(target).path
        if path.startswith("/api/v1/timelines/tag/"):
            if target not in self.pages:
                query = parse_qs(urlsplit(target).query)
                self.pages[target] = self.page(path, {name: values[-1] for name, values in query.items()})
            return self.pages[target]
        if path.startswith("/api/v") and path.endswith("/instance"):
            return self.whole(200, b'{"uri":"%s","domain":"%s","title":"Bench","version":"4.5.0","description":"",'
                              b'"configuration":{},"api_versions":{"mastodon":7}}' % ((self.host.encode(),) * 2))
        file = self.folder / path.lstrip("/")
        if path.startswith("/system/") and ".." not in path and file.is_file():
            return self.whole(200, file.read_bytes(), "image/png" if path.endswith("png") else "image/jpeg")
        return self.whole(404, b'{"error":"Record not found"}')

    def whole(self, status, body, kind="application/json; charset=utf-8", more=""):
        said = {200: "OK", 404: "Not Found"}[status]
        limits = "" if kind.startswith("image") else (
            "X-RateLimit-Limit: 300\r\nX-RateLimit-Remaining: 299\r\nX-RateLimit-Reset: 2036-01-01T00:00:00.000000Z\r\n")
        head = f"HTTP/1.1 {status} {said}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n{limits}{more}\r\n"
        return head.encode(), body

    def page(self, path, given):
        limit = max(1, min(int(given.get("limit", 20)), LARGEST_PAGE))
        count = len(self.ids)
        low, high = 0, count
        if "max_id" in given:
            high = bisect.bisect_left(self.ids, int(given["max_id"]))
        above = given.get("min_id") or given.get("since_id")
        if above:
            low = bisect.bisect_right(self.ids, int(above))
        if "min_id" in given:
            high = min(high, low + limit)
        low = max(low, high - limit)
        link = ""
        if low < high:
            url = f"<{self.base}{path}?limit={limit}&"
            link = f'Link: {url}max_id={self.ids[low]}>; rel="next", '
            link += f'{url}min_id={self.ids[high - 1]}>; rel="prev"\r\n'
        return self.whole(200, b"[" + b",".join(self.posts[count - high:count - low]) + b"]", more=link)


async def serve(folder, count, wait):
    lines = (folder / "statuses.ndjson").read_bytes().splitlines()
    servers = [Server(folder, number, wait) for number in range(count)]
    for server in servers:
        await server.start(lines)
        print(server.base, flush=True)
    await asyncio.Event().wait()


class Origin:
    """The servers in a process of their own; `bases` are their addresses."""

    def __init__(self, folder, count, milliseconds):
        self.command = [sys.executable, __file__, folder, count, milliseconds]
        self.count = count

    def __enter__(self):
        self.process = subprocess.Popen(list(map(str, self.command)), stdout=subprocess.PIPE, text=True)
        self.bases = [self.process.stdout.readline().strip() for _ in range(self.count)]
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]) / 1000))
