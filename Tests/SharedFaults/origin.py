"""A server of made-up posts with Mastodon's interface, whose limit is real: it refuses what is over it, and counts.

    origin.py ADDRESS PORT SEED FEEDS RATE LIMIT WINDOW

Each feed is a tag. RATE posts a second are written until it reads the line "stop". LIMIT requests of the interface are
answered in a window of WINDOW seconds. A line "state" is answered by counts, "all" by everything that it has shown.
"""
import hashlib
import http.server
import json
import random
import socketserver
import struct
import sys
import threading
import time
import urllib.parse
import zlib


def text_of(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + f".{int(seconds * 1000) % 1000:03d}Z"


def picture(number, seed):
    """A PNG of random points, the same for the same number."""
    chance = random.Random(seed * 1_000_003 + number)
    width, height = chance.randint(8, 96), chance.randint(8, 96)
    rows = b"".join(b"\0" + chance.randbytes(width * 3) for _ in range(height))
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 0)) + chunk(b"IEND", b"")
    return body, width, height


class World:
    """The posts, and the count of requests."""

    def __init__(self, base, seed, feeds, limit, window):
        self.base, self.seed, self.limit, self.window = base, seed, limit, window
        self.chance, self.lock = random.Random(seed), threading.Lock()
        self.names = [f"feed{number:03d}" for number in range(feeds)]
        self.feeds = {name: [] for name in self.names}
        self.posts, self.pictures = {}, 0
        self.last = 0
        self.windows, self.refused, self.by_client, self.times = {}, [], {}, []
        start = time.time()
        for number, name in enumerate(self.names):
            # Fewer than a page, so that the first pull shows all.
            for age in sorted((self.chance.uniform(60, 86_400) for _ in range(1 + number % 13)), reverse=True):
                self.write([name], start - age)

    def write(self, names, at=None):
        at = at or time.time()
        self.last = number = max(self.last + 1, int(at * 1000) << 16)
        pictures = []
        for _ in range(self.chance.choice((0, 1, 1, 2))):
            again = self.pictures and self.chance.random() < 0.08
            pictures.append(self.chance.randrange(self.pictures) if again else self.pictures)
            self.pictures += not again
        self.posts[number] = {"tags": names, "at": at, "pictures": pictures, "author": self.chance.randrange(20)}
        for name in names:
            self.feeds[name].append(number)

    def arrive(self):
        """A post of a feed, sometimes of two, seldom a burst."""
        with self.lock:
            name = self.chance.choice(self.names)
            for _ in range(self.chance.randint(5, 50) if self.chance.random() < 0.01 else 1):
                other = [self.chance.choice(self.names)] if self.chance.random() < 0.1 else []
                self.write(sorted({name, *other}))

    def count(self, client):
        """Counts a request. Returns the fields of its answer, and whether it is refused."""
        now = time.time()
        with self.lock:
            start = int(now // self.window) * self.window
            count = self.windows[start] = self.windows.get(start, 0) + 1
            self.by_client[client] = self.by_client.get(client, 0) + 1
            is_over = count > self.limit
            if is_over:
                self.refused.append({"at": now, "client": client, "count": count})
        return {
            "X-RateLimit-Limit": str(self.limit), "X-RateLimit-Remaining": str(max(0, self.limit - count)),
            "X-RateLimit-Reset": text_of(start + self.window)}, is_over

    def page(self, name, query):
        def number(key):
            return int(query[key][0]) if key in query else None
        limit = min(number("limit") or 20, 40)
        with self.lock:
            ids = list(self.feeds.get(name, []))
        if (most := number("max_id")) is not None:
            ids = [one for one in ids if one < most]
        if (least := number("min_id")) is not None:
            return [one for one in ids if one > least][:limit][::-1]
        if (least := number("since_id")) is not None:
            ids = [one for one in ids if one > least]
        return ids[::-1][:limit]

    def status(self, number):
        post = self.posts[number]
        author = f"person{post['author']}"
        return {
            "id": str(number), "uri": self.uri(number), "url": self.uri(number), "created_at": text_of(post["at"]),
            "edited_at": None, "content": f"<p>Post {number} of {' and '.join(post['tags'])}</p>", "spoiler_text": "",
            "sensitive": False, "visibility": "public", "language": "en", "reblog": None, "in_reply_to_id": None,
            "account": {
                "id": str(post["author"]), "username": author, "acct": author, "display_name": author.title(),
                "url": f"{self.base}/@{author}", "uri": f"{self.base}/users/{author}",
                "avatar": f"{self.base}/media/{10_000_000 + post['author']}.png"},
            "media_attachments": [{
                "id": f"{number}{place}", "type": "image", "url": f"{self.base}/media/{one}.png", "description": None,
                "preview_url": f"{self.base}/media/{one}.png"} for place, one in enumerate(post["pictures"])],
            "tags": [{"name": name, "url": f"{self.base}/tags/{name}"} for name in post["tags"]],
            "mentions": [], "emojis": []}

    def uri(self, number):
        return f"{self.base}/posts/{number}"

    def all(self):
        with self.lock:
            used = sorted({one for post in self.posts.values() for one in post["pictures"]})
            hashes = {one: hashlib.sha256(picture(one, self.seed)[0]).hexdigest() for one in used}
            return {
                "feeds": {name: [self.uri(one) for one in ids] for name, ids in self.feeds.items()},
                "pictures": {self.uri(one): [hashes[number] for number in post["pictures"]]
                             for one, post in self.posts.items()},
                "windows": self.windows, "limit": self.limit, "refused": self.refused, "by_client": self.by_client}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Without it an answer of two writes waits for the client's acknowledgement.
    disable_nagle_algorithm = True
    timeout = 120

    def do_GET(self):
        address = urllib.parse.urlsplit(self.path)
        query = urllib.parse.parse_qs(address.query)
        parts = address.path.strip("/").split("/")
        if parts[0] == "media":
            body = picture(int(parts[1].split(".")[0]), world.seed)[0]
            return self.answer(200, body, {"Content-Type": "image/png"})
        fields, is_over = world.count(self.client_address[0])
        fields["Content-Type"] = "application/json"
        if is_over:
            return self.answer(429, b'{"error":"Too many requests"}', fields)
        if parts[:4] == ["api", "v1", "timelines", "tag"]:
            ids = world.page(parts[4], query)
            if ids:
                base = f"{world.base}{address.path}?limit={query.get('limit', ['20'])[0]}"
                fields["Link"] = f'<{base}&max_id={ids[-1]}>; rel="next", <{base}&min_id={ids[0]}>; rel="prev"'
            return self.answer(200, json.dumps([world.status(one) for one in ids]).encode(), fields)
        if address.path in ("/api/v1/instance", "/api/v2/instance"):
            return self.answer(200, json.dumps({"domain": "origin", "uri": "origin", "version": "4.3.0"}).encode(), fields)
        self.answer(404, b'{"error":"Record not found"}', fields)

    def answer(self, status, body, fields):
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


def write_posts(rate, stopped):
    while not stopped.wait(random.expovariate(rate)):
        world.arrive()


if __name__ == "__main__":
    place, port, seed, feeds, rate, limit, window = sys.argv[1:]
    world = World(f"http://{place}:{port}", int(seed), int(feeds), int(limit), int(window))
    server = Server((place, int(port)), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    stopped = threading.Event()
    threading.Thread(target=write_posts, args=(float(rate), stopped), daemon=True).start()
    print(json.dumps({"url": world.base}), flush=True)
    for line in sys.stdin:
        if line.strip() == "stop":
            stopped.set()
        with world.lock:
            state = {"posts": len(world.posts), "refused": len(world.refused), "requests": sum(world.windows.values())}
        print(json.dumps(world.all() if line.strip() == "all" else state), flush=True)
