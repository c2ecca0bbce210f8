# What people do with lists, in a real browser. `page` is a page of Chromium, `gallery` a served library of 400 posts with
# pictures: its `url`, and `media(*words)`, which runs the command on the same library.

import re
import zipfile
from datetime import datetime

import pytest
from test_dates import FIRST
from waiting import eventually, until


def month(post):
    """The month of a post, as titles name it."""
    return datetime.fromisoformat(post["created_at"][:10]).strftime("%B %Y")


def ids(page):
    """The posts that are elements, in their order on the page."""
    return page.evaluate("""[...document.querySelectorAll('.cell:not([inert])')].map(c => [c.id, c.getBoundingClientRect()])
      .sort((a, b) => a[1].top - b[1].top || a[1].left - b[1].left).map(c => Number(c[0].slice(5)))""")


def top_of(page, id):
    return page.evaluate(f"document.getElementById('post-{id}')?.getBoundingClientRect().top ?? null")


def first_seen(page):
    """The first post below the bars, and how far down it is."""
    return page.evaluate("""(() => { const head = document.querySelector('.listbar').getBoundingClientRect().bottom;
      return [...document.querySelectorAll('.cell:not([inert])')].map(c => [Number(c.id.slice(5)), c.getBoundingClientRect()])
      .filter(c => c[1].bottom > head + 1).sort((a, b) => a[1].top - b[1].top || a[1].left - b[1].left)
      .map(c => [c[0], c[1].top])[0]; })()""")


def focused(page):
    return page.evaluate("Number(document.activeElement?.id?.slice(5)) || null")


def show(page, gallery, path="/"):
    page.goto(gallery.url + path)
    page.wait_for_selector(".cell")
    # The connection for changes is there: what happens from now on is told.
    page.wait_for_timeout(400)


def scroll(page, distance):
    page.mouse.move(600, 500)
    page.mouse.wheel(0, distance)
    page.wait_for_timeout(250)
    settle(page)


def settle(page):
    """Waits until the page scrolls no more."""
    seen = None
    while (now := page.evaluate("scrollY")) != seen:
        seen = now
        page.wait_for_timeout(100)


def stays(page, id, top, tolerance=1):
    """Whether a post is where it was, once the page has done what it does."""
    page.wait_for_timeout(300)
    eventually(lambda: (now := top_of(page, id)) is not None and abs(now - top) < tolerance, True)


def count(page):
    return page.text_content("#count")


def test_lines_fill_the_width_and_cells_do_not_overlap(page, gallery):
    show(page, gallery)
    boxes = page.evaluate("""[...document.querySelectorAll('.cell')].map(c => { const b = c.getBoundingClientRect();
      return [Math.round(b.top), b.left, b.right] })""")
    feed = page.evaluate("(() => { const b = document.querySelector('.feed').getBoundingClientRect(); return [b.left, b.right] })()")
    lines = {}
    for top, left, right in boxes:
        lines.setdefault(top, []).append((left, right))
    assert len(lines) > 3
    for line in lines.values():
        line.sort()
        assert abs(line[0][0] - feed[0]) < 1 and abs(line[-1][1] - feed[1]) < 1
        assert all(one[1] <= other[0] for one, other in zip(line, line[1:]))


def test_all_posts_come_by_without_repeats_or_gaps(page, gallery):
    show(page, gallery)
    seen = []
    for _ in range(60):
        seen += [id for id in ids(page) if id not in seen]
        assert page.evaluate("document.getElementsByTagName('*').length") <= 1500
        if len(seen) == 400:
            break
        scroll(page, 700)
    assert len(seen) == 400


def test_delete_closes_up_and_undo_brings_the_post_back_to_its_place(page, gallery):
    show(page, gallery)
    before = ids(page)
    page.keyboard.press("l")
    page.keyboard.press("l")
    victim = focused(page)
    assert victim == before[1]
    # The page shows it before the server has done it.
    with page.expect_response("**/api/delete"):
        page.keyboard.press("d")
    until(page, f"!document.querySelector('#post-{victim}:not([inert])')")
    assert focused(page) == before[2]
    until(page, "document.getElementById('count').textContent === '399 posts'")
    assert f'"id":{victim},' not in gallery.media("list", "--json", "--limit", "3")
    page.keyboard.press("u")
    page.wait_for_selector(f"#post-{victim}")
    eventually(lambda: ids(page)[:12], before[:12])
    eventually(lambda: focused(page), victim)
    eventually(lambda: count(page), "400 posts")


