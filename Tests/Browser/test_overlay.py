# Looking at a list's pictures over the whole window: deciding one by one, slideshow, comparing.

import json

import pytest
from test_lists import count, show
from test_marks import focus_first, focused, found
from waiting import eventually, until


def order(gallery, *filter):
    return [post["id"] for post in gallery.posts("--limit", 1000, *filter)]


def place(page):
    return page.inner_text(".overlay .count")


def shown(page):
    """The file of the picture that is looked at."""
    return page.evaluate("document.querySelector('.overlay .viewport img')?.src.split('/').at(-1) || null")


def start(page, key="w"):
    """Opens what a key opens over the list, at its first post."""
    first = focus_first(page)
    page.keyboard.press(key)
    page.wait_for_selector(".overlay[open]")
    return first


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def test_one_key_decides_and_the_next_post_comes_and_all_is_undone(page, gallery):
    show(page, gallery)
    posts = order(gallery)
    assert start(page) == posts[0] and place(page) == "1 of 400"
    press(page, "*", "4", "d", " ", "n")
    eventually(lambda: place(page), "5 of 399")
    eventually(lambda: found(gallery, "is:seen"), [posts[4]])
    assert found(gallery, "is:favourite") == [posts[0]] and found(gallery, "rating:4") == [posts[1]]
    assert found(gallery, "is:deleted") == [posts[2]]
    # The first tag is typed, and + gives it again.
    page.keyboard.press("+")
    until(page, "document.activeElement.matches('.tagging input')")
    page.keyboard.type("boat")
    press(page, "Enter", "+")
    eventually(lambda: found(gallery, "own:boat"), posts[5:7])
    press(page, "k", "k")
    eventually(lambda: place(page), "5 of 399")
    press(page, "u", "u", "u", "u")
    eventually(lambda: place(page), "3 of 400")
    assert found(gallery, "is:deleted") == [] and found(gallery, "own:boat") == [] and found(gallery, "is:seen") == []
    press(page, "u", "u", "u")
    page.wait_for_selector(".said:has-text('Nothing was decided here')")
    eventually(lambda: found(gallery, "rating:>0") + found(gallery, "is:favourite"), [])
    assert place(page) == "1 of 400"


def test_all_files_of_a_post_are_shown(page, gallery):
    posts = gallery.posts("--limit", 1000)
    index, files = next((index, post["attachments"]) for index, post in enumerate(posts) if len(post["attachments"]) > 1)
    told = [f"{number} of {len(files)} files" for number in range(1, len(files) + 1)]
    shown = f"document.querySelector('.overlay img')?.src.endsWith('{files[1]['sha256']}')"
    about = "words => document.querySelector('.overlay .about').textContent.endsWith(words)"
    show(page, gallery)
    start(page)
    press(page, *[" "] * index)
    until(page, about, told[0])
    page.keyboard.press("l")
    until(page, about, told[1])
    until(page, shown)
    press(page, "h", "h", "h", "l")
    until(page, about, told[1])
    page.keyboard.press("*")
    eventually(lambda: found(gallery, "is:favourite"), [posts[index]["id"]])
    press(page, "k", "Escape")
    eventually(lambda: focused(page), posts[index]["id"])
    page.keyboard.press("p")
    page.click("text=Pause")
    press(page, *["ArrowRight"] * len(files))
    eventually(lambda: place(page), f"{index + 2} of 400")
    page.keyboard.press("ArrowLeft")
    eventually(lambda: place(page), f"{index + 1} of 400")
    until(page, about, told[0])


def test_deciding_ends_at_the_row_where_one_was(page, gallery):
    show(page, gallery)
    posts = order(gallery)
    start(page)
    press(page, *[" "] * 30)
    eventually(lambda: place(page), "31 of 400")
    page.keyboard.press("Escape")
    eventually(lambda: focused(page), posts[30])
    assert page.locator("dialog").count() == 0 and page.evaluate("location.pathname") == "/"
    # Back leads out of it, too, and the list's own keys work again.
    page.keyboard.press("w")
    page.wait_for_selector(".overlay[open]")
    page.go_back()
    eventually(lambda: page.locator("dialog").count(), 0)
    page.keyboard.press("d")
    eventually(lambda: found(gallery, "is:deleted"), [posts[30]])


