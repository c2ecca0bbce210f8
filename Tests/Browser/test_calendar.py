"""The calendar of the gallery: a month, and a day's entries over the hours that they cover."""

from axe_playwright_python.sync_playwright import Axe
import pytest

from test_pages import RULES

DAY = "/calendar?day=2020-11-21"


@pytest.fixture
def planned(gallery):
    """A library with entries on a day, some at the same time. The made-up posts, of the last months, are none of that day."""
    for title, start, finish in [
        ("Trip to the sea", "2020-11-19T18:00", "2020-11-21T09:30"), ("Dentist", "2020-11-21T14:30", "2020-11-21T16:10"),
        ("Call", "2020-11-21T14:45", "2020-11-21T15:15"), ("שיעור ציור", "2020-11-21T20:00", "2020-11-22T00:30"),
    ]:
        gallery.media("add", "what there is to do", "--title", title, "--at", start, "--until", finish)
    return gallery


def boxes(page, title):
    """The parts of an entry's block, from top to bottom."""
    return page.evaluate(
        "title => [...document.querySelectorAll('.entry')].filter(part => part.textContent.includes(title))"
        ".map(part => part.getBoundingClientRect().toJSON())", title)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violation_in_a_planned_day(page, planned, scheme):
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.goto(planned.url + DAY)
    page.wait_for_selector(".entry")
    violations = Axe().run(page, options=RULES).response["violations"]
    assert not violations, [violation["nodes"][0]["html"] for violation in violations]


@pytest.mark.parametrize("width, height", [(1280, 800), (1920, 1080)])
def test_a_wide_window_has_the_day_beside_its_month(page, planned, width, height):
    page.set_viewport_size({"width": width, "height": height})
    page.goto(planned.url + DAY)
    month, day = (page.locator(part).bounding_box() for part in ["table.month", "#day"])
    assert day["x"] >= month["x"] + month["width"]
    assert abs(day["y"] - month["y"]) < 10
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_tile_of_an_entry_says_when_it_is(page, planned):
    page.goto(planned.url + "/?q=Dentist")
    tile = page.locator("#list article").first
    assert "Dentist" in tile.inner_text()
    assert "14:30–16:10" in tile.inner_text()


@pytest.mark.parametrize("width", [360, 1200])
def test_a_block_fills_its_hours_without_a_gap_beside_those_at_the_same_time(page, planned, width):
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(planned.url + DAY)
    dentist, call = boxes(page, "Dentist"), boxes(page, "Call")
    assert [len(dentist), len(call), len(boxes(page, "Trip")), len(boxes(page, "ציור"))] == [3, 2, 10, 4]
    for part, following in zip(dentist, dentist[1:]):
        assert following["top"] <= part["bottom"] + 0.5
    assert dentist[0]["right"] <= call[0]["left"]
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width", [360, 1200])
def test_blocks_fill_their_hours_however_many_there_are_at_a_time(page, planned, width):
    for number in range(7):
        planned.media("add", "what there is to do", "--title", f"Talk {number}", "--at", "2020-11-21T14:40", "--until", "2020-11-21T16:20")
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(planned.url + DAY)
    for title in [f"Talk {number}" for number in range(7)] + ["Trip", "Dentist"]:
        parts = boxes(page, title)
        for part, following in zip(parts, parts[1:]):
            assert following["top"] <= part["bottom"] + 0.5 and abs(following["left"] - part["left"]) < 0.5
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator(".entry.first a[title*='Talk 6']").count() == 1


def test_only_hours_with_entries_keep_room_for_them(page, planned):
    planned.media("add", "An early bird", "--at", "2020-11-21T12:10")
    planned.media("add", "In the waiting room", "--at", "2020-11-21T14:40")
    page.goto(planned.url + DAY)
    left = lambda part: page.locator(part).bounding_box()["x"]
    assert left(".hours > li:has-text('An early bird') .shots") == left(".entry >> nth=0")
    assert left(".hours > li:has-text('In the waiting room') .shots") > left(".entry >> nth=0") + 100


