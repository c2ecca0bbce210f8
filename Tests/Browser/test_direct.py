"""`media serve --direct`: Chromium gets large files from the S3 service itself."""

import os
import random
import shlex
import struct
import subprocess
import time
import zlib
from pathlib import Path

import pytest
from conftest import Gallery
from waiting import until

SCRIPTS = Path(__file__).parents[2] / "Scripts"


@pytest.fixture(scope="module")
def servers(tmp_path_factory):
    """The variables for a new library in PostgreSQL whose files are in an S3 service."""
    folder = tmp_path_factory.mktemp("servers") / "servers"
    script = subprocess.Popen(
        [SCRIPTS / "demo", "servers", folder], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    while not (folder / "address").exists():
        assert script.poll() is None, script.stderr.read()
        time.sleep(.05)
    words = shlex.split((folder / "environment").read_text())
    variables = dict(word.split("=", 1) for word in words if "=" in word)
    yield {**variables, "MEDIA_HOME": (folder / "address").read_text().strip()}
    script.terminate()
    script.wait(timeout=30)


def picture(side):
    """A picture that no compression makes small."""
    dice = random.Random(7)
    lines = b"".join(b"\0" + dice.randbytes(side * 3) for _ in range(side))

    def chunk(kind, bytes):
        return struct.pack(">I", len(bytes)) + kind + bytes + struct.pack(">I", zlib.crc32(kind + bytes))

    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(lines, 1)) + chunk(b"IEND", b""))


def sound(seconds):
    """Silence, 16,000 bytes a second."""
    bytes = bytearray(seconds * 16_000)
    head = struct.pack("<4sIHHIIHH4sI", b"fmt ", 16, 1, 1, 8_000, 16_000, 2, 16, b"data", len(bytes))
    return b"RIFF" + struct.pack("<I", 4 + len(head) + len(bytes)) + b"WAVE" + head + bytes


@pytest.fixture
def gallery(servers, tmp_path):
    gallery = Gallery(tmp_path, servers)
    (tmp_path / "noise.png").write_bytes(picture(600))
    (tmp_path / "silence.wav").write_bytes(sound(60))
    for name in ("noise.png", "silence.wav"):
        gallery.media("add", name, "--attach", tmp_path / name)
    yield gallery
    gallery.stop()


def test_a_large_picture_and_a_sound_come_from_the_service_and_the_page_allows_nothing_else(gallery, servers, context):
    page = context.new_page()
    answers, refused = [], []
    page.on("response", lambda answer: answers.append((answer.url, answer.status)))
    page.on("console", lambda message: "Content Security Policy" in message.text and refused.append(message.text))
    page.goto(gallery.start("--direct"))
    service = servers["AWS_ENDPOINT_URL_S3"]
    posts = {post["caption"] or post["title"]: post["id"] for post in gallery.posts()}

    page.goto(f"{gallery.url}/post/{posts['noise.png']}")
    source = page.get_attribute("a[href*='/blob/']", "href")
    assert page.evaluate("""source => new Promise((done, failed) => { const picture = new Image();
      picture.onload = () => done(picture.naturalWidth); picture.onerror = failed; picture.src = source; })""", source) == 600
    assert any(url.startswith(service) and status == 200 for url, status in answers), answers

    page.goto(f"{gallery.url}/post/{posts['silence.wav']}")
    page.wait_for_selector("audio")
    until(page, "document.querySelector('audio').readyState >= 1")
    assert page.evaluate("document.querySelector('audio').duration") == 60
    page.evaluate("document.querySelector('audio').currentTime = 50")
    until(page, "!document.querySelector('audio').seeking && document.querySelector('audio').currentTime >= 50")
    assert any(url.startswith(service) and status == 206 for url, status in answers), answers

    # Pictures and sounds alone: no script of the page may talk to the service.
    assert not refused
    assert page.evaluate("service => fetch(service).then(() => 'allowed', () => 'refused')", service) == "refused"
    assert refused
