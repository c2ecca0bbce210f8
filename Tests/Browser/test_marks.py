# Marking posts in a list and on their pages, in a real browser.

import pytest
from test_lists import count, show
from waiting import eventually, until


def focused(page):
    """The number of the post that has the focus."""
    return page.evaluate("Number(document.activeElement?.closest('.cell')?.id.slice('post-'.length) || 0)")


def signs(page, post):
    """What the tile of a post shows of its marks."""
    return page.evaluate("id => document.querySelector(`#post-${id} .marked`)?.textContent ?? ''", post)


def found(gallery, text):
    return [post["id"] for post in gallery.posts("--limit", 1000, text)]


def focus_first(page):
    page.keyboard.press("j")
    until(page, "!!document.activeElement?.closest('.cell')")
    return focused(page)


def test_keys_mark_the_post_with_the_focus_and_undo_takes_it_back(page, gallery):
    show(page, gallery)
    first = focus_first(page)
    page.keyboard.press("*")
    eventually(lambda: signs(page, first), "★")
    page.keyboard.press("4")
    eventually(lambda: signs(page, first), "★ 4/5")
    page.keyboard.press("+")
    page.wait_for_selector("dialog[open] input:focus")
    page.keyboard.type("Boat")
    page.keyboard.press("Enter")
    eventually(lambda: signs(page, first), "★ 4/5 +boat")
    assert found(gallery, "is:favourite rating:4 own:boat") == [first]
    assert "favourite" in page.get_attribute(f"#post-{first}", "aria-label")
    page.click(".toast button")
    eventually(lambda: signs(page, first), "★ 4/5")
    page.keyboard.press("u")
    eventually(lambda: signs(page, first), "★")
    page.keyboard.press("n")
    until(page, "id => document.activeElement?.closest('.cell') && document.activeElement.closest('.cell').id !== `post-${id}`", first)
    eventually(lambda: found(gallery, "is:seen"), [first])
    assert count(page) == "400 posts"


def test_a_favourite_twice_at_once_is_none(page, gallery):
    show(page, gallery)
    first = focus_first(page)
    page.keyboard.press("*")
    page.keyboard.press("*")
    page.wait_for_selector(".toast:has-text('No favourite any more')")
    assert found(gallery, "is:favourite") == []
    for _ in range(3):
        page.keyboard.press("*")
    eventually(lambda: found(gallery, "is:favourite"), [first])
    page.wait_for_timeout(500)
    assert signs(page, first) == "★" and found(gallery, "is:favourite") == [first]


def test_keys_select_posts_and_put_them_into_an_album(page, gallery):
    show(page, gallery)
    selected = lambda: page.inner_text(".selectbar span") if page.locator(".selectbar").count() else ""
    first = focus_first(page)
    page.keyboard.press("x")
    eventually(selected, "1 post")
    page.keyboard.press("x")
    eventually(selected, "")
    page.keyboard.press("x")
    for _ in range(3):
        page.keyboard.press("l")
    page.keyboard.press("X")
    eventually(selected, "4 posts")
    page.keyboard.press("A")
    page.wait_for_selector("dialog[open] input:focus")
    page.keyboard.type("Winter")
    page.keyboard.press("Enter")
    page.wait_for_selector(".toast:has-text('Added to Winter: 4 posts')")
    assert len(found(gallery, "in:Winter")) == 4 and first in found(gallery, "in:Winter")
    # All of the list, whatever of it is in memory.
    page.keyboard.press("M")
    eventually(selected, "400 posts")
    page.keyboard.press("X")
    eventually(selected, "400 posts")
    page.keyboard.press("*")
    eventually(lambda: len(found(gallery, "is:favourite")), 400)
    page.keyboard.press("Escape")
    eventually(selected, "")
    page.goto(f"{gallery.url}/help")
    assert page.locator("tr:has(th:text-is('A'))").inner_text().endswith("add it to an album")


