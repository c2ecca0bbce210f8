# Shares: made on the page of the gallery, and seen by a browser that has never signed in.

import re

from waiting import until


def test_a_share_is_made_by_a_form_and_seen_without_signing_in(page, gallery, chromium):
    page.goto(f"{gallery.url}/?q=tag:cats")
    page.click("summary:has-text('List')")
    page.click("a:has-text('Share')")
    assert page.input_value("#q") == "tag:cats"
    page.fill("#title", "Cats for friends")
    page.fill("#password", "correct horse")
    page.click("button:has-text('Make an address')")
    address = page.input_value("input[aria-label=Address]")
    assert re.fullmatch(rf"{gallery.url}/share/[\w-]{{22}}/", address)
    assert page.locator("input[aria-label=Address]").bounding_box()["width"] > 600
    assert page.inner_text("th[scope=row]:has-text('Cats')") == "Cats for friends tag:cats · password"
    friend = chromium.new_context(http_credentials={"username": "friend", "password": "correct horse"})
    shown = friend.new_page()
    shown.goto(address)
    assert shown.text_content("h1") == "Cats for friends" and shown.locator("article").count() > 0
    until(shown, "[...document.images].some(image => image.naturalWidth > 0)")
    assert not friend.cookies()
    assert shown.evaluate("getComputedStyle(document.querySelector('main')).maxWidth") != "none"
    friend.close()
    stranger = chromium.new_context()
    assert stranger.request.get(address).status == 401
    stranger.close()
    page.click("button[aria-label='Revoke Cats for friends']")
    page.wait_for_selector("td:has-text('over')")
