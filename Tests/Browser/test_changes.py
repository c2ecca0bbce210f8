"""What is changed in the viewer, on a post's page and in a list: one order of undo, what others change meanwhile, and hiding."""

import json

import pytest
from test_lists import count, show
from test_marks import focus_first, found, noted, signs
from waiting import eventually, until


def said(page):
    return page.inner_text(".viewer .said")


def star(page):
    """Whether the post that is shown whole is a favourite."""
    return page.get_attribute(".marks button:has-text('Favourite') >> visible=true", "aria-pressed") == "true"


def open_viewer(page):
    page.keyboard.press("Enter")
    page.wait_for_selector(".viewer[open] .marks button")


def leave_viewer(page):
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog.viewer", state="hidden")


def test_the_viewer_and_its_list_have_one_order_of_undo(page, gallery):
    show(page, gallery)
    first = focus_first(page)
    page.keyboard.press("*")
    eventually(lambda: signs(page, first), "★")
    page.keyboard.press("l")
    second = page.evaluate("Number(document.activeElement.closest('.cell').id.slice(5))")
    assert second != first
    open_viewer(page)
    page.keyboard.press("4")
    eventually(lambda: found(gallery, "rating:4"), [second])
    leave_viewer(page)
    page.keyboard.press("u")
    eventually(lambda: found(gallery, "rating:4"), [])
    assert found(gallery, "is:favourite") == [first]
    # And the other way round: the viewer takes back what was done in the list.
    open_viewer(page)
    page.keyboard.press("u")
    eventually(lambda: found(gallery, "is:favourite"), [])
    page.keyboard.press("d")
    eventually(lambda: found(gallery, "is:deleted"), [second])
    leave_viewer(page)
    page.keyboard.press("u")
    eventually(lambda: found(gallery, "is:deleted"), [])
    page.keyboard.press("u")
    page.wait_for_selector(".toast:has-text('Nothing to undo')")


@pytest.mark.parametrize("page", [{"viewport": {"width": 390, "height": 800}, "has_touch": True}], indirect=True)
def test_fingers_undo_what_was_done_in_the_viewer(page, gallery):
    show(page, gallery)
    page.locator(".cell a").first.tap()
    page.wait_for_selector(".viewer[open] .marks button", state="attached")
    page.tap(".viewer .tools .text")
    page.tap(".viewer .marks button:has-text('Favourite')")
    eventually(lambda: len(found(gallery, "is:favourite")), 1)
    assert said(page).startswith("★ Favourite")
    page.tap(".said button:has-text('Undo')")
    eventually(lambda: found(gallery, "is:favourite"), [])
    eventually(lambda: said(page), "Undone")
    # The keys are still the viewer's.
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog.viewer", state="hidden")


def test_what_somebody_changed_since_is_not_said_to_be_undone(page, gallery):
    show(page, gallery)
    first = focus_first(page)
    page.keyboard.press("5")
    eventually(lambda: signs(page, first), "5/5")
    gallery.media("mark", first, "--rating", 2)
    eventually(lambda: signs(page, first), "2/5")
    page.keyboard.press("u")
    page.wait_for_selector(".toast:has-text('Not undone: it was changed again since')")
    assert found(gallery, "rating:2") == [first]
    # Of several posts, some may be as they were.
    page.keyboard.press("Shift+ArrowRight")
    page.wait_for_selector(".selectbar:has-text('2 posts')")
    page.keyboard.press("3")
    eventually(lambda: len(found(gallery, "rating:3")), 2)
    gallery.media("mark", first, "--rating", 1)
    page.keyboard.press("u")
    page.wait_for_selector(".toast:has-text('Undone, but for what was changed again since')")
    eventually(lambda: found(gallery, "rating:>0"), [first])


def test_a_tag_is_hidden_and_shown_again_in_the_viewer(page, gallery):
    gallery.media("mark", gallery.posts("--limit", 1)[0]["id"], "--favourite")
    show(page, gallery, "/?q=is:favourite")
    post = focus_first(page)
    tag = gallery.posts("--limit", 1)[0]["tags"][0]
    open_viewer(page)
    panel = page.locator(".viewer .panel")
    panel.locator(".hiding summary").click()
    panel.locator(f"button:has-text('Hide #{tag}')").click()
    panel.locator(f".state:has-text('Hidden with #{tag}: lists leave it out.')").wait_for()
    assert said(page).startswith("Hidden")
    assert hidden(gallery) == [f"tag:{tag}"]
    page.keyboard.press("u")
    panel.locator(".state").wait_for(state="detached")
    assert hidden(gallery) == []
    panel.locator(".hiding summary").click()
    panel.locator(f"button:has-text('Hide #{tag}')").click()
    panel.locator(".state").wait_for()
    panel.locator(".hiding summary").click()
    panel.locator(f"button:has-text('Show #{tag} again')").click()
    panel.locator(".state").wait_for(state="detached")
    assert hidden(gallery) == [] and page.url.split("?")[0].endswith(f"/post/{post}")
    # Without a list, too.
    gallery.media("hide", f"tag:{tag}")
    page.goto(f"{gallery.url}/post/{post}")
    assert page.locator("main .state").inner_text() == f"Hidden with #{tag}: lists leave it out."
    page.click("main .hiding summary")
    page.click(f"main button:has-text('Show #{tag} again')")
    page.wait_for_url("**/hidden")
    assert hidden(gallery) == []