def test_selected_posts_go_into_a_new_album_which_the_list_leads_to(page, gallery):
    show(page, gallery)
    first = focus_first(page)
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    page.wait_for_selector(".selectbar:has-text('3 posts')")
    page.click(".selectbar button:has-text('Album')")
    page.wait_for_selector("dialog[open] input:focus")
    page.keyboard.type("Winter <b>\"24\"")
    page.keyboard.press("Enter")
    page.wait_for_selector(".toast:has-text('3 posts')")
    album = found(gallery, 'in:"Winter <b>\\"24\\""')
    assert len(album) == 3 and first in album
    # The selection stays for the next mark.
    page.click(".selectbar button[aria-label=Favourite]")
    eventually(lambda: sorted(found(gallery, "is:favourite")), sorted(album))
    show(page, gallery)
    page.click(".places a:has-text('Winter <b>')")
    eventually(lambda: count(page), "3 posts")
    page.click(".terms button")
    page.wait_for_selector("dialog[open] input:focus")
    page.keyboard.type("cold")
    page.keyboard.press("Enter")
    page.wait_for_selector(".toast:has-text('Saved as cold')")
    page.goto(f"{gallery.url}/?q=saved:cold")
    eventually(lambda: count(page), "3 posts")


def test_the_page_of_a_post_changes_its_marks(page, gallery):
    post = gallery.posts("--limit", 1)[0]["id"]
    page.goto(f"{gallery.url}/post/{post}")
    star = page.locator(".marks button:has-text('Favourite')")
    star.wait_for()
    assert star.get_attribute("aria-pressed") == "false"
    page.keyboard.press("*")
    eventually(lambda: star.get_attribute("aria-pressed"), "true")
    page.keyboard.press("3")
    eventually(lambda: page.locator(".rating input:checked").get_attribute("value"), "3")
    page.get_by_label("5", exact=True).check()
    eventually(lambda: found(gallery, "is:favourite rating:5"), [post])
    page.fill("[aria-label='Another tag']", "red boat")
    page.keyboard.press("Enter")
    page.wait_for_selector(".chips a:has-text('+red boat')")
    # A letter in a field is no key.
    page.keyboard.type("d")
    page.fill(".marks textarea", "Look again")
    page.locator(".marks textarea").blur()
    eventually(lambda: found(gallery, "has:note own:\"red boat\""), [post])
    page.click(".toast button")
    eventually(lambda: found(gallery, "has:note"), [])
    page.click(".chips button[aria-label='Remove +red boat']")
    eventually(lambda: found(gallery, "own:\"red boat\""), [])
    assert not gallery.posts("is:deleted")


def noted(gallery, post):
    return next(found["note"] for found in gallery.posts() if found["id"] == post)


def test_a_note_is_kept_while_it_is_typed_and_however_the_page_is_left(page, gallery):
    one, two, three = [post["id"] for post in gallery.posts("--limit", 3)]

    def write(page, post, text):
        page.goto(f"{gallery.url}/post/{post}")
        page.click(".marks textarea")
        page.keyboard.type(text)

    write(page, one, "Look")
    eventually(lambda: noted(gallery, one), "Look")
    page.keyboard.type(" again")
    page.locator(".marks textarea").blur()
    eventually(lambda: noted(gallery, one), "Look again")
    # What was typed at one time is undone at one time.
    page.click(".toast button:has-text('Undo')")
    eventually(lambda: noted(gallery, one), None)
    write(page, two, "Reloaded")
    page.reload()
    eventually(lambda: noted(gallery, two), "Reloaded")
    other = page.context.new_page()
    write(other, three, "Closed")
    other.close()
    eventually(lambda: noted(gallery, three), "Closed")


def test_a_note_that_the_server_did_not_get_stays_in_its_field_and_is_sent_with_the_next_key(page, gallery):
    post = gallery.posts("--limit", 1)[0]["id"]
    page.goto(f"{gallery.url}/post/{post}")
    page.click(".marks textarea")
    gallery.stop()
    page.keyboard.type("Look")
    page.locator(".marks textarea").blur()
    page.wait_for_selector(".actions [role=status]:has-text('Not marked: The gallery')")
    assert page.input_value(".marks textarea") == "Look"
    gallery.start()
    page.click(".marks textarea")
    page.keyboard.press("End")
    page.keyboard.type("!")
    eventually(lambda: noted(gallery, post), "Look!")


