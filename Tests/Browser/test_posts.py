"""A post: its page, and the viewer over the list."""

import re

from waiting import until

SHOW = """([id, query]) => import("/assets/post.js").then(module => module.showPost(id, {
  query, closed: last => { window.lastShown = last; },
}))"""


def show(page, gallery, post, query=""):
    """Opens a post over a list, as the list does."""
    page.goto(f"{gallery.url}/?{query}")
    page.evaluate(SHOW, [post, query])
    # On a phone the text is folded away at first.
    page.wait_for_selector("dialog.viewer[open] .panel header", state="attached")


def shown(page):
    """The number of the post in the viewer."""
    return int(re.search(r"/post/(\d+)", page.url).group(1))


def press(page, key, expression, argument=None):
    page.keyboard.press(key)
    until(page, expression, argument)


def test_a_list_that_follows_along_is_asked_for_the_next_post(page, gallery):
    ids = [post["id"] for post in gallery.posts()][:4]
    page.evaluate("""ids => import("/assets/post.js").then(module => module.showPost(ids[0], {
      next: async id => ids[ids.indexOf(id) + 2], delete: async id => { window.gone = id; }, closed: () => {},
    }))""", ids)
    page.wait_for_selector("dialog.viewer[open] .panel header")
    press(page, "j", "id => location.pathname === `/post/${id}`", ids[2])
    # A post is not deleted before it is seen.
    until(page, "id => document.querySelector('.panel a[href$=\"/raw\"]')?.pathname === `/post/${id}/raw`", ids[2])
    until(page, "document.querySelector('.said').textContent !== ''")
    page.keyboard.press("d")
    until(page, "id => window.gone === id", ids[2])


def width(page):
    return page.evaluate("document.querySelector('.frame').getBoundingClientRect().width")


def with_pictures(gallery, count, *arguments):
    """The number of a post with so many pictures, or more."""
    return next(post["id"] for post in gallery.posts(*arguments) if len(post["attachments"]) >= count)


def test_the_keys_go_through_the_list_and_back_closes_the_viewer(page, gallery):
    ids = [post["id"] for post in gallery.posts("--tag", "demo")][:3]
    show(page, gallery, ids[0], "tag=demo")
    assert page.evaluate("document.activeElement.closest('dialog') != null")
    press(page, "j", "id => location.pathname === `/post/${id}`", ids[1])
    page.wait_for_selector(".look > .previous:not(.hidden)")
    press(page, "ArrowRight", "id => location.pathname === `/post/${id}`", ids[2])
    page.wait_for_selector(".look > .previous:not(.hidden)")
    press(page, "k", "id => location.pathname === `/post/${id}`", ids[1])
    assert page.url.endswith("?tag=demo")
    page.go_back()
    page.wait_for_selector("dialog.viewer", state="hidden")
    assert page.evaluate("window.lastShown") == ids[1]
    assert page.url == f"{gallery.url}/?tag=demo"
    page.go_forward()
    page.wait_for_selector("dialog.viewer[open]")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog.viewer", state="hidden")


def test_a_picture_is_zoomed_to_its_pixels_and_dragged(page, gallery):
    post = with_pictures(gallery, 1)
    show(page, gallery, post)
    page.wait_for_selector(".frame.loaded")
    # That of the original: what is shown first is smaller.
    size = next(one for one in gallery.posts() if one["id"] == post)["attachments"][0]["width"]
    fitted = width(page)
    page.keyboard.press("z")
    page.wait_for_selector(".viewport.zoomed")
    assert abs(width(page) - size) < 2
    before = page.evaluate("document.querySelector('.frame').getBoundingClientRect().x")
    page.mouse.move(400, 400)
    page.mouse.down()
    page.mouse.move(360, 400, steps=4)
    page.mouse.up()
    assert page.evaluate("document.querySelector('.frame').getBoundingClientRect().x") <= before
    page.keyboard.press("0")
    assert width(page) == fitted
    page.keyboard.press("+")
    assert width(page) > fitted
    page.keyboard.press("-")
    page.mouse.dblclick(400, 400)
    page.wait_for_selector(".viewport.zoomed")


def test_a_key_of_the_list_shows_the_first_picture_at_full_size(page, gallery):
    post = with_pictures(gallery, 2, "--limit", 100)
    page.goto(f"{gallery.url}/?at={post}")
    page.focus(f"#post-{post}")
    page.keyboard.press("z")
    page.wait_for_selector(".viewport.zoomed .frame.loaded")
    assert page.inner_text(".viewer .count").startswith("1 of ")


def test_the_pictures_of_a_post_are_reached_by_keys_and_by_tab(page, gallery):
    show(page, gallery, with_pictures(gallery, 2))
    assert page.locator(".strip button").count() >= 2
    first = page.locator(".frame img").get_attribute("alt")
    page.keyboard.press("l")
    assert page.locator(".count").inner_text().startswith("2 of")
    page.keyboard.press("h")
    assert page.locator(".frame img").get_attribute("alt") == first
    page.locator(".strip button").nth(1).press("Space")
    assert page.locator(".strip button").nth(1).get_attribute("aria-current") == "true"


def test_a_warning_is_blurred_until_enter(page, gallery):
    post = next(post["id"] for post in gallery.posts() if post["warning"])
    show(page, gallery, post)
    assert page.locator("dialog.veiled").count() == 1
    assert page.locator(".panel .caption").count() == 0
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog.viewer:not(.veiled)")
    assert page.locator(".panel .caption").count() == 1


