# Albums: their own order, moving posts in it, and the side list.

import json

import pytest
from test_lists import count, first_seen, scroll, show
from test_marks import focus_first, focused, found
from waiting import eventually, until

ALBUM = "/?q=in:Winter"


def cells(page):
    """The posts on the page, in the order in which they stand."""
    return page.evaluate(
        "[...document.querySelectorAll('.cell')].sort((a, b) => a.ariaPosInSet - b.ariaPosInSet).map(cell => Number(cell.id.slice(5)))")


def held(gallery):
    """The posts of the album, as the command line has them."""
    return [json.loads(line)["id"] for line in gallery.media("album", "show", "Winter", "--json").splitlines()]


@pytest.mark.parametrize("width", [320, 375, 430, 640, 700, 820, 929, 1000, 1280])
def test_the_panels_of_the_bar_open_on_the_screen(page, gallery, album, width):
    page.set_viewport_size({"width": width, "height": 700})
    show(page, gallery)
    for title in ["Albums", "List"]:
        panel = page.locator(f".places:has(summary:text-is('{title}'))")
        if panel.get_attribute("open") is None:
            panel.locator("summary").click()
        box, word = panel.locator("nav").bounding_box(), panel.locator("summary").bounding_box()
        panel.locator("summary").click()
        assert box["x"] >= 0 and box["x"] + box["width"] <= width and box["y"] + box["height"] <= 700, (title, box)
        if title == "List" or width < 1200:
            below = box["y"] - word["y"] - word["height"]
            isUnder = box["x"] <= word["x"] and word["x"] + word["width"] <= box["x"] + box["width"] + 1
            assert isUnder and 0 <= below < 12, (title, box, word)


@pytest.fixture
def album(gallery):
    """An album with eight posts, in another order than that of their times."""
    posts = [post["id"] for post in gallery.posts("--limit", 8)]
    order = posts[1::2] + posts[::2]
    gallery.media("album", "create", "Winter")
    gallery.media("album", "add", "Winter", *order)
    gallery.media("album", "create", "Summer")
    return order


def drag(page, source, target, x=.5, y=.5, hold=None):
    """Drags a post onto something: to a share of its width and height."""
    # What slides to where it stands is waited for.
    page.locator(f"#post-{source}").hover()
    box = page.locator(f"#post-{source}").bounding_box()
    goal = page.locator(target).bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2 + 20, box["y"] + box["height"] / 2, steps=4)
    page.wait_for_selector(".carried")
    page.mouse.move(goal["x"] + goal["width"] * x, goal["y"] + goal["height"] * y, steps=6)
    if hold:
        hold()
    page.mouse.up()


def test_an_album_is_listed_in_its_order_and_follows_moves_elsewhere(page, gallery, album):
    show(page, gallery, ALBUM)
    eventually(lambda: cells(page), album)
    assert page.locator(".feed .title").count() == 0 and page.locator(".scrubber:visible").count() == 0
    gallery.media("album", "move", "Winter", album[7], "--before", album[0])
    eventually(lambda: cells(page), [album[7], *album[:7]])
    # The posts beside one are those of the album.
    page.click(f"#post-{album[0]} a")
    page.wait_for_selector(".viewer[open] .panel h1")
    page.keyboard.press("j")
    until(page, f"location.pathname === '/post/{album[1]}'")
    page.keyboard.press("k")
    page.keyboard.press("k")
    until(page, f"location.pathname === '/post/{album[7]}'")


def test_a_drag_moves_a_post_and_undo_moves_it_back(page, gallery, album):
    show(page, gallery, ALBUM)
    eventually(lambda: cells(page), album)
    drag(page, album[5], f"#post-{album[1]}", x=.1)
    wanted = [album[0], album[5], *album[1:5], *album[6:]]
    eventually(lambda: cells(page), wanted)
    drag(page, album[0], f"#post-{album[7]}", x=.9)
    wanted = [*wanted[1:], album[0]]
    eventually(lambda: cells(page), wanted)
    page.keyboard.press("u")
    page.keyboard.press("u")
    eventually(lambda: cells(page), album)
    # Escape lets go without a move.
    drag(page, album[5], f"#post-{album[1]}", hold=lambda: page.keyboard.press("Escape"))
    assert page.locator(".carried").count() == 0
    assert cells(page) == album and page.locator(".viewer[open]").count() == 0