def test_the_place_is_known_where_the_list_was_opened_far_below(page, gallery):
    posts = order(gallery)
    show(page, gallery, f"/?at={posts[250]}")
    start(page)
    eventually(lambda: place(page), f"{posts.index(focused_post(page)) + 1} of 400")
    press(page, " ", "d")
    eventually(lambda: len(found(gallery, "is:deleted")), 1)
    deleted = found(gallery, "is:deleted")[0]
    eventually(lambda: place(page), f"{posts.index(deleted) + 1} of 399")


def test_what_leaves_the_list_is_not_counted_any_more(page, gallery):
    posts = order(gallery)
    show(page, gallery, "/?q=is:unseen")
    start(page)
    for left in [399, 398, 397]:
        page.keyboard.press("n")
        eventually(lambda: place(page), f"1 of {left}")
    page.keyboard.press("k")
    page.wait_for_selector(".said:has-text('This is the first post')")
    assert place(page) == "1 of 397"
    # Another program deletes the shown one: the next one is the one that followed it.
    gallery.media("delete", posts[3])
    eventually(lambda: place(page), "")
    page.keyboard.press(" ")
    eventually(lambda: place(page), "1 of 396")
    eventually(lambda: focused_post(page), posts[4])
    page.keyboard.press("n")
    eventually(lambda: found(gallery, "is:seen"), [*posts[:3], posts[4]])



def test_what_leaves_a_list_that_was_opened_far_below_is_not_counted_any_more(page, gallery):
    posts = order(gallery)
    show(page, gallery, f"/?q=is:unseen&at={posts[250]}")
    start(page)
    until(page, "document.querySelector('.overlay .count').textContent.endsWith(' of 400')")
    at = int(place(page).split()[0])
    for left in [399, 398]:
        page.keyboard.press("n")
        eventually(lambda: place(page), f"{at} of {left}")
    assert found(gallery, "is:seen") == posts[at - 1:at + 1]


def focused_post(page):
    """The post that the list below has at the shown one."""
    return page.evaluate("Number(document.querySelector('.cell[tabindex=\"0\"]').id.slice('post-'.length))")


def test_the_last_post_ends_it_and_is_undone(page, gallery):
    posts = order(gallery)
    gallery.media("mark", *posts[:2], "--favourite")
    show(page, gallery, "/?q=is:favourite")
    eventually(lambda: count(page), "2 posts")
    start(page)
    press(page, "d", "d")
    page.wait_for_selector(".overlay .absent:has-text('This was the last post')")
    eventually(lambda: found(gallery, "is:deleted"), posts[:2])
    press(page, "5", "u", "u")
    eventually(lambda: place(page), "1 of 2")
    assert found(gallery, "is:deleted") == [] and found(gallery, "rating:5") == []


def test_what_the_server_refuses_comes_back(page, gallery):
    show(page, gallery)
    posts = order(gallery)
    start(page)
    page.route("**/api/mark", lambda route: route.fulfill(status=503, json={"error": "no room", "cure": "make some"}))
    page.keyboard.press("*")
    page.wait_for_selector(".said:has-text('no room: make some')")
    eventually(lambda: place(page), "1 of 400")
    page.unroute("**/api/mark")
    page.keyboard.press("*")
    eventually(lambda: found(gallery, "is:favourite"), [posts[0]])


