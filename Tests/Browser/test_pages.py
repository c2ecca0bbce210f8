"""Every page: no violation of WCAG AA in either scheme, and nothing wider than a phone."""

import base64
from urllib.parse import parse_qs, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe

# Those of lists are in test_lists.py.
ADDRESSES = [
    "/post/1", "/tags", "/authors", "/calendar", "/map", "/status", "/statistics", "/feeds", "/pull", "/login", "/add", "/nowhere",
]
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}


def test_the_bar_shows_every_page_and_marks_the_present_one(page, gallery):
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(gallery.url)
    links = page.eval_on_selector_all(".bar nav a", "all => all.map(link => link.href)")
    assert len(links) == 10
    for link in links:
        page.goto(link)
        assert page.eval_on_selector_all(".bar nav [aria-current=page]", "all => all.map(link => link.href)") == [link]
        for box in page.eval_on_selector_all(".bar nav a", "all => all.map(link => link.getBoundingClientRect().toJSON())"):
            assert box["left"] >= 0 and box["right"] <= 360


def test_a_feed_that_was_made_is_listed_at_once(page, gallery):
    page.goto(f"{gallery.url}/feeds")
    page.wait_for_selector("#made:has-text('None was made yet')")
    page.fill("#name", "My reader")
    page.click("button:has-text('Make an address')")
    page.wait_for_selector("#made td button")
    assert page.input_value("input[readonly] >> nth=0").startswith(gallery.url)
    page.click("button[aria-label='Revoke My reader']")
    page.wait_for_selector("#made:has-text('None was made yet')")


def test_a_phone_has_one_row_of_pages_and_the_rest_behind_it(page, gallery):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{gallery.url}/tags")
    shown = page.eval_on_selector_all(".bar nav > a, .bar .more", "all => all.map(link => link.getBoundingClientRect().toJSON())")
    assert len(shown) == 6 and len({box["top"] for box in shown}) == 1
    assert all(box["width"] >= 44 and box["height"] >= 44 and box["bottom"] <= 844 for box in shown)
    page.get_by_role("button", name="More").click()
    assert page.locator("#more .library").inner_text() == "library"
    page.get_by_role("link", name="Status").click()
    page.wait_for_url("**/status")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violation(page, gallery, scheme):
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    found = []
    for address in ADDRESSES:
        page.goto(gallery.url + address)
        page.wait_for_selector("main")
        violations = Axe().run(page, options=RULES).response["violations"]
        found += [f"{address}: {violation['id']}: {violation['nodes'][0]['html']}" for violation in violations]
    assert not found, "\n".join(found)


# A phone, and a screen of 1280 pixels at 200 %.
@pytest.mark.parametrize("width, height", [(360, 740), (640, 400)])
def test_no_page_is_wider_than_the_screen(page, gallery, width, height):
    page.set_viewport_size({"width": width, "height": height})
    for address in ["/", "/?view=list", "/help", *ADDRESSES]:
        page.goto(gallery.url + address)
        page.wait_for_selector("main")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, address


def test_a_narrow_screen_keeps_what_belongs_together_on_one_line_and_inside_its_card(page, gallery):
    page.set_viewport_size({"width": 360, "height": 740})
    box = "box => box.getBoundingClientRect().toJSON()"
    page.goto(gallery.url + "/status")
    card = page.eval_on_selector(".card:has(.space)", box)
    for cell in page.eval_on_selector_all(".space :is(th, td)", f"all => all.map({box})"):
        assert card["left"] <= cell["left"] and cell["right"] <= card["right"]
    page.goto(gallery.url + "/calendar?month=2026-11")
    assert len({step["y"] for step in page.eval_on_selector_all(".steps > a", f"all => all.map({box})")}) == 1
    page.goto(gallery.url + "/statistics")
    assert page.eval_on_selector("#from", box)["y"] == page.eval_on_selector("#to", box)["y"]


# A grey picture, with a place in Munich.
PLACED = (
    "/9j/4AAQSkZJRgABAQAAAQABAAD/4QCaRXhpZgAASUkqAAgAAAACADsBAgAFAAAAJgAAACWIBAABAAAALAAAAAAAAABBbm5hAAAEAAEAAgACAAAA"
    "TgAAAAIABQADAAAAYgAAAAMAAgACAAAARQAAAAQABQADAAAAegAAAAAAAAAwAAAAAQAAAAgAAAABAAAAAAAAAAEAAAALAAAAAQAAACIAAAABAAAA"
    "AAAAAAEAAAD/2wBDACgcHiMeGSgjISMtKygwPGRBPDc3PHtYXUlkkYCZlo+AjIqgtObDoKrarYqMyP/L2u71////m8H////6/+b9//j/wAALCAAI"
    "AAgBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAv/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AL//Z")


def test_the_map_moves_by_keys_and_leads_to_posts(page, gallery):
    picture = gallery.folder / "placed.jpg"
    picture.write_bytes(base64.b64decode(PLACED))
    gallery.media("add", "in the park", "--attach", picture)
    gallery.media("look", "--only", "facts", "park")
    page.goto(f"{gallery.url}/map")
    page.keyboard.press("+")
    page.wait_for_url("**/map?zoom=1*")
    # The arrows are the map's while it has the focus, as it has at first.
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**/map?zoom=1&at=0.0,90.0")
    page.keyboard.press("0")
    page.wait_for_url("**/map")
    assert page.locator("svg a title").all_text_contents() == ["Munich, DE: 1 file"]
    page.locator("svg a").click()
    page.wait_for_url("**/?q=near*")
    found = gallery.posts(parse_qs(urlsplit(page.url).query)["q"][0])
    assert [post["caption"] for post in found] == ["in the park"]