def test_a_refused_delete_is_put_back_with_the_reason(page, gallery):
    show(page, gallery)
    before = ids(page)
    page.route("**/api/delete", lambda route: route.fulfill(status=500, json={"error": "the disk is full"}))
    page.keyboard.press("j")
    page.keyboard.press("d")
    page.wait_for_selector(".toast:has-text('the disk is full')")
    eventually(lambda: ids(page)[:12], before[:12])


def test_what_another_process_deletes_slides_out(page, gallery):
    show(page, gallery)
    victim = ids(page)[2]
    gallery.media("delete", str(victim))
    until(page, f"!document.querySelector('#post-{victim}:not([inert])')")
    eventually(lambda: count(page), "399 posts")
    gallery.media("restore", str(victim))
    page.wait_for_selector(f"#post-{victim}")


def test_new_posts_move_nothing_and_a_chip_tells_of_them(page, gallery):
    show(page, gallery)
    scroll(page, 900)
    id, top = first_seen(page)
    for text in ["one", "two", "three"]:
        gallery.media("add", text)
    page.wait_for_selector(".chip:has-text('3 new')")
    stays(page, id, top)
    assert first_seen(page)[0] == id
    page.click(".chip")
    page.wait_for_selector(".cell:has-text('three')")
    page.wait_for_selector(".chip", state="hidden")
    eventually(lambda: page.evaluate("scrollY"), 0)


def test_new_posts_at_the_top_move_nothing_either(page, gallery):
    show(page, gallery)
    id, top = first_seen(page)
    gallery.media("add", "a new one")
    page.wait_for_selector(".chip:has-text('1 new')")
    stays(page, id, top)


def test_a_deletion_above_moves_nothing_that_is_read(page, gallery):
    show(page, gallery)
    first = ids(page)[0]
    scroll(page, 1500)
    id, top = first_seen(page)
    gallery.media("delete", str(first))
    until(page, "document.getElementById('count').textContent === '399 posts'")
    stays(page, id, top)


def test_the_address_keeps_the_place_and_a_reload_returns_to_it(page, gallery):
    show(page, gallery)
    scroll(page, 3000)
    until(page, "location.search.includes('at=')")
    id, top = first_seen(page)
    page.reload()
    page.wait_for_selector(f"#post-{id}")
    stays(page, id, top, 2)


def test_back_returns_to_the_cell_that_was_opened(page, gallery):
    page.route("**/assets/post.js", lambda route: route.fulfill(status=404))
    show(page, gallery)
    scroll(page, 2000)
    for key in ["j", "j", "l"]:
        page.keyboard.press(key)
    opened = focused(page)
    top = top_of(page, opened)
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/post/"))
    page.go_back()
    page.wait_for_selector(f"#post-{opened}")
    until(page, f"document.activeElement?.id === 'post-{opened}'")
    assert abs(top_of(page, opened) - top) < 2


def test_search_as_you_type_replaces_the_list_in_place(page, gallery):
    show(page, gallery)
    page.keyboard.press("/")
    page.keyboard.type("lighthouse")
    until(page, "location.search.includes('q=lighthouse')")
    until(page, "document.getElementById('count').textContent !== '400 posts'")
    assert page.title() == "lighthouse · media" and page.text_content(".terms a") == "lighthouse*"
    page.keyboard.press("Escape")
    until(page, "document.getElementById('count').textContent === '400 posts'")
    assert "q=" not in page.url


@pytest.mark.parametrize("width", [390, 1200, 1280, 1440])
def test_what_the_bar_tells_moves_neither_the_list_nor_the_field(page, gallery, width):
    gallery.media("album", "create", "Winter")
    gallery.media("hide", gallery.posts("--limit", 1)[0]["id"])
    page.set_viewport_size({"width": width, "height": 800})
    for path in ["/?q=tag:cats", "/"]:
        show(page, gallery, path)
        page.wait_for_selector("#hidden:has-text('1 post hidden')")
        page.wait_for_selector(".places.side")
        assert page.evaluate("scrollY") == 0, path
    place = lambda: page.locator("[name=q]").bounding_box()
    before, found = place(), count(page)
    page.click("[name=q]")
    page.keyboard.type("tag:c")
    until(page, "told => document.getElementById('count').textContent !== told", found)
    assert place() == before


