"""The gallery survives its server: what a page does while nothing answers, and once it is there again."""

import pytest
from test_dates import both, browser  # noqa: F401
from test_lists import count, focused, ids, scroll, settle, show, top_of
from waiting import eventually, until

UNREACHED = "The gallery's server cannot be reached"


def told(page):
    """Waits until it was said once more that there is no server. Returns by how many messages: a banner may say so already."""
    said = ".visually-hidden[role=status]"
    page.wait_for_selector(f"{said}:has-text(\"{UNREACHED}\")", state="attached")
    messages = page.locator(".toast").count()
    page.evaluate("said => { document.querySelector(said).textContent = ''; document.querySelector('.toast')?.remove(); }", said)
    return messages


@pytest.mark.parametrize("part, key, shown", [("dialogs", "?", "dialog:has-text('Keys')"), ("post", "Enter", "dialog.viewer[open] .panel header")])
def test_a_part_that_could_not_be_loaded_says_why_and_is_loaded_later(page, gallery, part, key, shown):
    page.route(f"**/assets/{part}.js", lambda route: route.abort())
    show(page, gallery)
    page.keyboard.press("l")
    page.keyboard.press(key)
    page.wait_for_selector(f".toast:has-text(\"{UNREACHED}\")")
    page.unroute(f"**/assets/{part}.js")
    page.keyboard.press(key)
    page.wait_for_selector(shown, state="attached")


@both
def test_a_module_that_failed_once_is_loaded_once_the_server_is_there(browser, gallery):  # noqa: F811
    browser.goto(f"{gallery.url}/tags")
    load = "import('/assets/parts.js').then(({ load }) => load('dialogs.js')).then(part => typeof part.help, error => error.message)"
    assert browser.evaluate("import('/assets/parts.js').then(({ load }) => typeof load)") == "function"
    gallery.stop()
    assert browser.evaluate(load) == UNREACHED
    gallery.start()
    assert browser.evaluate(load) == "function"


def test_a_post_that_is_opened_without_a_server_is_a_tile_and_comes_by_itself(page, gallery):
    show(page, gallery)
    until(page, "performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/post.js'))")
    page.wait_for_timeout(500)
    page.keyboard.press("l")
    opened = focused(page)
    gallery.stop()
    page.keyboard.press("Enter")
    page.wait_for_selector(f".viewport .absent:has-text(\"{UNREACHED}\")")
    gallery.start()
    page.wait_for_selector("dialog.viewer[open] .panel header", state="attached", timeout=30_000)
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog.viewer", state="hidden")
    assert focused(page) == opened


def test_what_is_typed_meanwhile_is_found_afterwards_and_a_link_leads_nowhere(page, gallery):
    show(page, gallery)
    word = gallery.posts("--limit", 1)[0]["caption"].split()[0]
    gallery.stop()
    page.wait_for_selector(".banner:has-text('cannot be reached')", timeout=20_000)
    page.click("header a[href^='/tags']")
    assert told(page) == 0 and page.evaluate("location.pathname") == "/" and ids(page)
    page.keyboard.press("/")
    page.keyboard.type(word)
    gallery.start()
    until(page, f"new URLSearchParams(location.search).get('q') === {word!r}", timeout=30_000)
    page.click("header a[href^='/tags']")
    page.wait_for_url("**/tags*")


def test_a_key_that_leads_elsewhere_leaves_the_list_only_while_the_server_answers(page, gallery):
    show(page, gallery)
    page.keyboard.press("t")
    page.wait_for_selector("dialog[open]")
    page.keyboard.press("Escape")
    page.keyboard.press("l")
    place = "location.pathname + (new URLSearchParams(location.search).get('q') ?? '')"
    gallery.stop()
    for key in ["a", "f", "L", "c", "i", "t"]:
        page.keyboard.press(key)
        if key == "t":
            page.fill("dialog[open] input", "words")
            page.keyboard.press("Enter")
        told(page)
        assert page.evaluate(place) == "/" and ids(page), key
    gallery.start()
    page.keyboard.press("c")
    page.wait_for_url("**/calendar")


def test_a_list_ends_where_the_known_rows_end_says_so_and_goes_on_by_itself(page, gallery):
    show(page, gallery)
    scroll(page, 3000)
    before = set(ids(page))
    gallery.stop()
    for _ in range(30):
        scroll(page, 4000)
    reason = page.locator(".reason:has-text('Older posts come by themselves')")
    reason.wait_for()
    box, last = reason.bounding_box(), page.locator(f"#post-{ids(page)[-1]}").bounding_box()
    # Nothing but the reason is below the last known row.
    assert 0 <= box["y"] - last["y"] - last["height"] < 20 and 700 < box["y"] + box["height"] <= 801
    gallery.start()
    reason.wait_for(state="detached", timeout=30_000)
    until(page, f"[...document.querySelectorAll('.cell')].some(cell => cell.row.id < {min(before)} - 250) || scrollY > 0")
    seen = set()
    for _ in range(40):
        seen |= set(ids(page))
        scroll(page, 900)
    assert len(seen | before) > 200