def test_a_deleted_post_makes_way_for_the_next_and_u_brings_it_back(page, gallery):
    ids = [post["id"] for post in gallery.posts()][:2]
    show(page, gallery, ids[0])
    press(page, "d", "id => location.pathname === `/post/${id}`", ids[1])
    assert ids[0] not in [post["id"] for post in gallery.posts()]
    press(page, "u", "id => location.pathname === `/post/${id}`", ids[0])
    until(page, "document.querySelector('.said').textContent === 'Restored'")
    assert ids[0] in [post["id"] for post in gallery.posts()]


def test_a_swipe_goes_to_the_next_post(chromium, gallery):
    ids = [post["id"] for post in gallery.posts()][:2]
    context = chromium.new_context(viewport={"width": 360, "height": 740}, has_touch=True)
    page = context.new_page()
    page.goto(gallery.start())
    show(page, gallery, ids[0])
    client = context.new_cdp_session(page)
    def touch(kind, points):
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})
    touch("touchStart", [(300, 300)])
    for x in (250, 200, 150, 120):
        touch("touchMove", [(x, 302)])
    touch("touchEnd", [])
    until(page, "id => location.pathname === `/post/${id}`", ids[1])
    page.wait_for_selector(".frame.loaded")
    fitted = width(page)
    touch("touchStart", [(150, 300), (200, 300)])
    touch("touchMove", [(100, 300), (250, 300)])
    touch("touchEnd", [])
    assert width(page) > 2 * fitted
    assert page.evaluate("document.querySelector('dialog').scrollWidth") <= 360
    context.close()


def test_the_words_in_a_picture_are_framed_where_they_stand(page, gallery):
    page.goto("about:blank")
    page.set_content("<h1 style='position: absolute; left: 20%; top: 30%; margin: 0; font: 40px sans-serif'>NORTHERN COAST</h1>")
    rectangle = "element => element.getBoundingClientRect().toJSON()"
    heading, size = page.eval_on_selector("h1", rectangle), page.viewport_size
    picture = gallery.folder / "sign.png"
    page.screenshot(path=picture)
    gallery.media("add", "a sign", "--attach", picture)
    sign = gallery.posts()[0]["id"]
    gallery.media("look", "--only", "text", "sign")
    show(page, gallery, sign)
    page.wait_for_selector(".frame.loaded")
    box = page.locator(".frame .box")
    assert box.get_attribute("title") == "NORTHERN COAST" and not box.is_visible()
    press(page, "t", "document.querySelector('.frame .box').checkVisibility()")
    frame, found = [page.eval_on_selector(name, rectangle) for name in (".frame", ".frame .box")]
    across = (found["left"] + found["width"] / 2 - frame["left"]) / frame["width"] * size["width"]
    down = (found["top"] + found["height"] / 2 - frame["top"]) / frame["height"] * size["height"]
    assert heading["left"] < across < heading["right"] and heading["top"] < down < heading["bottom"]
    page.click(".tools .words")
    assert not box.is_visible()


def test_a_picture_that_cannot_be_drawn_says_why(page, gallery):
    broken = gallery.folder / "broken.png"
    broken.write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x04\x00\x00\x00\x03" + b"\7" * 100)
    gallery.media("add", "broken", "--attach", broken)
    show(page, gallery, gallery.posts()[0]["id"])
    page.wait_for_selector(".viewport .absent")
    assert page.locator(".viewport .absent").inner_text() != ""


def test_a_page_opened_by_its_address_has_the_viewer_too(page, gallery):
    post = with_pictures(gallery, 1)
    page.goto(f"{gallery.url}/post/{post}")
    page.locator("a.open").first.click()
    page.wait_for_selector("dialog.viewer[open] .panel header")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog.viewer", state="hidden")
    assert page.evaluate("document.activeElement.className") == "open"
    assert shown(page) == post


def test_a_page_without_script_shows_all_of_a_post(chromium, gallery, page):
    context = chromium.new_context(java_script_enabled=False, storage_state=page.context.storage_state())
    plain = context.new_page()
    plain.goto(f"{gallery.url}/post/{with_pictures(gallery, 2)}?tag=demo")
    assert plain.locator("figure").count() >= 2
    # What a button does must not need a script.
    assert plain.locator("main button:not(form[action] button)").count() == 0
    plain.locator("a[rel=next]").click()
    assert shown(plain) > 0 and plain.url.endswith("?tag=demo")
    plain.locator("a.back").click()
    assert "tag=demo" in plain.url and "at=" in plain.url
    context.close()


def test_texts_full_of_script_do_nothing(page, gallery):
    evil = "<img src=x onerror=alert(1)><script>alert(1)</script> https://a.example/?<b>"
    gallery.media("add", evil, "--title", evil)
    dialogs = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    show(page, gallery, gallery.posts()[0]["id"])
    assert page.locator(".panel .caption").inner_text() == evil
    assert page.locator(".panel script, .panel .caption img, .panel b").count() == 0
    link = page.locator(".panel .caption a")
    assert link.get_attribute("href") == "https://a.example/" and link.get_attribute("rel") == "noopener noreferrer"
    assert not dialogs
