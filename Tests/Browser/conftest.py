"""The gallery in real browsers: Debian's Chromium by Playwright, and Firefox by WebDriver BiDi (firefox.py).

A test gets a `gallery`: a library of its own with made-up posts, served by the built programs, and a signed-in `page`.
"""

import json
import os
import shutil
import signal
import subprocess
import tempfile
import urllib.request
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

PROGRAMS = Path(os.environ["MEDIA_PROGRAMS"])
CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"


def environment(folder, **more):
    """What a command sees of the machine."""
    home = folder / "home"
    home.mkdir(parents=True, exist_ok=True)
    return {
        "PATH": os.environ["PATH"], "HOME": str(home), "MEDIA_HOME": str(folder / "library"), "TZ": "UTC",
        "MEDIA_CONFIG": str(folder / "config"), "LANG": "C.UTF-8", "TERM": "xterm", **more,
    }


class Program:
    """A program that runs until it is stopped. Its first line says where it serves."""

    def __init__(self, arguments, folder, **more):
        self.process = subprocess.Popen(
            [str(argument) for argument in arguments], env=environment(folder, **more), stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, text=True, start_new_session=True)
        line = self.process.stdout.readline()
        assert line, f"{arguments} ended with {self.process.wait()}"
        self.url = json.loads(line)["url"]

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(timeout=20)


class Gallery:
    """A served library: one in a folder, unless variables name another one."""

    def __init__(self, folder, variables=None):
        self.folder = folder
        self.variables = variables or {}
        self.server = None
        self.port = 0

    @property
    def library(self):
        return self.folder / "library"

    @property
    def url(self):
        """The origin, without a token."""
        return f"http://127.0.0.1:{self.port}"

    def media(self, *arguments, text=None, status=0):
        """Runs a command on the library, and returns what it prints."""
        done = subprocess.run(
            [str(PROGRAMS / "media"), *map(str, arguments)], env=environment(self.folder, **self.variables), input=text or "",
            capture_output=True, text=True, timeout=600)
        assert done.returncode == status, f"media {arguments} ended with {done.returncode}: {done.stderr}"
        return done.stdout

    def posts(self, *arguments):
        """The posts of `media list`."""
        return [json.loads(line) for line in self.media("list", "--json", *arguments).splitlines()]

    def start(self, *arguments):
        """Serves it, and returns the one-time address."""
        words = [PROGRAMS / "media", "serve", "--port", self.port, "--json", *arguments]
        self.server = Program(words, self.folder, **self.variables)
        self.port = int(self.server.url.split(":")[2].split("/")[0])
        return self.server.url

    def stop(self):
        if self.server:
            self.server.stop()


# All processes that run tests share one server and the library that was pulled from it: to draw its pictures takes longer than
# most tests.
DEMO, PULLED = "MEDIA_TEST_DEMO", "MEDIA_TEST_PULLED"


def pytest_sessionstart(session):
    if hasattr(session.config, "workerinput") or session.config.option.collectonly:
        return
    folder = session.config.demo_folder = Path(tempfile.mkdtemp(prefix="media-browser-"))
    server = session.config.demo_server = Program(
        [PROGRAMS / "media", "demo", "--posts", 400, "--port", 0, "--json"], folder / "demo")
    Gallery(folder / "pulled").media(
        "tag", "demo", "--server", server.url, "--source", "mastodon", "--pages", 10, "--quiet")
    os.environ |= {DEMO: server.url, PULLED: str(folder / "pulled")}


def pytest_unconfigure(config):
    if hasattr(config, "demo_server"):
        config.demo_server.stop()
    if hasattr(config, "demo_folder"):
        shutil.rmtree(config.demo_folder)


@pytest.fixture(scope="session")
def demo():
    """The address of a server with made-up posts."""
    return os.environ[DEMO]


@pytest.fixture(scope="session")
def pulled():
    """A library with the demo's posts, which each test copies."""
    return Path(os.environ[PULLED])


@pytest.fixture
def gallery(pulled, tmp_path):
    # Files of pictures never change.
    shutil.copytree(pulled, tmp_path, dirs_exist_ok=True, ignore=shutil.ignore_patterns("blobs"))
    shutil.copytree(pulled / "library/blobs", tmp_path / "library/blobs", copy_function=os.link)
    gallery = Gallery(tmp_path)
    yield gallery
    gallery.stop()


@pytest.fixture(scope="session")
def chromium():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def context(chromium, request):
    """A browser of its own; a test that is parametrized by `page` says what its screen is like."""
    screen = request.node.callspec.params.get("page", {}) if hasattr(request.node, "callspec") else {}
    context = chromium.new_context(
        **{"viewport": {"width": 1280, "height": 800}, "locale": "en-GB", "timezone_id": "UTC", **screen})
    context.set_default_timeout(15_000)
    yield context
    context.close()


@pytest.fixture
def page(context, gallery):
    """A signed-in page that shows all posts. It fails the test if the page's own code throws."""
    page = context.new_page()
    faults = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(gallery.start())
    yield page
    assert not faults, faults


def fetched(url):
    with urllib.request.urlopen(url) as answer:
        return answer.read()
