"""Answers that come late: what a page asked for before it went elsewhere changes nothing, and what it lacks then still comes."""

from datetime import datetime, timedelta

from playwright.sync_api import Error
from test_dates import FIRST, STRIP, landed, newest, times
from test_lists import count, scroll, settle, show, top_of
from waiting import eventually, until


class Windows:
    """The windows that a page asks for: each is answered when a test says so."""

    def __init__(self, page):
        self.page = page
        self.held = []
        page.route("**/api/list?*", lambda route: self.held.append(route))

    def wait(self, word):
        """Waits until a window is asked for whose address has a word."""
        def is_asked():
            self.page.evaluate("0")
            return any(word in route.request.url for route in self.held)
        eventually(is_asked, True)

    def answer(self, word):
        """Answers what is held and has a word in its address, and waits until the page has it."""
        meant = [route for route in self.held if word in route.request.url]
        self.held = [route for route in self.held if route not in meant]
        for route in meant:
            try:
                with self.page.expect_event("requestfinished", lambda request, url=route.request.url: request.url == url, timeout=5000):
                    route.continue_()
            except Error:
                # The page wants it no more.
                pass

    def release(self):
        """Answers what is held, and everything from now on."""
        self.page.route("**/api/list?*", lambda route: route.continue_())
        self.answer("")


def jump(page, gallery, share):
    """Clicks the strip. Returns the post that it leads to."""
    x, y, width, height = page.evaluate(STRIP)
    months = page.evaluate("fetch('/api/months').then(answer => answer.json())")
    place = y + round(share * height)
    page.mouse.click(x + width / 2, place)
    rest, above = (place - y) / height * sum(months["count"]), 0
    for start, end, count in zip(months["start"], months["end"], months["count"]):
        if above + count > rest:
            break
        above += count
    return newest(times(gallery), round(end - 1 - min((rest - above) / count, 1) * (end - start - 1)))


def ready(page, gallery):
    show(page, gallery)
    page.wait_for_selector(".scrubber:not([hidden])")
    return Windows(page)


def is_in_order(page):
    """Whether the cells are in the order of the list."""
    moments = page.evaluate("""[...document.querySelectorAll('.cell:not([inert])')].map(c => [c.row.at, c.getBoundingClientRect()])
      .sort((a, b) => a[1].top - b[1].top || a[1].left - b[1].left).map(c => c[0])""")
    return moments == sorted(moments, reverse=True)


def test_the_last_posts_are_reached_although_the_rows_before_them_make_the_page_longer(page, gallery):
    # Tiles of one size, of which five make a line. Of five that are opened alone and make one, some stand in two lines later.
    start = datetime(2020, 6, 1, 12)
    for minute in range(30):
        gallery.media("add", "what was seen", "--tag", "tiles", "--at", f"{start + timedelta(minutes=minute):%Y-%m-%dT%H:%M}")
    posts = [(post["id"], datetime.fromisoformat(post["created_at"].replace("Z", "+00:00")).timestamp())
             for post in gallery.posts("--tag", "tiles", "--limit", "1000")]
    for id, moment in posts[-12:]:
        page.goto(f"{gallery.url}/?tag=tiles&date={round(moment)}")
        until(page, f"document.getElementById('post-{posts[0][0]}') != null")
        settle(page)
        top, first, last = (top_of(page, post) for post in (id, page.evaluate(FIRST), posts[-1][0]))
        height = page.evaluate(f"document.getElementById('post-{posts[-1][0]}').offsetHeight")
        # It is the first on the screen, or the whole last one is there as well.
        assert abs(top - first) < 1 or top < 800 and last + height <= 800, [id, top, first, last, height]


def test_a_post_stays_the_place_of_a_jump_when_its_line_gets_other_neighbours(page, gallery):
    posts = times(gallery)
    for index in range(100, 112):
        id, moment = posts[index]
        page.goto(f"{gallery.url}/?date={int(moment) + 1}")
        id = newest(posts, int(moment) + 1)
        until(page, f"[...document.querySelectorAll('.cell')].some(cell => cell.row.at > {moment * 1000 + 1000})")
        settle(page)
        assert page.evaluate(landed(id))
        # The lines are laid out anew, from other rows.
        page.set_viewport_size({"width": 1000, "height": 800})
        until(page, landed(id))
        page.set_viewport_size({"width": 1280, "height": 800})
        until(page, landed(id))


