"""A post that came by two networks: once in a folded list, and each of the two leads to the other."""

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

from test_lists import count, show
from waiting import eventually

FEED = """<rss version="2.0"><channel><title>Ada</title><link>{0}</link><item><guid isPermaLink="false">1</guid>
<title>The same</title><link>{0}</link><pubDate>Thu, 20 Nov 2025 09:00:00 GMT</pubDate></item></channel></rss>"""


@contextmanager
def served(document):
    """The address of a document."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "application/rss+xml")
            self.end_headers()
            self.wfile.write(document.encode())

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Answer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/feed.xml"
    server.shutdown()


def signs(page, post):
    """What the tile of a post shows in its corner."""
    return page.evaluate("id => document.querySelector(`#post-${id} .badge`)?.textContent ?? ''", post)


def test_a_folded_list_shows_the_first_post_and_its_page_leads_to_the_other(page, gallery):
    first = gallery.posts("--limit", 1)[0]
    with served(FEED.format(first["url"])) as address:
        gallery.media("feed", address, "--quiet")
    other = gallery.posts("is:elsewhere")[0]
    assert other["elsewhere"] == [{"id": first["id"], "address": first["url"]}]
    show(page, gallery)
    eventually(lambda: count(page), "401 posts")
    assert "+1" not in signs(page, first["id"])
    gallery.media("settings", "fold", "on")
    gallery.stop()
    page.goto(gallery.start())
    eventually(lambda: count(page), "400 posts")
    eventually(lambda: "+1" in signs(page, first["id"]), True)
    page.goto(f"{gallery.url}/post/{first['id']}")
    page.click(f"dl.facts a:has-text('post {other['id']}')")
    page.wait_for_url(f"**/post/{other['id']}")
    assert page.text_content("dl.facts").count(first["url"]) == 1
