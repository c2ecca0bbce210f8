# Filters in the field of a list, in a real browser.

import pytest
from test_lists import count, ids, show
from waiting import eventually, until

FIELD = "document.querySelector('[name=q]')"


def value(page):
    return page.input_value("[name=q]")


def chosen(page):
    """The offer that assistive technology is told of."""
    return page.evaluate(f"document.getElementById({FIELD}.getAttribute('aria-activedescendant'))?.querySelector('bdi').textContent ?? null")


def is_open(page):
    return page.get_attribute("[name=q]", "aria-expanded") == "true" and page.is_visible("#offers")


def terms(page):
    return page.eval_on_selector_all(".terms a", "links => links.map(link => link.textContent)")


def test_a_filter_is_completed_by_keys(page, gallery):
    show(page, gallery)
    page.keyboard.press("/")
    page.keyboard.type("kin")
    page.wait_for_selector("#offers [role=option]")
    assert is_open(page) and chosen(page) is None
    page.keyboard.press("ArrowDown")
    assert chosen(page) == "kind:"
    # Escape takes the offers away, and nothing else.
    page.keyboard.press("Escape")
    assert not is_open(page) and value(page) == "kin"
    page.keyboard.press("ArrowDown")
    page.wait_for_selector("#offers [role=option]")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert value(page) == "kind:"
    page.wait_for_selector("#offers [role=option]:has-text('kind:video')")
    page.keyboard.press("ArrowUp")
    assert chosen(page) == "kind:video"
    page.keyboard.press("Tab")
    assert value(page) == "kind:video" and page.evaluate(f"document.activeElement === {FIELD}")
    eventually(lambda: terms(page), ["kind:video"])
    until(page, "location.search.includes('q=kind:video')")
    expected = len(gallery.posts("--limit", 1000, "kind:video"))
    eventually(lambda: count(page), f"{expected} post{'' if expected == 1 else 's'}")
    page.keyboard.press("Enter")
    until(page, f"document.activeElement !== {FIELD}")


def test_names_of_the_library_are_offered_to_a_click(page, gallery):
    show(page, gallery)
    page.fill("[name=q]", "-tag:dem")
    page.click("#offers [role=option]:has-text('tag:demo')")
    assert value(page) == "-tag:demo" and page.evaluate(f"document.activeElement === {FIELD}")
    page.wait_for_selector(".empty:has-text('Nothing matches')")
    eventually(lambda: terms(page), ["-tag:demo"])
    page.click(".terms a")
    eventually(lambda: count(page), "400 posts")
    assert value(page) == "" and terms(page) == []


def test_a_mistake_is_said_and_the_list_stays(page, gallery):
    show(page, gallery)
    page.keyboard.press("/")
    page.keyboard.type("tagg:demo x")
    page.wait_for_selector("#mistake:has-text('did you mean tag:?')")
    assert page.get_attribute("[name=q]", "aria-invalid") == "true" and count(page) == "400 posts"
    page.keyboard.press("Enter")
    page.wait_for_timeout(300)
    assert page.evaluate(f"document.activeElement === {FIELD}") and count(page) == "400 posts"
    page.fill("[name=q]", "tag:demo kind:")
    until(page, "document.getElementById('mistake').textContent === ''")
    eventually(lambda: terms(page), ["tag:demo"])
    # What is not finished is a mistake once it is sent.
    page.keyboard.press("Enter")
    page.wait_for_selector("#mistake:has-text('the key kind has no value')")
    assert page.get_attribute("[name=q]", "aria-invalid") == "true"


def test_a_name_that_is_not_there_is_said_once_it_is_typed(page, gallery):
    gallery.media("album", "create", "Winter")
    show(page, gallery)
    said = lambda: page.inner_text("#mistake")
    page.keyboard.press("/")
    page.keyboard.type("in:Winte")
    eventually(lambda: count(page), "0 posts")
    assert said() == ""
    page.keyboard.press("Enter")
    page.wait_for_selector("#mistake:has-text('there is no album \"Winte\": did you mean \"Winter\"?')")
    assert page.evaluate(f"document.activeElement === {FIELD}")
    page.fill("[name=q]", "in:Winter")
    eventually(said, "")
    page.fill("[name=q]", "saved:good ")
    page.wait_for_selector("#mistake:has-text('there is no saved search \"good\"')")
    page.goto(f"{gallery.url}/?q=in:Winte")
    page.wait_for_selector("#mistake:has-text('there is no album')")
    # It is there from now on.
    page.wait_for_timeout(400)
    gallery.media("album", "create", "Winte")
    eventually(said, "")


def test_without_scripts_the_field_is_a_form_and_the_terms_are_links(chromium, context, page, gallery):
    plain = chromium.new_context(java_script_enabled=False, storage_state=context.storage_state())
    try:
        still = plain.new_page()
        still.goto(gallery.url)
        still.fill("[name=q]", "tag:demo -kind:video")
        still.press("[name=q]", "Enter")
        assert terms(page) == [] and still.locator(".terms a").all_inner_texts() == ["tag:demo", "-kind:video"]
        still.click(".terms a:has-text('kind:video')")
        assert still.url.endswith("/?q=tag:demo") and still.locator(".terms a").count() == 1
        still.fill("[name=q]", "kind:vidoe")
        still.press("[name=q]", "Enter")
        assert still.inner_text("#mistake") == 'kind: knows no "vidoe": did you mean kind:video?'
    finally:
        plain.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_offers_terms_and_a_mistake(page, gallery, scheme):
    from axe_playwright_python.sync_playwright import Axe

    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    show(page, gallery, "/?q=tag:demo")
    page.fill("[name=q]", "tag:demo tagg:x s")
    page.wait_for_selector("#mistake:has-text('tagg')")
    page.wait_for_selector("#offers [role=option]")
    page.keyboard.press("ArrowDown")
    found = Axe().run(page).response["violations"]
    assert not found, [(f["id"], [n["html"][:200] for n in f["nodes"][:3]]) for f in found]


def test_a_sorted_list_has_its_order_wherever_it_is_read(page, gallery):
    best = gallery.posts("--limit", 40)[30]["id"]
    gallery.media("mark", best, "--rating", "5")
    oldest = [post["id"] for post in gallery.posts("--limit", 1000, "sort:oldest")]
    show(page, gallery)
    page.fill("[name=q]", "sort:oldest")
    eventually(lambda: ids(page)[:5], oldest[:5])
    # A post of a sorted list belongs to no month, and the strip of months leads nowhere.
    assert page.locator(".feed .title").count() == 0 and page.locator(".scrubber:visible").count() == 0
    page.keyboard.press("Enter")
    page.keyboard.press("End")
    eventually(lambda: oldest[-1] in ids(page), True)
    rows = ids(page)
    assert rows == oldest[oldest.index(rows[0]):][:len(rows)]
    page.fill("[name=q]", "sort:rating")
    eventually(lambda: ids(page)[0], best)
    # What another program marks moves there by itself.
    newest = gallery.posts("--limit", 1)[0]["id"]
    gallery.media("mark", newest, "--rating", "5")
    eventually(lambda: set(ids(page)[:2]), {best, newest})