def test_search_finds_nothing_and_says_so(page, gallery):
    show(page, gallery)
    page.keyboard.press("/")
    page.keyboard.type("qqqqzz")
    page.wait_for_selector(".empty:has-text('Nothing matches')")


def test_a_range_is_selected_with_shift_and_deleted_at_once(page, gallery):
    show(page, gallery)
    before = ids(page)
    page.click(f"#post-{before[0]}", modifiers=["Control"])
    page.click(f"#post-{before[4]}", modifiers=["Shift"])
    page.click(".selectbar button:has-text('Delete 5')")
    until(page, "document.getElementById('count').textContent === '395 posts'")
    eventually(lambda: ids(page)[0], before[5])
    page.keyboard.press("u")
    until(page, "document.getElementById('count').textContent === '400 posts'")
    eventually(lambda: ids(page)[:12], before[:12])


def test_the_selection_and_the_list_are_downloaded_as_a_zip(page, gallery):
    show(page, gallery)
    first = ids(page)
    page.click(f"#post-{first[0]}", modifiers=["Control"])
    page.click(f"#post-{first[4]}", modifiers=["Shift"])
    with page.expect_download() as saved:
        page.click(".selectbar button:has-text('Download')")
    assert saved.value.suggested_filename == "5 posts.zip"
    names = zipfile.ZipFile(saved.value.path()).namelist()
    assert {int(name.split("/")[-1].split("_")[0]) for name in names} <= set(first[:5]) and names
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    page.keyboard.type("lighthouse")
    page.keyboard.press("Enter")
    until(page, "document.querySelector('[data-list]').search.includes('q=lighthouse')")
    page.click("summary:has-text('List')")
    with page.expect_download() as saved:
        page.click("a[data-list]")
    assert saved.value.suggested_filename.startswith("lighthouse") and zipfile.ZipFile(saved.value.path()).testzip() is None


def test_a_rectangle_selects_what_it_touches(page, gallery):
    show(page, gallery)
    page.mouse.move(100, 250)
    page.mouse.down()
    page.mouse.move(500, 400, steps=6)
    page.mouse.up()
    assert page.evaluate("document.querySelectorAll('.cell.selected').length") >= 3
    assert "/post/" not in page.url
    page.keyboard.press("Escape")
    assert page.evaluate("document.querySelectorAll('.cell.selected').length") == 0


def test_arrows_with_shift_select(page, gallery):
    show(page, gallery)
    page.keyboard.press("l")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    assert page.evaluate("document.querySelectorAll('.cell.selected').length") == 3


def test_the_end_and_the_start_are_a_key_away(page, gallery):
    show(page, gallery)
    page.keyboard.press("Shift+G")
    eventually(lambda: focused(page), gallery.posts("--limit", "1000")[-1]["id"])
    assert focused(page) == ids(page)[-1]
    page.keyboard.press("g")
    eventually(lambda: page.evaluate("scrollY"), 0)
    eventually(lambda: focused(page) == ids(page)[0], True)


def test_the_list_view_keeps_the_place(page, gallery):
    show(page, gallery)
    scroll(page, 2000)
    id, top = first_seen(page)
    for _ in range(4):
        page.keyboard.press("v")
        stays(page, id, top, 4)


def test_cards_do_not_overlap(page, gallery):
    show(page, gallery, "/?view=list")
    for _ in range(8):
        boxes = page.evaluate("""[...document.querySelectorAll('.cell')].map(c => c.getBoundingClientRect())
          .map(b => [b.top, b.bottom]).sort((a, b) => a[0] - b[0])""")
        assert all(one[1] <= other[0] for one, other in zip(boxes, boxes[1:]))
        scroll(page, 900)


