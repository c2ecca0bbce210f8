"""Measures `media feed` on one very long feed, as podcasts have them: seconds and memory, with all of it stored.

    long_feed.py MEDIA [ITEMS]    MEDIA is the built program; 10,000 items unless said otherwise
"""
import datetime
import os
import sys
import tempfile
import time

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "beside"))
from origin import Origin

WORDS = "The quick brown fox jumps over the lazy dog, and snow falls on the cats of the old town while birds sing. " * 2
ITEM = """<item><title>Episode {0}</title><link>https://birds.example/e/{0}</link><guid isPermaLink="false">e-{0}</guid>
<pubDate>{1:%a, %d %b %Y %H:%M:%S} GMT</pubDate><author>ada@birds.example (Ada)</author><category>cats</category>
<description><![CDATA[<p>{2}</p><p>More on <a href="https://birds.example/{0}">the page</a></p>]]></description>
<enclosure url="https://files.example/{0}1.jpg" type="image/jpeg" length="9"/>
<enclosure url="https://files.example/{0}2.jpg" type="image/jpeg" length="9"/></item>"""


def main(media, count):
    work = tempfile.mkdtemp(dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
    newest = datetime.datetime(2026, 11, 20, 12)
    os.mkdir(f"{work}/system")
    with open(f"{work}/system/feed.rss", "w") as file:
        items = "".join(ITEM.format(n, newest - datetime.timedelta(seconds=n), WORDS) for n in range(count))
        file.write(f'<rss version="2.0"><channel><title>Birds</title>{items}</channel></rss>')
    with Origin(work, f"{work}/origin") as origin:
        command = [media, "feed", f"{origin.base}/system/feed.rss", "--no-pictures", "--quiet"]
        begun = time.monotonic()
        child = os.posix_spawn(media, command, dict(os.environ, MEDIA_LIBRARY=f"{work}/library", MEDIA_CONFIG=work))
        _, status, usage = os.wait4(child, 0)
    print(
        f"media feed of {count} items: {time.monotonic() - begun:.1f} s, {usage.ru_maxrss / 1024:.0f} MB at most"
        + ("" if status == 0 else f", and it failed: {os.waitstatus_to_exitcode(status)}"))
    return status != 0


if __name__ == "__main__":
    sys.exit(main(os.path.realpath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 10000))