@pytest.mark.parametrize("page", [{"viewport": {"width": 390, "height": 800}, "has_touch": True}], indirect=True)
def test_buttons_decide_by_touch(page, gallery):
    show(page, gallery)
    posts = order(gallery)
    page.tap(".tools button[aria-label^=Decide]")
    page.tap("dialog[open] button:has-text('Decide')")
    page.wait_for_selector(".overlay[open]")
    page.tap(".overlay button[aria-label='Rate 3']")
    page.tap(".overlay button[aria-label^=Delete]")
    eventually(lambda: found(gallery, "rating:3") + found(gallery, "is:deleted"), posts[:2])
    for button in page.locator(".overlay .choices button").all():
        assert button.bounding_box()["height"] >= 44 and button.bounding_box()["width"] >= 44
    page.tap(".overlay button[aria-label^=Undo]")
    eventually(lambda: found(gallery, "is:deleted"), [])
    page.tap(".overlay button[aria-label^=Close]")
    eventually(lambda: page.locator("dialog").count(), 0)


def test_a_slideshow_goes_on_by_itself_until_it_is_paused(page, gallery):
    show(page, gallery)
    start(page, "p")
    page.select_option(".overlay select", "3")
    eventually(lambda: place(page), "2 of 400")
    eventually(lambda: place(page), "3 of 400")
    page.keyboard.press(" ")
    page.wait_for_selector(".overlay button:has-text('Play')")
    press(page, "ArrowRight", "ArrowLeft", "ArrowLeft")
    eventually(lambda: place(page), "2 of 400")
    page.keyboard.press("f")
    until(page, "!!document.fullscreenElement")
    page.keyboard.press("f")
    until(page, "!document.fullscreenElement")
    page.check(".overlay [type=checkbox]")
    about = page.inner_text(".overlay .about")
    page.click(".overlay button[aria-label='Next picture']")
    eventually(lambda: place(page), "")
    page.click(".overlay button[aria-label='Picture before']")
    eventually(lambda: page.inner_text(".overlay .about"), about)
    page.keyboard.press("Escape")
    eventually(lambda: page.locator("dialog").count(), 0)


def test_a_slideshow_has_its_keys_after_a_click(page, gallery):
    show(page, gallery)
    start(page, "p")
    page.select_option(".overlay select", "30")
    page.check(".overlay [type=checkbox]")
    page.keyboard.press(" ")
    page.wait_for_selector(".overlay button:has-text('Play')")
    assert page.is_checked(".overlay [type=checkbox]")
    page.focus(".overlay [type=checkbox]")
    about = page.inner_text(".overlay .about")
    press(page, "ArrowRight", "ArrowRight", "k", "ArrowLeft")
    eventually(lambda: page.inner_text(".overlay .about"), about)
    # The field keeps its own keys until Enter.
    page.focus(".overlay select")
    press(page, " ", "Escape", "Enter", " ")
    page.wait_for_selector(".overlay button:has-text('Pause')")
    page.click(".overlay button[aria-label='Next picture']")
    page.keyboard.press(" ")
    page.wait_for_selector(".overlay button:has-text('Play')")


@pytest.mark.parametrize("query", ["in:Winter", "sort:oldest is:favourite"])
def test_a_slideshow_of_a_list_with_an_order_of_its_own_is_random_too(page, gallery, query):
    posts = [post for post in gallery.posts("has:picture -is:sensitive") if len(post["attachments"]) == 1][:8]
    ids, files = [post["id"] for post in posts], {post["attachments"][0]["sha256"] for post in posts}
    gallery.media("album", "create", "Winter")
    gallery.media("album", "add", "Winter", *ids)
    gallery.media("mark", *ids, "--favourite")
    ways = set()
    for _ in range(3):
        show(page, gallery, f"/?q={query}")
        start(page, "p")
        page.check(".overlay [type=checkbox]")
        eventually(lambda: shown(page) in files, True)
        way = [shown(page)]
        # Each comes once before one comes again.
        while len(way) < len(ids):
            page.keyboard.press("ArrowRight")
            eventually(lambda: shown(page) in files - {way[-1]}, True)
            way.append(shown(page))
        assert set(way) == files
        ways.add(tuple(way))
    assert len(ways) > 1