def test_the_strip_of_months_goes_anywhere_with_one_request(page, gallery):
    show(page, gallery)
    page.wait_for_selector(".scrubber:not([hidden])")
    requests = []
    page.on("request", lambda request: "/api/list" in request.url and requests.append(request.url))
    strip = page.locator(".scrubber").bounding_box()
    page.mouse.click(strip["x"] + 30, strip["y"] + strip["height"] * 0.97)
    page.wait_for_timeout(700)
    assert sum("date=" in url for url in requests) <= 1
    posts = gallery.posts("--limit", 1000)
    until(page, f"document.getElementById('post-{posts[-1]['id']}') != null")
    # The strip names the month of the first post on the screen.
    months = {post["id"]: month(post) for post in posts}
    eventually(lambda: page.get_attribute(".scrubber", "aria-valuetext").split(",")[0] == months.get(page.evaluate(FIRST)), True)
    page.focus(".scrubber")
    page.keyboard.press("Home")
    eventually(lambda: page.evaluate("scrollY"), 0)


def test_months_have_titles_and_the_first_post_of_a_day_says_so(page, gallery):
    show(page, gallery)
    posts = gallery.posts("--limit", "400")
    assert page.locator(".feed > .title").first.inner_text() == month(posts[0])
    days = dict(page.evaluate("[...document.querySelectorAll('.cell[data-day]')].map(cell => [cell.row.id, cell.dataset.day])"))
    seen, expected = ids(page), {}
    for before, post in zip([{"created_at": ""}, *posts], posts):
        if post["id"] in seen and before["created_at"][:10] != post["created_at"][:10]:
            expected[post["id"]] = int(post["created_at"][8:10])
    assert {id: int(day.split()[1]) for id, day in days.items()} == expected
    show(page, gallery, "/?view=list")
    assert re.fullmatch(rf"\w+day, \d+ {month(posts[0])}", page.locator(".feed > .title").first.inner_text())
    page.keyboard.press("s")
    page.click("dialog label:has-text('Mark where a day begins')")
    page.click("dialog button:has-text('Close')")
    show(page, gallery)
    assert page.evaluate("getComputedStyle(document.querySelector('.cell[data-day]'), '::before').content") == "none"


def test_a_sensitive_picture_is_shown_by_its_button_or_by_a_setting(page, gallery):
    post = next(post["id"] for post in gallery.posts("--limit", "400") if post["warning"] and post["attachments"])
    show(page, gallery, f"/?at={post}")
    tile = page.locator(f"#post-{post}")
    assert tile.locator("a > img").count() == 0
    tile.get_by_role("button", name="Show").click()
    tile.locator("a > img").wait_for()
    assert "/post/" not in page.url
    page.reload()
    tile.locator(".cover").wait_for()
    page.keyboard.press("s")
    page.get_by_label("Sensitive pictures").select_option("shown")
    page.click("dialog button:has-text('Close')")
    tile.locator("a > img").wait_for()


def test_colours_and_sizes_are_chosen_and_stay(page, gallery):
    show(page, gallery)
    before = page.locator(".cell").first.bounding_box()["height"]
    page.keyboard.press("s")
    page.get_by_label("Colours").select_option("dark")
    page.get_by_label("Pictures in the grid").select_option("small")
    page.click("dialog button:has-text('Close')")
    page.goto(f"{gallery.url}/tags")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(16, 20, 29)"
    show(page, gallery)
    assert page.locator(".cell").first.bounding_box()["height"] < before * .8


def drop_words(page, words):
    """Drops a text on the page, and adds it as a post."""
    page.evaluate("""words => {
      const drop = new DataTransfer();
      drop.setData("text/plain", words);
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: drop, bubbles: true, cancelable: true }));
    }""", words)
    page.wait_for_selector("dialog[open] [name=text]")
    page.click("dialog button.primary")


def test_what_is_dropped_on_a_list_is_shown_at_once(page, gallery):
    show(page, gallery)
    scroll(page, 2500)
    until(page, "performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/add.js'))")
    page.wait_for_timeout(300)
    drop_words(page, "Saw a kingfisher")
    page.wait_for_selector("dialog", state="detached")
    added = page.locator(".cell:has-text('Saw a kingfisher')")
    added.wait_for()
    until(page, "document.activeElement?.textContent.includes('Saw a kingfisher')")
    assert 0 < added.bounding_box()["y"] < 700