def test_keys_move_a_post_to_where_it_shall_stand(page, gallery, album):
    show(page, gallery, ALBUM)
    eventually(lambda: cells(page), album)
    assert focus_first(page) == album[0]
    for _ in range(3):
        page.keyboard.press("Alt+ArrowRight")
    eventually(lambda: cells(page), [*album[1:4], album[0], *album[4:]])
    page.keyboard.press("Alt+ArrowLeft")
    eventually(lambda: cells(page), [*album[1:3], album[0], *album[3:]])
    assert focused(page) == album[0]
    page.keyboard.press("Alt+End")
    eventually(lambda: cells(page), [*album[1:], album[0]])
    page.keyboard.press("Alt+Home")
    eventually(lambda: cells(page), album)


@pytest.mark.parametrize("page", [{"viewport": {"width": 390, "height": 800}, "has_touch": True, "is_mobile": True}], indirect=True)
def test_a_finger_moves_a_post_by_its_handle(page, gallery, album):
    show(page, gallery, ALBUM)
    eventually(lambda: cells(page), album)
    handle = page.locator(f"#post-{album[2]} .handle").bounding_box()
    goal = page.locator(f"#post-{album[0]}").bounding_box()
    at = lambda box, x, y: {"x": box["x"] + box["width"] * x, "y": box["y"] + box["height"] * y}
    touch = page.context.new_cdp_session(page)
    send = lambda kind, *points: touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})
    begin, end = at(handle, .5, .5), at(goal, .2, .5)
    send("touchStart", begin)
    for step in range(1, 9):
        send("touchMove", {name: begin[name] + (end[name] - begin[name]) * step / 8 for name in "xy"})
    page.wait_for_selector(".goal-before")
    send("touchEnd")
    eventually(lambda: cells(page), [album[2], *album[:2], *album[3:]])


def test_selected_posts_are_dropped_on_an_album_of_the_side_list(page, gallery, album):
    show(page, gallery)
    eventually(lambda: page.inner_text(".places li:has-text('Winter') .soft"), "8")
    first = focus_first(page)
    page.keyboard.press("Shift+ArrowRight")
    page.wait_for_selector(".selectbar:has-text('2 posts')")
    drag(page, first, ".places li:has-text('Summer')", hold=lambda: page.wait_for_selector(".places .goal"))
    page.wait_for_selector(".toast:has-text('Added to Summer: 2 posts')")
    assert len(found(gallery, "in:Summer")) == 2
    eventually(lambda: page.inner_text(".places li:has-text('Summer') .soft"), "2")
    page.keyboard.press("u")
    eventually(lambda: found(gallery, "in:Summer"), [])


def test_the_side_list_stands_beside_a_wide_list_and_folds(page, gallery, album):
    gallery.media("searches", "save", "good", "is:favourite")
    show(page, gallery)
    beside = "document.querySelector('.places nav').getBoundingClientRect().right <= document.querySelector('.feed').getBoundingClientRect().left"
    until(page, beside)
    eventually(lambda: page.inner_text(".places li:has-text('good') .soft"), "0")
    gallery.media("mark", album[0], "--favourite")
    eventually(lambda: page.inner_text(".places li:has-text('good') .soft"), "1")
    page.click(".places summary")
    until(page, "document.querySelector('.feed').getBoundingClientRect().left < 20")
    # It stays as it was left.
    page.reload()
    page.wait_for_selector(".cell")
    assert not page.evaluate("document.querySelector('.places').open")
    page.click(".places summary")
    page.click(".places a:has-text('Winter')")
    eventually(lambda: count(page), "8 posts")
    assert page.get_attribute(".places a:has-text('Winter')", "aria-current") == "page"
    until(page, beside)


def test_the_side_list_follows_new_renamed_and_deleted_names(page, gallery):
    show(page, gallery)
    assert page.locator(".places.side").is_hidden()
    names = lambda: page.locator(".side li:visible").all_inner_texts()
    seen = lambda *rows: eventually(lambda: [row.split() for row in names()], [list(row) for row in rows])
    focus_first(page)
    page.keyboard.press("A")
    page.wait_for_selector("dialog[open] input:focus")
    page.keyboard.type("Winter")
    page.keyboard.press("Enter")
    seen(("Winter", "1"))
    gallery.media("searches", "save", "good", "is:favourite")
    seen(("Winter", "1"), ("good", "0"))
    page.focus(".side a:has-text('good')")
    gallery.media("album", "rename", "Winter", "Frost")
    gallery.media("album", "create", "Summer")
    seen(("Frost", "1"), ("Summer", "0"), ("good", "0"))
    assert page.evaluate("document.activeElement.innerText") == "good"
    gallery.media("searches", "delete", "good")
    gallery.media("album", "delete", "Frost")
    seen(("Summer", "0"))
    gallery.media("album", "delete", "Summer")
    page.wait_for_selector(".places.side", state="hidden")
    until(page, "document.querySelector('.feed').getBoundingClientRect().left < 20")