def test_less_motion_starts_a_slideshow_paused(page, gallery):
    page.emulate_media(reduced_motion="reduce")
    show(page, gallery)
    start(page, "p")
    page.wait_for_selector(".overlay button:has-text('Play')")
    assert page.inner_text(".said") == "Space starts it"
    page.keyboard.press(" ")
    page.wait_for_selector(".overlay button:has-text('Pause')")


def test_two_pictures_are_zoomed_as_one_and_a_number_makes_one_a_favourite(page, gallery):
    show(page, gallery)
    page.keyboard.press("j")
    page.keyboard.press("C")
    page.wait_for_selector(".toast:has-text('Select two to four posts to compare')")
    page.keyboard.press("Shift+ArrowRight")
    page.wait_for_selector(".selectbar:has-text('2 posts')")
    page.click(".selectbar button:has-text('Compare')")
    page.wait_for_selector(".overlay[open] figure:nth-of-type(2) .frame.loaded")
    shape = "[...document.querySelectorAll('.overlay .frame')].map(frame => frame.style.transform)"
    press(page, "+", "+")
    until(page, f"{shape}.every(text => text.endsWith('scale(2.25)'))")
    page.mouse.move(300, 300)
    page.mouse.down()
    page.mouse.move(250, 280)
    page.mouse.move(200, 260)
    page.mouse.up()
    moved = page.evaluate(shape)
    assert moved[0] == moved[1] and "translate(0px, 0px)" not in moved[0]
    page.keyboard.press("0")
    until(page, f"{shape}.every(text => text.endsWith('scale(1)'))")
    page.keyboard.press("2")
    page.wait_for_selector(".overlay button:has-text('2 ★')")
    assert len(found(gallery, "is:favourite")) == 1


def test_compared_pictures_are_called_the_same_or_different(page, gallery):
    ids = [post["id"] for post in gallery.posts("has:picture") if len(post["attachments"]) == 1][:2]

    def noted(verdict):
        """Whether a verdict is there already."""
        answer = gallery.media("same", verdict, *map(str, ids), "--json")
        return json.loads(answer)["changed"] == 0

    show(page, gallery)
    for id in ids:
        page.locator(f"#post-{id}").click(modifiers=["Control"])
    page.keyboard.press("C")
    # What has the focus at first says nothing of the pictures.
    page.wait_for_selector(".overlay[open] .frame.loaded")
    page.keyboard.press("Enter")
    page.keyboard.press("u")
    page.wait_for_selector(".said:has-text('Nothing was changed here')")
    page.click(".overlay[open] button:has-text('Same picture')")
    page.wait_for_selector(".said:has-text('The same picture: 2 posts')")
    page.keyboard.press("!")
    page.wait_for_selector(".said:has-text('Different pictures: 2 posts')")
    page.keyboard.press("u")
    page.wait_for_selector(".said:has-text('Undone')")
    assert noted("--same")
    page.keyboard.press("u")
    page.wait_for_selector(".said:has-text('Undone')")
    eventually(lambda: noted("--undecided"), True)
    page.keyboard.press("Escape")
    eventually(lambda: page.locator("dialog").count(), 0)
    page.keyboard.press("i")
    page.wait_for_url("**q=like*")
    page.wait_for_selector(".cell")


def test_compared_pictures_tell_what_is_done_elsewhere(page, gallery):
    posts = order(gallery)[:2]
    show(page, gallery)
    focus_first(page)
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("C")
    page.wait_for_selector(".overlay[open] button:has-text('2 ☆')")
    gallery.media("mark", posts[1], "--favourite")
    page.wait_for_selector(".overlay button[aria-pressed=true]:has-text('2 ★')")
    # What the page could not hear of yet: the key means what is shown.
    page.route("**/api/list*", lambda route: route.abort())
    gallery.media("mark", posts[0], "--favourite")
    page.keyboard.press("1")
    page.wait_for_selector(".said:has-text('It was so before')")
    page.unroute("**/api/list*")
    gallery.media("mark", posts[0], "--seen")
    page.wait_for_selector(".overlay button:has-text('1 ★')")
    assert found(gallery, "is:favourite") == posts