def test_the_mark_of_a_selection_covers_no_words(page, gallery):
    gallery.media("add", "A long day. " * 40)
    for path, words in [("/", ".text"), ("/?view=list", ".caption")]:
        show(page, gallery, path)
        cell = page.locator(f"#post-{ids(page)[0]}")
        cell.click(modifiers=["Control"])
        mark = cell.evaluate("""cell => { const box = cell.getBoundingClientRect(), style = getComputedStyle(cell, "::after");
          return { right: box.right - parseFloat(style.right), left: box.right - parseFloat(style.right) - parseFloat(style.width),
            top: box.top + parseFloat(style.top), bottom: box.top + parseFloat(style.top) + parseFloat(style.height) }; }""")
        for box in [cell.locator(part).first.evaluate("part => part.getBoundingClientRect().toJSON()") for part in [words, ".who span[dir]", "time"]
                    if cell.locator(part).count()]:
            assert box["right"] <= mark["left"] or box["left"] >= mark["right"] or box["bottom"] <= mark["top"] or box["top"] >= mark["bottom"]
        page.keyboard.press("Escape")


def test_keys_are_those_of_the_terminal_and_help_shows_them(page, gallery):
    show(page, gallery)
    page.keyboard.press("?")
    page.wait_for_selector("dialog:has-text('undo the last change')")
    titles = page.locator("dialog h3").all_inner_texts()
    assert titles == ["Moving", "The post", "Changing", "Marking", "Finding and pulling", "The screen", "Looking through"]
    assert page.locator("dialog section:has(h3:text-is('Changing'))").locator("text=undo the last change").count() == 1
    columns = "new Set([...document.querySelectorAll('dialog section')].map(part => part.getBoundingClientRect().x)).size"
    assert page.evaluate(columns) == 2
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate(columns) == 1 and page.evaluate("document.querySelector('dialog').scrollWidth <= document.querySelector('dialog').clientWidth")
    # However many there are, what closes it is seen.
    close = page.locator("dialog button:has-text('Close')").bounding_box()
    assert page.evaluate("document.querySelector('dialog').scrollHeight > innerHeight") and close["y"] + close["height"] <= 800
    page.keyboard.press("Escape")
    until(page, "!document.querySelector('dialog')")


def boxes(page, *selectors):
    return [page.locator(selector).bounding_box() for selector in selectors]


@pytest.mark.parametrize("width", [360, 1280])
def test_messages_at_the_bottom_do_not_cover_each_other(page, gallery, width):
    page.set_viewport_size({"width": width, "height": 740})
    show(page, gallery)
    gallery.stop()
    page.wait_for_selector(".banner:has-text('cannot be reached')", timeout=20_000)
    page.focus(f"#post-{ids(page)[0]}")
    page.keyboard.press("d")
    page.wait_for_selector(".toast:has-text('Not deleted')")
    page.evaluate("document.querySelector('.cell').dispatchEvent(new MouseEvent('click', { bubbles: true, ctrlKey: true }))")
    page.wait_for_selector(".selectbar")
    toast, bar, banner = boxes(page, ".toast", ".selectbar", ".banner")
    assert toast["y"] + toast["height"] <= bar["y"] and bar["y"] + bar["height"] <= banner["y"]
    for box in [toast, bar, banner]:
        assert box["x"] >= 0 and box["x"] + box["width"] <= width and box["y"] + box["height"] <= 740


def test_a_list_and_its_posts_show_dates_in_one_way(page, gallery):
    gallery.media("plan", "Dentist", "--start", "2026-11-21T14:30", "--finish", "2026-11-21T16:10")
    page.goto(f"{gallery.url}/?view=list&q=Dentist")
    card = page.locator(".cell:has-text('Dentist')")
    assert card.locator("time").inner_text() == "2026-11-21 14:30–16:10"
    page.goto(gallery.url + card.locator("a").first.get_attribute("href"))
    assert page.locator(".byline").inner_text().startswith("2026-11-21 14:30–16:10")