def test_a_delete_that_the_server_does_not_take_leads_the_focus_back_to_its_post(page, gallery):
    show(page, gallery)
    scroll(page, 1500)
    page.keyboard.press("j")
    page.keyboard.press("j")
    victim = focused(page)
    order, top = ids(page), top_of(page, victim)
    gallery.stop()
    # The second key is pressed before the first one has failed.
    page.keyboard.press("d")
    page.keyboard.press("d")
    page.wait_for_selector(".toast:has-text('Not deleted')")
    eventually(lambda: focused(page), victim)
    eventually(lambda: [ids(page)[:12], round(top_of(page, victim))], [order[:12], round(top)])
    assert count(page) == "400 posts"
    gallery.start()
    until(page, "!document.querySelector('.banner')", timeout=30_000)
    page.keyboard.press("d")
    until(page, f"!document.querySelector('#post-{victim}:not([inert])')")
    eventually(lambda: count(page), "399 posts")
    # The page counts it as gone before the server has stored that.
    eventually(lambda: victim in [post["id"] for post in gallery.posts("--limit", "1000")], False)


def test_a_batch_of_which_a_part_was_deleted_says_which_and_undoes_that_part(page, gallery):
    page.route("**/assets/actions.js", lambda route: route.fulfill(
        content_type="text/javascript", body=route.fetch().text().replace("BATCH = 5000", "BATCH = 3")))
    show(page, gallery)
    before = ids(page)
    asked = []

    def refuse_the_second(route):
        asked.append(route.request.post_data_json["ids"])
        if len(asked) == 2:
            return route.fulfill(status=507, json={"error": "the disk is full"})
        return route.continue_()

    page.route("**/api/delete", refuse_the_second)
    page.click(f"#post-{before[0]}", modifiers=["Control"])
    page.click(f"#post-{before[4]}", modifiers=["Shift"])
    page.click(".selectbar button:has-text('Delete 5')")
    page.wait_for_selector(".toast:has-text('Deleted 3 posts of 5: the disk is full. The others are selected.')")
    assert page.evaluate("[...document.querySelectorAll('.cell.selected')].map(cell => cell.row.id).sort()") == sorted(before[3:5])
    eventually(lambda: count(page), "397 posts")
    page.click(".toast button:has-text('Undo')")
    eventually(lambda: count(page), "400 posts")
    eventually(lambda: ids(page)[:5], before[:5])


def test_an_undo_that_the_server_does_not_take_can_be_undone_again(page, gallery):
    show(page, gallery)
    page.keyboard.press("l")
    victim = focused(page)
    with page.expect_response("**/api/delete"):
        page.keyboard.press("d")
    page.route("**/api/restore", lambda route: route.fulfill(status=507, json={"error": "the disk is full"}))
    page.keyboard.press("u")
    page.wait_for_selector(".toast:has-text('Not restored: the disk is full')")
    until(page, f"!document.querySelector('#post-{victim}:not([inert])')")
    page.unroute("**/api/restore")
    page.keyboard.press("u")
    page.wait_for_selector(f"#post-{victim}:not([inert])")
    eventually(lambda: count(page), "400 posts")


def test_the_viewer_stays_at_a_post_that_was_not_deleted(page, gallery):
    show(page, gallery)
    page.route("**/api/delete", lambda route: route.fulfill(status=507, json={"error": "the disk is full"}))
    page.keyboard.press("l")
    victim = focused(page)
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog.viewer[open] .panel header", state="attached")
    page.keyboard.press("d")
    until(page, "document.querySelector('.said').textContent.includes('the disk is full')")
    assert page.url.endswith(f"/post/{victim}")


def boxes(page):
    """Where the pictures on the screen are."""
    return page.evaluate("""Object.fromEntries([...document.querySelectorAll('.cell:not([inert])')].map(cell => [cell.id, cell.getBoundingClientRect()])
      .filter(([, box]) => box.bottom > 0 && box.top < innerHeight).map(([id, box]) => [id, [box.x, box.y, box.width, box.height].map(Math.round)]))""")


@pytest.mark.parametrize("depth", [0, 60, 1500, 4000, 9000])
def test_back_a_reload_and_a_resize_show_the_same_screen(page, gallery, depth):
    page.emulate_media(reduced_motion="reduce")
    show(page, gallery)
    for _ in range(0, depth, 3000):
        scroll(page, min(depth, 3000))
    settle(page)
    page.wait_for_timeout(400)
    before = boxes(page)
    assert len(before) > 8
    page.reload()
    eventually(lambda: boxes(page), before)
    page.goto(f"{gallery.url}/tags")
    page.go_back()
    page.wait_for_selector(".cell")
    eventually(lambda: boxes(page), before)
    page.set_viewport_size({"width": 700, "height": 800})
    eventually(lambda: boxes(page) != before, True)
    page.wait_for_timeout(300)
    page.set_viewport_size({"width": 1280, "height": 800})
    eventually(lambda: boxes(page), before)


def test_a_link_to_a_place_shows_the_same_lines_to_others(page, gallery):
    show(page, gallery)
    for _ in range(3):
        scroll(page, 2000)
    page.wait_for_timeout(400)
    before = boxes(page)
    other = page.context.new_page()
    other.goto(page.url)
    other.wait_for_selector(".cell")
    other.wait_for_timeout(400)
    there = boxes(other)
    shared = before.keys() & there.keys()
    assert len(shared) > 8
    shape = lambda box: [box[0], box[2], box[3]]
    assert {id: shape(before[id]) for id in shared} == {id: shape(there[id]) for id in shared}
