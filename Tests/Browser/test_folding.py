"""A post that came by two networks: once in a folded list, and each of the two leads to the other."""

import json
import threading
from contextlib import contextmanager
from datetime import datetime, timezone
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, HTTPServer

from test_lists import count, show
from waiting import eventually

FEED = """<rss version="2.0"><channel><title>Ada</title><link>{0}</link><item><guid isPermaLink="false">1</guid>
<title>The same</title><link>{0}</link><pubDate>{1}</pubDate></item></channel></rss>"""


# The newest of all, so that its tile is in view.
NOW = datetime.now(timezone.utc).replace(microsecond=0)


@contextmanager
def served():
    """The address of a site with a feed of one post."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "application/rss+xml")
            self.end_headers()
            self.wfile.write(FEED.format(f"http://{self.headers['Host']}/@ada/1", format_datetime(NOW)).encode())

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Answer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


def signs(page, post):
    """What the tile of a post shows in its corner."""
    return page.evaluate("id => document.querySelector(`#post-${id} .badge`)?.textContent ?? ''", post)


def test_a_folded_list_shows_the_first_post_and_its_page_leads_to_the_other(page, gallery):
    # A post speaks for addresses of its own site: both are of the feed's.
    with served() as site:
        outbox = gallery.folder / "outbox.json"
        note = {"type": "Note", "id": f"{site}/statuses/1", "url": f"{site}/@ada/1", "content": "<p>The same</p>",
                "published": NOW.isoformat(), "attributedTo": f"{site}/users/ada", "to": "as:Public"}
        outbox.write_text(json.dumps({"type": "OrderedCollection", "orderedItems": [
            {"type": "Create", "actor": f"{site}/users/ada", "to": "as:Public", "object": note}]}))
        gallery.media("import", outbox)
        gallery.media("feed", f"{site}/feed.xml", "--quiet")
    other = gallery.posts("is:elsewhere")[0]
    first = gallery.posts("same", "source:mastodon")[0]
    assert other["elsewhere"] == [{"id": first["id"], "address": first["url"]}]
    show(page, gallery)
    eventually(lambda: count(page), "402 posts")
    assert "+1" not in signs(page, first["id"])
    gallery.media("settings", "fold", "on")
    gallery.stop()
    page.goto(gallery.start())
    eventually(lambda: count(page), "401 posts")
    eventually(lambda: "+1" in signs(page, first["id"]), True)
    page.goto(f"{gallery.url}/post/{first['id']}")
    page.click(f"dl.facts a:has-text('post {other['id']}')")
    page.wait_for_url(f"**/post/{other['id']}")
    assert page.text_content("dl.facts").count(first["url"]) == 1