def test_a_jump_that_is_answered_late_does_not_lead_away_from_where_the_person_went_since(page, gallery):
    windows = ready(page, gallery)
    jump(page, gallery, .8)
    windows.wait("date=")
    page.keyboard.press("g")
    windows.release()
    settle(page)
    assert page.evaluate(f"[scrollY, {FIRST}]") == [0, times(gallery)[0][0]]


def test_rows_asked_for_before_a_jump_neither_join_it_nor_hold_up_its_own(page, gallery):
    windows = ready(page, gallery)
    scroll(page, 1500)
    windows.wait("around=")
    old, windows.held = windows.held, []
    target = jump(page, gallery, .4)
    windows.wait("date=")
    windows.answer("date=")
    until(page, landed(target))
    windows.release()
    last = times(gallery)[-1][0]
    for _ in range(40):
        scroll(page, 1500)
        assert is_in_order(page)
        if page.evaluate(f"document.getElementById('post-{last}') != null"):
            break
    assert page.evaluate(f"document.getElementById('post-{last}') != null")
    windows.held = old
    windows.answer("")
    assert is_in_order(page)


def test_rows_that_are_wanted_during_a_jump_do_not_mix_with_its_own(page, gallery):
    windows = ready(page, gallery)
    target = jump(page, gallery, .6)
    windows.wait("date=")
    scroll(page, 2500)
    windows.answer("date=")
    until(page, landed(target))
    windows.release()
    for _ in range(8):
        scroll(page, 1500)
        assert is_in_order(page)


def test_a_change_during_a_jump_is_shown_where_the_jump_leads(page, gallery):
    windows = ready(page, gallery)
    page.evaluate("""() => {
      const { port } = new SharedWorker('/assets/live.js', { type: 'module', name: 'media' });
      port.onmessage = ({ data }) => { window.isTold ||= data.type === 'change' && !data.data.everything; };
      port.postMessage('seen');
    }""")
    target = jump(page, gallery, .9)
    windows.wait("date=")
    gallery.media("delete", times(gallery)[3][0])
    until(page, "window.isTold")
    page.wait_for_timeout(200)
    windows.answer("date=")
    until(page, landed(target))
    windows.release()
    eventually(lambda: count(page), "399 posts")
    settle(page)
    assert page.evaluate(landed(target))


def test_a_search_that_was_refused_can_be_repeated(page, gallery):
    show(page, gallery)
    page.route("**/api/list?q=*", lambda route: route.fulfill(status=507, json={"error": "the disk is full"}))
    page.fill("[name=q]", "kingfisher")
    page.wait_for_selector(".toast:has-text('the disk is full')")
    page.unroute("**/api/list?q=*")
    page.press("[name=q]", "Enter")
    until(page, "document.title === 'kingfisher · media'")
    assert "q=kingfisher" in page.url


def test_a_window_from_before_an_undo_takes_neither_the_post_nor_the_focus_again(page, gallery):
    windows = ready(page, gallery)
    page.keyboard.press("l")
    page.keyboard.press("l")
    victim = page.evaluate("document.activeElement.row.id")
    with page.expect_response("**/api/delete"):
        page.keyboard.press("d")
    # It is read at the server while the post is deleted, and comes after the post was put back.
    windows.wait("/api/list")
    route = windows.held.pop(0)
    answer = route.fetch()
    with page.expect_response("**/api/restore"):
        page.keyboard.press("u")
    until(page, f"document.activeElement.row?.id === {victim}")
    with page.expect_event("requestfinished"):
        route.fulfill(response=answer)
    settle(page)
    windows.release()
    eventually(lambda: count(page), "400 posts")
    assert page.evaluate("document.activeElement.row?.id") == victim
