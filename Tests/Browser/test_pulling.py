"""Pulling, logging in and adding from the pages."""

import json
import re

from test_lists import drop_words
from waiting import until


def jobs(page, gallery):
    return json.loads(page.evaluate("async () => await (await fetch('/api/jobs')).text()"))["jobs"]


def pull(page, gallery, server, **fields):
    page.goto(f"{gallery.url}/pull")
    for name, value in {"value": "demo", "server": server, **fields}.items():
        page.fill(f"#pull [name={name}]", str(value))


def test_a_pull_tells_its_summary_and_follows_the_feed(page, gallery, demo):
    pull(page, gallery, demo, pages=3)
    page.check("[name=follow]")
    page.click("#pull button.primary")
    job = page.locator(".jobs li").first
    page.wait_for_selector(".jobs li[data-state=done]", timeout=60_000)
    assert "known" in job.text_content()
    page.wait_for_selector(f"#follows [data-unfollow='tag:demo@{demo}']")
    page.click("#follows [data-unfollow]")
    page.wait_for_selector("#follows [data-unfollow]", state="detached")
    assert gallery.media("follows", "--json") == ""


def test_a_failed_pull_has_its_cure_and_can_be_tried_again(page, gallery, demo):
    pull(page, gallery, "http://127.0.0.1:1")
    page.click("#pull button.primary")
    failure = page.locator(".jobs li[data-state=failed] .failure").first
    failure.wait_for(timeout=60_000)
    assert "cannot be reached" in failure.text_content() and "check the address" in failure.text_content()
    page.click(".jobs li button:has-text('Try again')")
    page.wait_for_selector(".jobs li:nth-child(2)", timeout=60_000)


def test_a_server_that_wants_a_login_leads_to_one_that_works(page, gallery, demo, context):
    pull(page, gallery, demo, value="panda")
    page.check("[name=kind][value=search]")
    page.click("#pull button.primary")
    page.click(".jobs a:has-text('Log in at')", timeout=60_000)
    page.click("#login button")
    with context.expect_page() as opened:
        page.click("#step a")
    server = opened.value
    server.select_option("[name=username]", "mira")
    server.fill("[name=password]", "demo")
    server.click("button")
    server.click("button:has-text('Authorize')")
    code = server.text_content("#code")
    server.close()
    page.fill("#code", code)
    page.click("#step button")
    page.wait_for_selector("text=Logged in as mira@", timeout=60_000)
    assert code not in page.url
    page.goto(f"{gallery.url}/pull")
    page.click(".jobs li[data-state=failed] button:has-text('Try again')")
    page.wait_for_selector(".jobs li[data-state=done]", timeout=60_000)


def test_the_form_shows_what_a_kind_needs(page, gallery):
    page.goto(f"{gallery.url}/pull")
    assert page.is_visible("#server")
    page.check("[name=kind][value=feed]")
    assert not page.is_visible("#server") and not page.is_visible("[name=every]")
    page.check("[name=follow]")
    assert page.is_visible("[name=every]")


def test_a_post_is_added_with_files_and_times(page, gallery, tmp_path):
    page.goto(f"{gallery.url}/add")
    page.click("#add button.primary")
    assert "3 characters" in page.text_content(".answer")
    picture = tmp_path / "תמונה.html"
    picture.write_text("<script>1</script>")
    page.fill("[name=text]", "Saw a kingfisher")
    page.fill("[name=title]", "A walk")
    page.fill("[name=start]", "2026-11-21T14:05")
    page.fill("[name=finish]", "2026-11-21T13:05")
    page.fill("[name=tags]", "Kingfishers")
    page.set_input_files("[name=files]", [str(picture)])
    page.click("#add button.primary")
    assert "finish is before" in page.text_content(".answer")
    page.fill("[name=finish]", "2026-11-21T15:05")
    page.click("#add button.primary")
    page.click("text=Show it")
    assert re.search(r"/post/\d+", page.url)
    post = gallery.posts("--tag", "kingfishers")[0]
    assert post["created_at"].startswith("2026-11-21T14:05") and post["title"] == "A walk"
    assert post["attachments"][0]["kind"] == "file"


def test_what_is_dropped_or_pasted_fills_the_form(page, gallery):
    page.goto(f"{gallery.url}/add")
    page.evaluate("""async () => {
      const drop = new DataTransfer();
      drop.items.add(new File(["bytes"], "a.txt"));
      document.querySelector("h1").dispatchEvent(new DragEvent("drop", { dataTransfer: drop, bubbles: true, cancelable: true }));
      const paste = new DataTransfer();
      paste.setData("text/uri-list", "# a page\\r\\nhttps://birds.example/1\\r\\n");
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: paste, bubbles: true, cancelable: true }));
    }""")
    page.wait_for_selector(".chosen li:has-text('a.txt')")
    until(page, "document.querySelector('[name=text]').value === 'https://birds.example/1'")
    page.click(".chosen button")
    assert page.locator(".chosen li").count() == 0


def test_what_is_dropped_on_a_list_that_does_not_have_it_is_shown(page, gallery):
    gallery.media("mark", gallery.posts("--limit", 1)[0]["id"], "--favourite")
    page.goto(f"{gallery.url}/?q=is:favourite")
    until(page, "!!document.querySelector('.cell') && import('/assets/add.js').then(() => true)")
    page.wait_for_timeout(400)
    drop_words(page, "Saw a kingfisher")
    page.click(".toast:has-text('It is not in this list') >> text=Show it")
    page.wait_for_url("**/post/*")
    page.wait_for_selector("text=Saw a kingfisher")


def test_a_drop_on_another_page_opens_the_form(page, gallery):
    page.goto(f"{gallery.url}/pull")
    page.evaluate("""async () => {
      const { installDrop } = await import("/assets/add.js");
      installDrop();
      const drop = new DataTransfer();
      drop.setData("text/plain", "Saw a kingfisher");
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: drop, bubbles: true, cancelable: true }));
    }""")
    page.wait_for_selector("dialog[open] [name=text]")
    until(page, "document.querySelector('dialog [name=text]').value === 'Saw a kingfisher'")
    page.click("dialog button.primary")
    page.wait_for_selector("dialog >> text=Show it")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    assert gallery.posts()[0]["caption"] == "Saw a kingfisher"
