"""What is due, and what is missing."""

import contextlib
import sqlite3

from waiting import until


def follow(gallery, demo):
    feed = f"tag:demo@{demo}"
    gallery.media("follow", feed)
    gallery.media("harvest", "--quiet")
    return feed


def forget_the_middle(gallery):
    """Makes a gap in the one complete part of the library's feed."""
    with contextlib.closing(sqlite3.connect(gallery.library / "media.sqlite")) as store, store:
        part, feed, oldest, end, at, after = store.execute(
            "SELECT id, feed, oldest, reached_end, walked_at, next FROM coverage").fetchone()
        posts = store.execute(
            "SELECT id, remote_id FROM feed_post WHERE coverage = ? ORDER BY place DESC", [part]).fetchall()
        lower = store.execute(
            "INSERT INTO coverage (feed, newest, oldest, reached_end, walked_at, next) VALUES (?, ?, ?, ?, ?, ?)",
            [feed, posts[250][1], oldest, end, at, after]).lastrowid
        store.execute("UPDATE coverage SET oldest = ?, reached_end = 0, next = NULL WHERE id = ?", [posts[149][1], part])
        store.executemany("UPDATE feed_post SET coverage = ? WHERE id = ?", [(lower, post[0]) for post in posts[250:]])
        store.executemany("DELETE FROM feed_post WHERE id = ?", [(post[0],) for post in posts[150:250]])


def test_a_list_counts_down_to_the_next_refresh(page, gallery, demo):
    page.clock.install()
    page.goto(gallery.url)
    page.wait_for_selector(".cell")
    assert page.is_hidden(".due")
    feed = follow(gallery, demo)
    page.wait_for_selector(".due:has-text('refresh due in')")
    assert page.get_attribute(".due", "title") == feed
    text = page.text_content(".due")
    page.clock.fast_forward("01:00")
    until(page, "text => document.querySelector('.due').textContent !== text", text)


def test_what_nothing_pulls_is_not_promised(page, gallery, demo):
    page.clock.install()
    follow(gallery, demo)
    page.goto(gallery.url)
    page.wait_for_selector(".due:has-text('refresh due in')")
    # Longer than until it is due, whatever the feed's pace.
    page.clock.fast_forward(4 * 86_400_000)
    page.wait_for_selector(".due:has-text('was due')")
    assert "Press r" in page.get_attribute(".due span", "title")
    page.goto(f"{gallery.url}/status")
    page.wait_for_selector(".overdue:has-text('media schedule install')", state="attached")
    page.clock.fast_forward(4 * 86_400_000)
    page.wait_for_selector(".overdue:has-text('media schedule install')")


def test_a_click_on_a_gap_fills_it(page, gallery):
    forget_the_middle(gallery)
    page.goto(f"{gallery.url}/status")
    assert page.text_content("button[data-fill]") == "Fill it"
    page.click("a[data-fill]")
    page.wait_for_selector("a[data-fill]", state="detached", timeout=60_000)
    assert gallery.media("gaps", "--json") == ""


def test_the_button_of_a_gap_tells_why_it_was_not_filled(page, gallery):
    forget_the_middle(gallery)
    page.route("**/api/pull/fill", lambda route: route.fulfill(status=503, json={"error": "the disk is full"}))
    page.goto(f"{gallery.url}/status")
    page.click("button[data-fill]")
    page.wait_for_selector("button[data-fill] + span:has-text('the disk is full')")
    assert page.is_visible("button[data-fill]")


def test_a_browser_that_signs_out_has_to_sign_in_again(page, gallery):
    page.wait_for_selector(".cell")
    page.keyboard.press("s")
    page.click("dialog button:has-text('Sign out')")
    page.wait_for_url("**/sign-in")
    page.goto(gallery.url)
    page.wait_for_selector("text=media serve --new-address")


def test_a_session_that_ended_is_told_once_and_signed_in_again_in_place(page, gallery):
    page.wait_for_selector(".cell")
    page.wait_for_timeout(400)
    (gallery.folder / "config/gallery.json").unlink()
    gallery.media("add", "a kingfisher")
    page.wait_for_selector(".banner:has-text('You are signed out')", timeout=10_000)
    assert page.locator(".banner").count() == 1
    assert page.locator(".cell:has-text('a kingfisher')").count() == 0
    page.goto(gallery.media("serve", "--new-address", "--port", gallery.port).strip())
    page.wait_for_selector(".cell:has-text('a kingfisher')")


def test_what_keeps_the_library_from_working_is_told_with_what_helps(page, gallery, demo):
    feed = follow(gallery, demo)
    with contextlib.closing(sqlite3.connect(gallery.library / "media.sqlite")) as store, store:
        store.execute(
            "UPDATE follow SET state = 'failing', failing_since = '2026-01-01T00:00:00.000Z', failures = 3, failure = ?",
            ["<b>it fails</b>"])
    page.goto(gallery.url + "/status")
    page.click("text=What keeps the library from working?")
    page.wait_for_selector("h1:has-text('Doctor')")
    row = page.locator("tr", has_text="it fails")
    assert row.locator("td").first.text_content() == "problem"
    assert "<b>it fails</b>" in row.text_content()
    assert f'"media harvest {feed}"' in row.text_content().replace("'", "")
    assert page.locator("tr", has_text="answers").count() == 1
    page.click("text=Look again")
    page.wait_for_selector("tr:has-text('it fails')")
