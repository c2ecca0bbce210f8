"""Measures the gallery over a library of made-up posts: the server's answers, and what a person sees in Chromium.

    gallery.py PROGRAMS LIBRARY    prints a table; posts of the library are deleted and restored
"""

import http.client
import json
import os
import random
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

PROGRAMS, LIBRARY = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
COMMAND = [str(PROGRAMS / "media")]
ENVIRONMENT = {**os.environ, "MEDIA_HOME": str(LIBRARY), "MEDIA_CONFIG": tempfile.mkdtemp(prefix="gallery-"), "TZ": "UTC"}


def report(name, value, goal=""):
    print(f"| {name} | {value} | {goal} |", flush=True)


def percentile(values, share):
    return sorted(values)[min(int(len(values) * share), len(values) - 1)]


def spread(values, digits=1):
    return f"{statistics.median(values):.{digits}f} / {percentile(values, .95):.{digits}f}"


def media(*arguments):
    return subprocess.run([*COMMAND, *map(str, arguments)], env=ENVIRONMENT, check=True, capture_output=True, text=True)


class Server:
    """A served library, and a client that its browser's cookies sign in."""

    def __init__(self):
        self.process = subprocess.Popen(
            [*COMMAND, "serve", "--port", "0", "--json", "--quiet"], env=ENVIRONMENT, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        self.address = json.loads(self.process.stdout.readline())["url"]
        self.origin = "/".join(self.address.split("/")[:3])
        self.connection = http.client.HTTPConnection(self.origin.removeprefix("http://"))
        self.cookie = ""

    def sign_in(self, cookies):
        self.cookie = "; ".join(f"{cookie['name']}={cookie['value']}" for cookie in cookies)

    def get(self, path):
        """The body, and the milliseconds until it was whole."""
        started = time.perf_counter()
        self.connection.request("GET", path, headers={"Cookie": self.cookie})
        answer = self.connection.getresponse()
        body = answer.read()
        assert answer.status == 200, (path, answer.status, body[:200])
        return body, (time.perf_counter() - started) * 1000

    @property
    def memory(self):
        """Resident memory in MB."""
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) / 1000 for line in lines if line.startswith("VmRSS"))

    def stop(self):
        self.process.terminate()
        self.process.wait()


def stored():
    return sqlite3.connect(f"file:{LIBRARY}/media.sqlite?mode=ro", uri=True)


def moments(count, seed):
    """Random moments between the oldest and the newest post, in seconds since 1970."""
    with stored() as store:
        ends = store.execute("SELECT strftime('%s', min(created_at)), strftime('%s', max(created_at)) FROM post").fetchone()
    dice = random.Random(seed)
    return [dice.randint(*map(int, ends)) for _ in range(count)]


def until(page, expression, seconds=5):
    """Waits until an expression is true. The page's policy forbids what Playwright's `wait_for_function` does."""
    end = time.monotonic() + seconds
    while not page.evaluate(expression):
        assert time.monotonic() < end, expression
        time.sleep(.01)


def forget_pages():
    """Drops the store from the page cache, as after a start of the machine."""
    descriptor = os.open(LIBRARY / "media.sqlite", os.O_RDONLY)
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(descriptor)


def windows(server, name, seed):
    times, sizes = [], []
    for moment in moments(200, seed):
        body, took = server.get(f"/api/list?date={moment}&before=100&after=100")
        times.append(took)
        sizes.append(len(body))
    report(f"a window of 200 posts, {name}, ms: p50 / p95", spread(times), "10")
    report(f"a window of 200 posts, {name}, KB: largest", f"{max(sizes) / 1000:.1f}", "60")


def overviews(server):
    """What counts the whole library: the first time, and again while nothing changes."""
    for path in ["/", "/api/months", "/tags", "/authors", "/calendar", "/status", "/statistics"]:
        first = server.get(path)[1]
        again = [server.get(path)[1] for _ in range(20)]
        report(f"{path}, ms: first / then p50", f"{first:.0f} / {statistics.median(again):.1f}")


# It begins before the page: the first picture is there long before the last.
WATCH_PAINTS = """
window.seen = {};
new PerformanceObserver(list => { for (const entry of list.getEntries()) seen.largest = entry.startTime; })
  .observe({ type: "largest-contentful-paint", buffered: true });
const watch = () => {
  const picture = [...document.querySelectorAll("#list img")].find(image => image.complete && image.naturalWidth);
  if (picture) seen.picture = performance.now();
  else requestAnimationFrame(watch);
};
requestAnimationFrame(watch);
"""

SCROLL = """
async seconds => {
  const frames = [];
  const end = performance.now() + seconds * 1000;
  let last = performance.now(), nodes = 0;
  await new Promise(done => {
    const step = now => {
      frames.push(now - last);
      last = now;
      nodes = Math.max(nodes, document.getElementsByTagName("*").length);
      if (now > end) return done();
      scrollBy(0, 220);
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  });
  return { longest: Math.max(...frames.slice(2)), over: frames.slice(2).filter(frame => frame > 50).length, frames: frames.length, nodes };
}
"""