def test_times_are_those_of_the_gallery_wherever_the_browser_is(context, gallery):
    gallery.variables["TZ"] = "Asia/Kolkata"
    gallery.media("plan", "Dentist", "--start", "2026-11-21T14:30", "--finish", "2026-11-21T16:10")
    page = context.new_page()
    page.goto(gallery.start())
    page.goto(f"{gallery.url}/?view=list&q=Dentist")
    card = page.locator(".cell:has-text('Dentist')")
    time = card.locator("time")
    assert time.inner_text() == "2026-11-21 14:30–16:10"
    assert time.get_attribute("title") == "2026-11-21 14:30:00 UTC+05:30"
    path = card.locator("a").first.get_attribute("href").split("?")[0]
    page.goto(gallery.url + path)
    assert page.locator(".byline").inner_text().startswith("2026-11-21 14:30–16:10")
    assert page.locator(".byline time").first.get_attribute("title") == "2026-11-21 14:30:00 UTC+05:30"
    page.goto(f"{gallery.url}/calendar?day=2026-11-21")
    assert "14:30–16:10" in page.locator(".entry.first").inner_text()
    page.goto(f"{gallery.url}{path}/edit")
    page.locator("[data-shift]:has-text('UTC+05:30')").wait_for()
    assert page.input_value("[name=start]") == "2026-11-21T14:30"
    page.fill("[name=finish]", "2026-11-21T17:00")
    page.click("#add button.primary")
    page.wait_for_url(f"**{path}")
    post = next(post for post in gallery.posts("--day", "2026-11-21", "--limit", 50) if post["title"] == "Dentist")
    assert [post["created_at"], post["ends_at"]] == ["2026-11-21T09:00:00.000Z", "2026-11-21T11:30:00.000Z"]


def test_the_clock_of_the_browser_is_not_mentioned_where_it_is_the_same(page, gallery):
    page.goto(f"{gallery.url}/add")
    # The form works once what was dropped would be taken.
    page.click("#add button.primary")
    page.locator(".answer:has-text('3 characters')").wait_for()
    assert not page.is_visible("[data-shift]")


def test_a_stopped_server_is_told_and_found_again(page, gallery):
    show(page, gallery)
    gallery.stop()
    page.wait_for_selector(".banner:has-text('cannot be reached')", timeout=20_000)
    gallery.start()
    until(page, "!document.querySelector('.banner')")
    victim = ids(page)[1]
    gallery.media("delete", str(victim))
    until(page, f"!document.querySelector('#post-{victim}:not([inert])')")


def test_ten_tabs_stay_live_over_one_connection(page, gallery):
    pages = [page] + [page.context.new_page() for _ in range(9)]
    for one in pages:
        show(one, gallery)
    victim = ids(page)[0]
    gallery.media("delete", str(victim))
    for one in pages:
        until(one, f"!document.querySelector('#post-{victim}:not([inert])')")


def test_restored_posts_leave_the_trash(page, gallery):
    victims = [str(id) for id in (1, 2, 3)]
    gallery.media("delete", *victims)
    page.goto(gallery.url + "/?deleted=1")
    page.wait_for_selector(".cell")
    assert count(page) == "3 posts"
    page.wait_for_timeout(400)
    page.keyboard.press("l")
    page.keyboard.press("Shift+R")
    page.click("dialog button:has-text('Restore 3')")
    page.wait_for_selector(".empty:has-text('No post is deleted')")
    assert page.is_hidden("button:has-text('Restore all')")


def test_the_page_is_never_as_tall_as_the_library(page, gallery):
    show(page, gallery)
    scroll(page, 20000)
    scroll(page, 20000)
    assert page.evaluate("document.documentElement.scrollHeight") < 1_000_000


def swipe(page, x, y, to_x, to_y, steps=8, hold=0):
    """A finger that moves from one point to another."""
    device = page.context.new_cdp_session(page)

    def touch(kind, *points):
        device.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": px, "y": py} for px, py in points]})

    touch("touchStart", (x, y))
    page.wait_for_timeout(hold)
    for step in range(1, steps + 1):
        touch("touchMove", (x + (to_x - x) * step / steps, y + (to_y - y) * step / steps))
        page.wait_for_timeout(16)
    touch("touchEnd")


def middle(page, id):
    # A cell that still slides to its place is not there when the finger comes.
    until(page, f"document.querySelector('#post-{id}')?.getAnimations().length === 0")
    box = page.locator(f"#post-{id}").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