def test_a_drop_on_an_album_that_is_gone_makes_none(page, gallery, album):
    page.route("**/api/places", lambda route: route.abort())
    show(page, gallery)
    gallery.media("album", "rename", "Summer", "Autumn")
    first = focus_first(page)
    page.keyboard.press("x")
    drag(page, first, ".places li:has-text('Summer')")
    page.wait_for_selector(".toast:has-text('the album \"Summer\" is not there any more')")
    assert "Summer" not in gallery.media("album", "list") and found(gallery, "in:Autumn") == []


def test_a_drag_whose_target_leaves_moves_nothing(page, gallery, album):
    show(page, gallery, ALBUM)
    eventually(lambda: cells(page), album)
    change = lambda *words: lambda: (gallery.media("album", *words), page.wait_for_selector(f"#post-{album[1]}", state="detached"))
    drag(page, album[5], f"#post-{album[1]}", hold=change("remove", "Winter", album[1]))
    page.wait_for_selector(".toast:has-text('Not moved: the post beside it is not there any more')")
    eventually(lambda: held(gallery), [album[0], *album[2:]])
    gallery.media("album", "add", "Winter", album[1])
    page.wait_for_selector(f"#post-{album[1]}")
    drag(page, album[5], f"#post-{album[1]}", hold=change("rename", "Winter", "Frost"))
    page.wait_for_selector(".toast:has-text('Not moved: the album \"Winter\" is not there any more')")
    # The list says so, too.
    page.wait_for_selector("#mistake:has-text('there is no album \"Winter\"')")


@pytest.fixture
def long_album(gallery):
    """An album that is longer than the screen."""
    order = [post["id"] for post in gallery.posts("--limit", 60)]
    gallery.media("album", "create", "Winter")
    gallery.media("album", "add", "Winter", *order)
    return order


@pytest.mark.parametrize("page", [{}, {"viewport": {"width": 390, "height": 800}}], indirect=True, ids=["wide", "narrow"])
def test_what_moves_in_an_album_is_not_new(page, gallery, long_album):
    show(page, gallery, ALBUM)
    still = lambda: (page.evaluate("scrollY"), page.locator(".chip:visible").count())
    first = focus_first(page)
    page.keyboard.press("ArrowRight")
    second = focused(page)
    before = still()
    page.keyboard.press("Alt+Home")
    eventually(lambda: cells(page)[:2], [second, first])
    page.keyboard.press("u")
    eventually(lambda: cells(page)[:2], [first, second])
    gallery.media("album", "move", "Winter", first)
    eventually(lambda: cells(page)[0], second)
    gallery.media("album", "move", "Winter", first, "--before", second)
    eventually(lambda: cells(page)[:2], [first, second])
    gallery.media("album", "move", "Winter", long_album[-1], "--before", first)
    eventually(lambda: cells(page)[0], long_album[-1])
    page.wait_for_timeout(300)
    assert still() == before
    # Further down, what is read stays where it is, also when the first post that is seen moves away.
    scroll(page, 900)
    post, at = first_seen(page)
    gallery.media("album", "move", "Winter", post)
    until(page, f"!(document.querySelector('#post-{post}')?.getBoundingClientRect().top < innerHeight)")
    page.wait_for_timeout(300)
    assert abs(first_seen(page)[1] - at) < 2 and page.locator(".chip:visible").count() == 0


@pytest.mark.parametrize("page", [{"viewport": {"width": 390, "height": 800}}], indirect=True)
def test_the_side_list_is_folded_on_a_narrow_screen(page, gallery, album):
    show(page, gallery)
    assert not page.evaluate("document.querySelector('.places').open")
    page.click(".places summary")
    page.wait_for_selector(".places a:has-text('Winter')")
    page.mouse.click(100, 700)
    until(page, "!document.querySelector('.places').open")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("page", [{}, {"viewport": {"width": 390, "height": 800}, "has_touch": True}], indirect=True, ids=["wide", "narrow"])
def test_axe_finds_nothing_in_an_album(page, gallery, album, scheme):
    from axe_playwright_python.sync_playwright import Axe

    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    for view in ["", "&view=list"]:
        show(page, gallery, ALBUM + view)
        if not page.evaluate("document.querySelector('.places').open"):
            page.click(".places summary")
        eventually(lambda: page.inner_text(".places li:has-text('Winter') .soft"), "8")
        violations = Axe().run(page).response["violations"]
        assert not violations, [(found["id"], [node["html"][:200] for node in found["nodes"][:3]]) for found in violations]
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