def paints(browser, server, cookies):
    """How soon a page shows something, with nothing cached in the browser."""
    largest, pictures = [], []
    for _ in range(10):
        context = browser.new_context(viewport={"width": 1280, "height": 800})
        context.add_cookies(cookies)
        page = context.new_page()
        page.add_init_script(WATCH_PAINTS)
        page.goto(server.origin + "/")
        page.wait_for_timeout(2500)
        seen = page.evaluate("seen")
        largest.append(seen.get("largest", 9999))
        pictures.append(seen.get("picture", 9999))
        context.close()
    report("largest contentful paint, ms: p50 / p95", spread(largest, 0), "1000")
    report("first picture, ms: p50 / p95", spread(pictures, 0), "500")


def scrolling(page, server):
    page.goto(server.origin + "/")
    page.wait_for_selector("#list article")
    page.evaluate(SCROLL, 60)  # So that the thumbnails are cached.
    page.goto(server.origin + "/")
    page.wait_for_selector("#list article")
    seen = page.evaluate(SCROLL, 60)
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.collectGarbage")
    heap = session.send("Runtime.getHeapUsage")["usedSize"] / 1e6
    report("a minute of fast scrolling: longest frame, ms", f"{seen['longest']:.0f} ({seen['over']} of {seen['frames']} over 50)", "50")
    report("a minute of fast scrolling: DOM nodes", seen["nodes"], "1500")
    report("a minute of fast scrolling: JS heap, MB", f"{heap:.1f}", "60")


def changes(page, server):
    """From the end of `media delete`'s commit in another process, seen by this one, to the cell's end in the page."""
    page.goto(server.origin + "/")
    page.wait_for_selector("#list article")
    page.evaluate("""() => { window.gone = new Map(); new MutationObserver(list => {
      for (const change of list) for (const node of change.removedNodes) if (node.id) gone.set(node.id, Date.now());
      for (const change of list) if (change.target.inert && change.target.id) gone.set(change.target.id, gone.get(change.target.id) ?? Date.now());
    }).observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ["inert"] }); }""")
    took = []
    for _ in range(30):
        post = page.evaluate("document.querySelectorAll('#list article')[3].id.slice(5)")
        page.evaluate("gone.clear()")
        media("delete", post)
        with stored() as store:
            deleted = store.execute(
                "SELECT (julianday(deleted_at) - 2440587.5) * 86400000 FROM post_state WHERE post = ?", [post]).fetchone()[0]
        until(page, f"gone.has('post-{post}')")
        took.append(page.evaluate(f"gone.get('post-{post}')") - deleted)
        media("restore", post)
        page.wait_for_timeout(400)
    report("a change by another process on screen, ms: p50 / p95", spread(took, 0), "100")


DELETE = """
async () => {
  const cell = document.querySelectorAll("#list article")[2];
  cell.focus({ preventScroll: true });
  const start = performance.now();
  cell.dispatchEvent(new KeyboardEvent("keydown", { key: "d", bubbles: true, cancelable: true }));
  const handled = performance.now() - start;
  await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
  return { handled, painted: performance.now() - start };
}
"""


def deleting(page, server):
    page.goto(server.origin + "/")
    page.wait_for_selector("#list article")
    seen = []
    for _ in range(30):
        seen.append(page.evaluate(DELETE))
        page.wait_for_timeout(300)
        page.keyboard.press("u")
        page.wait_for_timeout(300)
    report("the delete key's handler, ms: p50 / p95", spread([one["handled"] for one in seen]), "4")
    report("delete key to painted, ms: p50 / p95", spread([one["painted"] for one in seen]), "34 (2 frames)")


def jumps(page, server):
    """Random dates land on the right post."""
    wrong = 0
    for moment in moments(50, 7):
        body, _ = server.get(f"/api/list?date={moment}&before=0&after=1")
        found = json.loads(body)["id"][0]
        with stored() as store:
            right = store.execute(
                "SELECT id FROM post WHERE created_at <= strftime('%Y-%m-%dT%H:%M:%S.000Z', ?, 'unixepoch') "
                "AND NOT EXISTS (SELECT 1 FROM post_state WHERE post = post.id AND deleted_at IS NOT NULL) "
                "ORDER BY created_at DESC, id DESC LIMIT 1", [moment]).fetchone()
        wrong += right is not None and right[0] != found
    report("random dates that land on another post, of 50", wrong, "0")


def tabs(browser, server, cookies):
    context = browser.new_context()
    context.add_cookies(cookies)
    pages = [context.new_page() for _ in range(10)]
    for page in pages:
        page.goto(server.origin + "/")
        page.wait_for_selector("#list article")
    report("resident memory of the server with ten tabs, MB", f"{server.memory:.0f}", "40")
    context.close()


def main():
    print("| gallery | measured | goal |\n| --- | --- | --- |")
    forget_pages()
    server = Server()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        context = browser.new_context(viewport={"width": 1280, "height": 800})
        page = context.new_page()
        page.goto(server.address)
        page.wait_for_selector("#list article")
        cookies = context.cookies()
        server.sign_in(cookies)
        windows(server, "cold", 1)
        windows(server, "warm", 1)
        overviews(server)
        jumps(page, server)
        paints(browser, server, cookies)
        scrolling(page, server)
        deleting(page, server)
        changes(page, server)
        context.close()
        tabs(browser, server, cookies)
        browser.close()
    server.stop()


main()