@pytest.mark.parametrize("page", [PHONE], indirect=True)
def test_a_swipe_to_the_left_deletes_and_the_message_undoes_it(page, gallery):
    show(page, gallery)
    before = ids(page)
    x, y = middle(page, before[1])
    swipe(page, x, y, x - 150, y + 5)
    page.wait_for_selector(".toast:has-text('Deleted a post')")
    until(page, f"!document.querySelector('#post-{before[1]}:not([inert])')")
    assert "/post/" not in page.url
    page.click(".toast button")
    page.wait_for_selector(f"#post-{before[1]}")
    eventually(lambda: ids(page)[:6], before[:6])


@pytest.mark.parametrize("page", [PHONE], indirect=True)
def test_a_swipe_to_the_right_shows_what_can_be_done(page, gallery):
    show(page, gallery)
    x, y = middle(page, ids(page)[2])
    swipe(page, x, y, x + 150, y + 5)
    page.click("dialog button:has-text('Copy link')")
    page.wait_for_selector(".toast")


@pytest.mark.parametrize("page", [PHONE], indirect=True)
def test_a_short_swipe_does_nothing(page, gallery):
    show(page, gallery)
    before = ids(page)
    x, y = middle(page, before[1])
    swipe(page, x, y, x - 30, y)
    page.wait_for_timeout(400)
    assert ids(page) == before and "/post/" not in page.url


@pytest.mark.parametrize("page", [PHONE], indirect=True)
def test_a_long_press_selects_and_taps_add(page, gallery):
    show(page, gallery)
    first, second = ids(page)[:2]
    x, y = middle(page, first)
    swipe(page, x, y, x, y, steps=1, hold=600)
    page.wait_for_selector(".selectbar:has-text('1 post')")
    page.touchscreen.tap(*middle(page, second))
    page.wait_for_selector(".selectbar:has-text('2 posts')")


@pytest.mark.parametrize("page", [PHONE], indirect=True)
def test_a_swipe_means_one_post_whatever_is_selected(page, gallery):
    show(page, gallery)
    first, second, third, fourth, fifth = ids(page)[:5]
    swipe(page, *middle(page, first), *middle(page, first), steps=1, hold=600)
    for post in [third, fourth]:
        page.touchscreen.tap(*middle(page, post))
    page.wait_for_selector(".selectbar:has-text('3 posts')")
    x, y = middle(page, second)
    swipe(page, x, y, x + 150, y + 5)
    page.click("dialog button:has-text('Favourite')")
    page.wait_for_selector(".toast:has-text('★ Favourite')")
    assert [post["id"] for post in gallery.posts("is:favourite")] == [second]
    swipe(page, x, y, x - 150, y + 5)
    page.wait_for_selector(".toast:has-text('Deleted a post')")
    until(page, f"!document.querySelector('#post-{second}:not([inert])')")
    assert page.inner_text(".selectbar span") == "3 posts"
    # What is gone is selected no more.
    x, y = middle(page, third)
    swipe(page, x, y, x - 150, y + 5)
    page.wait_for_selector(".selectbar:has-text('2 posts')")
    eventually(lambda: [post["id"] for post in gallery.posts("--limit", 3)], [first, fourth, fifth])


@pytest.mark.parametrize("page", [PHONE], indirect=True)
def test_pulling_down_at_the_top_looks_for_new_posts(page, gallery):
    page.route("**/api/pull/refresh", lambda route: route.fulfill(json={"jobs": []}))
    show(page, gallery)
    with page.expect_request("**/api/pull/refresh") as asked:
        swipe(page, 180, 300, 185, 520, steps=12)
    assert asked.value.method == "POST"
    page.wait_for_selector(".toast:has-text('Looking for new posts')")


@pytest.mark.parametrize("page", [PHONE], indirect=True)
@pytest.mark.parametrize("path", ["/", "/?view=list", "/help"])
def test_a_phone_never_scrolls_sideways(page, gallery, path):
    page.goto(gallery.url + path)
    page.wait_for_timeout(600)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_missing_picture_says_why_and_can_be_tried_again(page, gallery):
    def fail(route):
        answer = route.fetch().json()
        answer["missing"][str(answer["id"][0])] = {"state": "failed", "failure": "the server is too busy"}
        answer["blob"][0] = None
        route.fulfill(json=answer)

    page.route("**/api/list?*", fail)
    page.route("**/api/pull/pictures", lambda route: route.fulfill(json={"jobs": []}))
    show(page, gallery)
    tile = page.locator(".cell:has-text('the server is too busy')")
    tile.wait_for()
    id = ids(page)[0]
    with page.expect_request("**/api/pull/pictures") as asked:
        tile.locator("button:has-text('Try again')").click()
    assert asked.value.post_data_json == {"ids": [id]}
    page.wait_for_selector(".toast:has-text('Trying again')")
    assert "/post/" not in page.url