def test_a_picture_that_cannot_be_drawn_is_its_words_in_the_calendar(page, gallery):
    page.route("**/thumb/**", lambda route: route.fulfill(status=422, body=""))
    page.goto(f"{gallery.url}/calendar?day={gallery.posts('--limit', 1)[0]['created_at'][:10]}")
    page.wait_for_selector(".shot > span")
    assert page.locator(".shot > span").first.inner_text().strip()


def test_the_month_counts_an_entry_on_every_day_that_it_covers(page, planned):
    page.goto(planned.url + DAY)
    counts = page.evaluate(
        "[...document.querySelectorAll('.month td a')].filter(day => day.querySelector('span'))"
        ".map(day => parseInt(day.innerText))")
    assert [19, 20, 21, 22] == [day for day in counts if 19 <= day <= 22]


def test_an_hour_leads_to_the_form_for_an_entry_in_it(page, planned):
    page.goto(planned.url + DAY)
    page.get_by_text("10:00–14:00").click()
    page.get_by_role("link", name="11:00–12:00, add an entry").click()
    page.wait_for_selector("#add")
    assert page.input_value("#add-start") == "2020-11-21T11:00"
    assert page.input_value("#add-finish") == "2020-11-21T12:00"
    page.fill("#add-text", "Water the plants")
    page.get_by_role("button", name="Add").click()
    page.wait_for_selector("text=Show it")
    page.goto(planned.url + DAY)
    assert len(boxes(page, "Water the plants")) == 1


def test_an_open_day_shows_what_another_process_adds(page, planned):
    page.goto(planned.url + DAY)
    page.wait_for_timeout(500)
    planned.media("add", "Supper with friends", "--at", "2020-11-21T18:00", "--until", "2020-11-21T19:30")
    page.get_by_text("Supper with friends").first.wait_for()
    assert len(boxes(page, "Supper")) == 2


def test_an_entry_is_edited_and_its_old_wording_kept(page, planned):
    number = next(post["id"] for post in planned.posts("--day", "2020-11-21", "--limit", 50) if post["title"] == "Dentist")
    page.goto(f"{planned.url}/post/{number}")
    page.get_by_role("link", name="Edit").click()
    page.wait_for_selector("#add")
    violations = Axe().run(page, options=RULES).response["violations"]
    assert not violations, [violation["nodes"][0]["html"] for violation in violations]
    assert page.input_value("#add-finish") == "2020-11-21T16:10"
    page.fill("#add-title", "Dentist, at last")
    page.fill("#add-finish", "2020-11-21T17:00")
    page.fill("#add-tags", "health")
    page.set_input_files("#add-files", {"name": "x-ray.txt", "mimeType": "text/plain", "buffer": b"all is well"})
    page.get_by_role("button", name="Save").click()
    page.wait_for_url(f"**/post/{number}")
    post = next(post for post in planned.posts("--day", "2020-11-21", "--limit", 50) if post["id"] == number)
    assert [post["title"], post["created_at"], post["ends_at"], post["tags"]] == [
        "Dentist, at last", "2020-11-21T14:30:00.000Z", "2020-11-21T17:00:00.000Z", ["health"]]
    assert page.locator("details.edits").count() == 1
    page.goto(f"{planned.url}/post/{number}/edit")
    page.get_by_label("Remove x-ray.txt").check()
    page.get_by_role("button", name="Save").click()
    page.wait_for_url(f"**/post/{number}")
    assert "x-ray" not in page.inner_text("main")


def test_an_edit_of_an_older_state_is_refused(page, planned):
    number = next(post["id"] for post in planned.posts("--day", "2020-11-21", "--limit", 50) if post["title"] == "Call")
    page.goto(f"{planned.url}/post/{number}/edit")
    planned.media("edit", number, "--title", "Call the plumber")
    page.fill("#add-title", "Call nobody")
    page.get_by_role("button", name="Save").click()
    page.wait_for_selector(".answer.bad")
    assert "changed meanwhile" in page.inner_text(".answer")