def hidden(gallery):
    """The hidden authors and tags."""
    return [json.loads(line)["name"] for line in gallery.media("hidden", "--json").splitlines()]


@pytest.mark.parametrize("isOver", [True, False], ids=["viewer", "page"])
def test_marks_that_others_set_are_shown_where_a_post_is_whole(page, gallery, isOver):
    show(page, gallery)
    post = focus_first(page)
    if isOver:
        open_viewer(page)
    else:
        page.goto(f"{gallery.url}/post/{post}")
        page.wait_for_selector(".marks button")
        page.wait_for_timeout(500)
    where = ".viewer" if isOver else "main"
    gallery.media("mark", post, "--favourite", "--tag", "boat")
    eventually(lambda: star(page), True)
    page.wait_for_selector(f"{where} .chips a:has-text('+boat')")
    page.keyboard.press("*")
    eventually(lambda: star(page), False)
    assert found(gallery, "is:favourite") == []
    # Never over what is typed.
    note = page.locator(f"{where} .marks textarea")
    note.click()
    page.keyboard.type("Mine")
    eventually(lambda: noted(gallery, post), "Mine")
    gallery.media("mark", post, "--note", "Theirs", "--favourite")
    eventually(lambda: star(page), True)
    assert note.input_value() == "Mine"
    # Who typed nothing since sees it once the field is left.
    page.locator(f"{where} [aria-label='Another tag']").focus()
    eventually(note.input_value, "Theirs")
    assert noted(gallery, post) == "Theirs"


def test_what_was_so_before_is_said_on_a_post(page, gallery):
    show(page, gallery)
    post = focus_first(page)
    gallery.media("mark", post, "--rating", 3)
    open_viewer(page)
    page.keyboard.press("3")
    eventually(lambda: said(page), "It was so before")


def test_a_range_is_selected_beyond_what_is_in_memory(page, gallery):
    selected = lambda: page.inner_text(".selectbar span") if page.locator(".selectbar").count() else ""
    show(page, gallery)
    first = focus_first(page)
    page.keyboard.press("x")
    eventually(selected, "1 post")
    page.keyboard.press("End")
    until(page, "id => !document.querySelector(`#post-${id}`)", first)
    last = gallery.posts("--limit", 1000)[-1]["id"]
    until(page, "id => document.activeElement?.id === `post-${id}` || document.activeElement?.closest('.cell')?.id === `post-${id}`", last)
    page.click(f"#post-{last}", modifiers=["Shift"])
    eventually(selected, "400 posts")
    # What is not in memory may be a favourite as well.
    gallery.media("mark", first, last, "--favourite")
    page.keyboard.press("Escape")
    eventually(selected, "")
    eventually(lambda: signs(page, last), "★")
    page.keyboard.press("x")
    page.keyboard.press("Home")
    until(page, "id => document.querySelector(`#post-${id}`)", first)
    page.click(f"#post-{first}", modifiers=["Control"])
    eventually(selected, "2 posts")
    page.keyboard.press("*")
    eventually(lambda: found(gallery, "is:favourite"), [])
    page.wait_for_selector(".toast:has-text('No favourite any more: 2 posts')")
    # Without an answer nothing is selected, and that is said.
    page.keyboard.press("Escape")
    page.keyboard.press("x")
    page.keyboard.press("End")
    until(page, "id => !document.querySelector(`#post-${id}`) && document.activeElement?.closest('.cell')", first)
    page.route("**/api/ids?*", lambda route: route.abort())
    page.click(f"#post-{last}", modifiers=["Shift"])
    page.wait_for_selector(".toast:has-text('Not selected')")
    assert selected() == "1 post"


def test_a_search_that_is_replaced_is_said_to_be(page, gallery):
    gallery.media("searches", "save", "Good", "rating:5")
    show(page, gallery, "/?q=tag:demo")
    page.click(".terms button")
    page.wait_for_selector("dialog[open] input:focus")
    page.keyboard.type("good")
    page.keyboard.press("Enter")
    page.wait_for_selector(".toast:has-text('Replaced Good')")
    page.click(".toast button")
    eventually(lambda: len(found(gallery, "saved:good")), 0)


def test_an_album_and_a_saved_search_are_called_by_their_names(page, gallery):
    posts = [post["id"] for post in gallery.posts("--limit", 2)]
    gallery.media("album", "create", "Winter")
    gallery.media("album", "add", "Winter", *posts)
    gallery.media("searches", "save", "good", "tag:demo")
    heading = lambda: (page.inner_text(".listbar h1"), page.title().split(" · ")[0])
    show(page, gallery, "/?q=in:winter")
    assert heading() == ("Winter", "Winter")
    page.click(".places a:has-text('good')")
    page.wait_for_selector(".listbar h1:has-text('good')")
    assert heading() == ("good", "good")
    page.keyboard.press("/")
    page.fill("[name=q]", "in:winter")
    page.keyboard.press("Enter")
    eventually(lambda: count(page), "2 posts")
    eventually(heading, ("Winter", "Winter"))
    page.fill("[name=q]", "tag:demo")
    page.keyboard.press("Enter")
    eventually(heading, ("All posts", "tag:demo"))