def test_marks_of_a_text_stand_below_its_words(page, gallery):
    gallery.media("add", "A long day. " * 40)
    post = gallery.posts("--limit", 1)[0]["id"]
    gallery.media("mark", post, "--rating", 3)
    show(page, gallery)
    words, marks = boxes(page, f"#post-{post} a", f"#post-{post} .marked")
    assert words["y"] + words["height"] <= marks["y"]


def test_words_of_a_narrow_tile_stay_within_it(page, gallery):
    page.set_viewport_size({"width": 360, "height": 740})
    page.route("**/thumb/**", lambda route: route.abort())
    show(page, gallery)
    page.wait_for_selector(".cell .retry")
    outside = """[...document.querySelectorAll('.cell.tile:has(.retry)')].filter(cell => {
      const [outer, inner] = [cell, cell.querySelector('.retry')].map(element => element.getBoundingClientRect());
      return inner.left < outer.left || inner.right > outer.right;
    }).length"""
    eventually(lambda: page.evaluate(outside), 0)
    assert page.get_by_role("button", name="Try again").count() > 0


def test_a_list_without_posts_leads_to_all_posts(page, gallery):
    page.goto(f"{gallery.url}/?user=nobody")
    page.locator(".empty:has-text('This list has no posts.')").wait_for()
    page.locator(".empty a:has-text('All posts')").click()
    page.wait_for_selector(".cell")


def test_a_post_opens_over_the_list_and_closing_returns_the_focus(page, gallery):
    page.route("**/assets/post.js", lambda route: route.fulfill(
        content_type="text/javascript",
        body="""export function showPost(id, list) { globalThis.shown = { id, list }; }"""))
    show(page, gallery)
    order = ids(page)
    page.keyboard.press("l")
    page.keyboard.press("Enter")
    until(page, f"globalThis.shown?.id === {order[0]}")
    assert page.evaluate(f"shown.list.next({order[0]})") == order[1]
    assert page.evaluate(f"shown.list.previous({order[1]})") == order[0]
    assert page.evaluate(f"shown.list.previous({order[0]})") is None
    page.evaluate(f"shown.list.closed({order[1]})")
    assert focused(page) == order[1]


def test_pictures_of_authors_can_be_turned_off_and_stay_so(page, gallery):
    show(page, gallery, "/?view=list")
    assert page.locator(".card .avatar").first.is_visible()
    page.keyboard.press("s")
    page.click("dialog label:has-text('Show pictures of authors')")
    page.click("dialog button:has-text('Close')")
    assert page.locator(".card .avatar").first.is_hidden()
    show(page, gallery, "/?view=list")
    assert page.locator(".card .avatar").first.is_hidden()


def test_one_letter_keys_can_be_turned_off(page, gallery):
    show(page, gallery)
    page.keyboard.press("s")
    page.click("dialog label:has-text('Keys of one letter')")
    page.click("dialog button:has-text('Close')")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("d")
    page.wait_for_timeout(400)
    assert count(page) == "400 posts"


def test_a_visit_without_a_change_moves_nothing(page, gallery):
    page.add_init_script("""globalThis.shifts = 0;
      new PerformanceObserver(list => { for (const entry of list.getEntries()) shifts += entry.value; }).observe({ type: 'layout-shift', buffered: true });""")
    show(page, gallery)
    page.wait_for_timeout(1000)
    assert page.evaluate("shifts") < 0.01


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ["/", "/?view=list", "/help", "/?q=cat", "/?deleted=1"])
def test_axe_finds_nothing(page, gallery, scheme, path):
    from axe_playwright_python.sync_playwright import Axe

    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.goto(gallery.url + path)
    page.wait_for_timeout(700)
    found = Axe().run(page).response["violations"]
    assert not found, [(f["id"], [n["html"][:200] for n in f["nodes"][:3]]) for f in found]