def test_a_selection_is_shared_as_an_album_of_its_own(page, gallery):
    gallery.media("album", "create", "Winter")
    show(page, gallery)
    first = focus_first(page)
    page.click(f"#post-{first}", modifiers=["Control"])
    page.click(".selectbar button:has-text('Share')")
    page.fill("dialog[open] input", "winter")
    page.keyboard.press("Enter")
    page.wait_for_selector(".toast:has-text('choose another name')")
    page.click(".selectbar button:has-text('Share')")
    page.fill("dialog[open] input", "To \"Ann\"")
    page.keyboard.press("Enter")
    page.wait_for_url("**/shares?**")
    assert page.input_value("[name=q]") == 'in:"To \\"Ann\\""'
    assert found(gallery, 'in:"To \\"Ann\\""') == [first]


def test_the_viewer_marks_without_losing_its_own_keys(page, gallery):
    show(page, gallery)
    first = focus_first(page)
    page.keyboard.press("Enter")
    page.wait_for_selector(".viewer[open] .marks button")
    page.keyboard.press("*")
    eventually(lambda: found(gallery, "is:favourite"), [first])
    page.keyboard.press("u")
    eventually(lambda: found(gallery, "is:favourite"), [])
    page.keyboard.press("n")
    eventually(lambda: found(gallery, "is:seen"), [first])
    until(page, f"!location.pathname.endsWith('/{first}')")
    # What is typed in a field there is no key of the viewer.
    page.wait_for_selector(".viewer[open] .panel .marks form input")
    page.fill(".viewer .marks form input >> nth=0", "j")
    page.keyboard.type("d")
    page.keyboard.press("Enter")
    eventually(lambda: len(found(gallery, "own:jd")), 1)
    assert not gallery.posts("is:deleted")


def test_a_gallery_for_reading_only_shows_no_marks(page, gallery):
    post = gallery.posts("--limit", 1)[0]["id"]
    gallery.media("mark", post, "--favourite", "--tag", "boat", "--note", "Look")
    gallery.stop()
    page.goto(gallery.start("--read-only"))
    show(page, gallery)
    assert signs(page, post) == ""
    focus_first(page)
    page.keyboard.press("*")
    page.goto(f"{gallery.url}/post/{post}")
    assert page.locator(".marks").count() == 0 and "boat" not in page.inner_text("main")
    assert found(gallery, "is:favourite") == [post]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("page", [{}, {"viewport": {"width": 390, "height": 800}}], indirect=True, ids=["wide", "narrow"])
def test_axe_finds_nothing_in_marks(page, gallery, scheme):
    from axe_playwright_python.sync_playwright import Axe

    posts = [post["id"] for post in gallery.posts("--limit", 3)]
    gallery.media("mark", *posts, "--favourite", "--rating", 4, "--tag", "boat", "--note", "Look")
    gallery.media("album", "create", "Winter")
    gallery.media("album", "add", "Winter", *posts)

    def check():
        violations = Axe().run(page).response["violations"]
        assert not violations, [(found["id"], [node["html"][:200] for node in found["nodes"][:3]]) for found in violations]
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    show(page, gallery, "/?q=is:favourite")
    focus_first(page)
    page.keyboard.press("Shift+ArrowRight")
    page.wait_for_selector(".selectbar")
    if not page.evaluate("document.querySelector('.places').open"):
        page.click(".places summary")
    check()
    page.click(".selectbar button:has-text('Album')")
    page.wait_for_selector("dialog[open] .menu button")
    check()
    page.goto(f"{gallery.url}/post/{posts[0]}")
    page.wait_for_selector(".chips a")
    check()


def test_a_list_says_how_many_posts_it_leaves_out_and_leads_to_them(page, gallery):
    show(page, gallery)
    link = page.locator("#hidden")
    assert not link.is_visible()
    first, second = (post["id"] for post in gallery.posts("--limit", 2))
    gallery.media("hide", first)
    eventually(lambda: link.inner_text(), "1 post hidden")
    page.keyboard.press("/")
    page.keyboard.type("tag:demo")
    page.keyboard.press("Enter")
    eventually(lambda: link.get_attribute("href"), "/?q=tag:demo%20is:hidden")
    gallery.media("hide", second)
    eventually(lambda: link.inner_text(), "2 posts hidden")
    link.click()
    eventually(lambda: count(page), "2 posts")
    gallery.media("unhide", first, second)
    eventually(lambda: count(page), "0 posts")
