"""Every post is reached: dates in the address and places on the strip lead to the right one, in Chromium and in Firefox."""

import json
import random
from datetime import datetime, timezone

import pytest
from firefox import END, HOME, Firefox
from waiting import until

# The first post below the bars.
FIRST = """(() => { const head = document.querySelector('.listbar').getBoundingClientRect().bottom;
  return [...document.querySelectorAll('.cell:not([inert])')].map(c => [Number(c.id.slice(5)), c.getBoundingClientRect()])
    .filter(c => c[1].bottom > head + 1).sort((a, b) => a[1].top - b[1].top || a[1].left - b[1].left)[0]?.[0]; })()"""
# Whether the posts that the screen has room for are there. A slow answer must not be scrolled past.
COVERED = """(() => { const head = document.querySelector('.listbar').getBoundingClientRect().bottom;
  const boxes = [...document.querySelectorAll('.cell')].map(cell => cell.getBoundingClientRect());
  const isAtEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
  return (scrollY === 0 || Math.min(...boxes.map(box => box.top)) <= head)
    && (isAtEnd || Math.max(...boxes.map(box => box.bottom)) >= innerHeight); })()"""
STRIP = "(() => { const b = document.querySelector('.scrubber').getBoundingClientRect(); return [b.x, b.y, b.width, b.height]; })()"
SEED = 7


class Chromium:
    """A page of Playwright with the words of `Firefox`."""

    def __init__(self, page):
        self.page = page

    def goto(self, url):
        self.page.goto(url)

    def evaluate(self, expression):
        return json.loads(self.page.evaluate(f"(async () => JSON.stringify(await ({expression})) ?? 'null')()"))

    def click(self, x, y):
        self.page.mouse.click(x, y)

    def press(self, key):
        self.page.keyboard.press({HOME: "Home", END: "End"}.get(key, key))

    def scroll(self, distance):
        self.page.mouse.move(600, 500)
        self.page.mouse.wheel(0, distance)


@pytest.fixture
def browser(request, gallery):
    if request.param == "chromium":
        page = request.getfixturevalue("context").new_page()
        page.goto(gallery.start())
        yield Chromium(page)
    else:
        firefox = Firefox()
        firefox.goto(gallery.start())
        yield firefox
        firefox.close()


both = pytest.mark.parametrize("browser", ["chromium", "firefox"], indirect=True)


def times(gallery):
    """The posts, newest first, and when each was written, in seconds since 1970."""
    return [(post["id"], datetime.fromisoformat(post["created_at"].replace("Z", "+00:00")).timestamp())
            for post in gallery.posts("--limit", "1000")]


def newest(posts, moment):
    """The newest post that is not newer than a moment; the oldest if all are."""
    return next((id for id, at in posts if at <= moment), posts[-1][0])


def landed(post):
    """Whether a post's line is the first on the screen. The last lines of a list cannot be; of them it is on the screen."""
    return f"""(() => {{ if (!document.querySelector('.cell')) return false;
      const box = document.getElementById('post-{post}')?.getBoundingClientRect();
      const isAtEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
      const first = document.getElementById(`post-${{{FIRST}}}`)?.getBoundingClientRect();
      return box != null && (Math.abs(box.top - first.top) < 1 || isAtEnd && box.top < innerHeight); }})()"""


@both
def test_fifty_random_dates_land_on_the_right_post(browser, gallery):
    posts, dice = times(gallery), random.Random(SEED)
    assert len(posts) == 400
    for _ in range(50):
        moment = dice.randint(int(posts[-1][1]) + 1, int(posts[0][1]))
        browser.goto(f"{gallery.url}/?date={moment}")
        until(browser, landed(newest(posts, moment)))


@both
def test_fifty_places_on_the_strip_land_on_the_right_post(browser, gallery):
    posts, dice = times(gallery), random.Random(SEED)
    until(browser, "document.querySelector('.scrubber:not([hidden])') != null")
    months = browser.evaluate("fetch('/api/months').then(answer => answer.json())")
    x, y, width, height = browser.evaluate(STRIP)
    total = sum(months["count"])
    for _ in range(50):
        place = y + round(dice.uniform(.02, .98) * height)
        share, above = (place - y) / height * total, 0
        for start, end, count in zip(months["start"], months["end"], months["count"]):
            if above + count > share:
                break
            above += count
        moment = round(end - 1 - min((share - above) / count, 1) * (end - start - 1))
        browser.click(x + width / 2, place)
        until(browser, landed(newest(posts, moment)))


@both
def test_scrolling_reaches_every_post_once_and_the_ends_are_a_key_away(browser, gallery):
    dated = times(gallery)
    posts = [id for id, _ in dated]
    until(browser, "document.querySelector('.cell') != null")
    seen = set()
    for _ in range(80):
        until(browser, COVERED)
        seen |= set(browser.evaluate("[...document.querySelectorAll('.cell')].map(cell => Number(cell.id.slice(5)))"))
        if len(seen) == 400:
            break
        browser.scroll(700)
        browser.evaluate("new Promise(done => setTimeout(done, 250))")
    assert seen == set(posts)
    until(browser, "document.querySelector('.scrubber:not([hidden])') != null")
    browser.evaluate("document.querySelector('.scrubber').focus()")
    browser.press(END)
    last = datetime.fromtimestamp(dated[-1][1], timezone.utc).strftime("%Y-%m")
    until(browser, landed(next(id for id, at in dated if datetime.fromtimestamp(at, timezone.utc).strftime("%Y-%m") == last)))
    browser.press(HOME)
    until(browser, f"scrollY === 0 && ({FIRST}) === {posts[0]}")


@both
def test_a_change_by_another_process_is_shown_and_keys_delete(browser, gallery):
    posts = [id for id, _ in times(gallery)]
    until(browser, f"document.getElementById('post-{posts[0]}') != null")
    browser.evaluate("new Promise(done => setTimeout(done, 500))")
    gallery.media("delete", posts[0])
    until(browser, f"!document.querySelector('#post-{posts[0]}:not([inert])')")
    browser.evaluate(f"document.getElementById('post-{posts[1]}').focus()")
    browser.press("d")
    until(browser, f"!document.querySelector('#post-{posts[1]}:not([inert])')")
    until(browser, "document.getElementById('count').textContent === '398 posts'")
    browser.press("u")
    until(browser, f"document.querySelector('#post-{posts[1]}:not([inert])') != null")