def test_what_is_hidden_as_sensitive_is_shown_where_pictures_are_compared(page, gallery):
    posts = gallery.posts("--limit", 400)
    hidden = [post["id"] for post in posts if post["warning"] and post["attachments"]][:2]
    gallery.media("mark", *hidden, "--favourite")
    pictures = page.locator(".overlay .frame.loaded")
    for act in [lambda: page.keyboard.press("Enter"), lambda: [tile.click() for tile in page.locator(".overlay .absent").all()]]:
        show(page, gallery, "/?q=is:favourite")
        focus_first(page)
        page.keyboard.press("Shift+ArrowRight")
        page.keyboard.press("C")
        eventually(lambda: page.locator(".overlay .absent:has-text('shows it')").count(), 2)
        assert pictures.count() == 0
        act()
        eventually(lambda: pictures.count(), 2)
        page.keyboard.press("Escape")
        eventually(lambda: page.locator("dialog").count(), 0)


@pytest.mark.parametrize("start", ["w", "p", "Decide", "Slideshow"])
def test_a_list_without_posts_says_that_there_is_nothing_to_show(page, gallery, start):
    page.goto(f"{gallery.url}/?q=nowhere")
    page.wait_for_selector(".empty:has-text('Nothing matches')")
    if len(start) == 1:
        page.wait_for_timeout(300)
        page.keyboard.press(start)
    else:
        page.click(".tools button[aria-label^=Decide]")
        page.click(f"dialog[open] button:has-text('{start}')")
    page.wait_for_selector(".toast:has-text('This list has no posts')")



def test_posts_are_compared_that_are_far_from_each_other(page, gallery):
    posts = order(gallery)
    show(page, gallery)
    page.locator(f"#post-{posts[0]}").click(modifiers=["Control"])
    page.keyboard.press("End")
    page.wait_for_selector(f"#post-{posts[-1]}")
    eventually(lambda: focused(page), posts[-1])
    page.locator(f"#post-{posts[-1]}").click(modifiers=["Control"])
    page.keyboard.press("C")
    page.wait_for_selector(".overlay[open] figure:nth-of-type(2)")
    press(page, "1", "2")
    page.wait_for_selector(".overlay button:has-text('1 ★')")
    page.wait_for_selector(".overlay button:has-text('2 ★')")
    gallery.media("mark", posts[0], "--no-favourite")
    page.wait_for_selector(".overlay button:has-text('1 ☆')")


def test_a_gallery_for_reading_only_has_a_slideshow_and_decides_nothing(page, gallery):
    gallery.stop()
    page.goto(gallery.start("--read-only"))
    show(page, gallery)
    focus_first(page)
    page.keyboard.press("w")
    page.click(".tools button[aria-label^=Decide]")
    page.wait_for_selector("dialog[open] button:has-text('Slideshow')")
    assert page.locator(".overlay, dialog[open] button:has-text('Decide')").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("page", [{}, {"viewport": {"width": 390, "height": 800}}], indirect=True, ids=["wide", "narrow"])
def test_axe_finds_nothing_over_the_list(page, gallery, scheme):
    from axe_playwright_python.sync_playwright import Axe

    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    for key in "wpC":
        show(page, gallery)
        focus_first(page)
        page.keyboard.press("Shift+ArrowRight")
        page.keyboard.press(key)
        page.wait_for_selector(".overlay[open] .frame.loaded")
        violations = Axe().run(page).response["violations"]
        assert not violations, [(found["id"], [node["html"][:200] for node in found["nodes"][:3]]) for found in violations]
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.keyboard.press("Escape")
        eventually(lambda: page.locator("dialog").count(), 0)
