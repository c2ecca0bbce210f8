"""Changes by other processes."""


def cell(post):
    return f"#post-{post}"


def test_a_post_deleted_in_the_terminal_leaves_the_page(page, gallery):
    page.wait_for_selector(cell(3))
    gallery.media("delete", 3)
    page.wait_for_selector(cell(3), state="detached")


def test_a_post_deleted_in_the_page_is_deleted_in_the_terminal(page, gallery):
    page.wait_for_selector(cell(2))
    page.focus(cell(2))
    with page.expect_response("**/api/delete") as answer:
        page.keyboard.press("d")
    assert answer.value.ok
    page.wait_for_selector(cell(2), state="detached")
    assert 2 not in [post["id"] for post in gallery.posts()]
    with page.expect_response("**/api/restore"):
        page.keyboard.press("u")
    page.wait_for_selector(cell(2))
    assert 2 in [post["id"] for post in gallery.posts()]


def test_an_undo_leaves_a_post_deleted_that_somebody_deleted_again(page, gallery):
    page.wait_for_selector(cell(2))
    page.focus(cell(2))
    with page.expect_response("**/api/delete"):
        page.keyboard.press("d")
    page.wait_for_selector(cell(2), state="detached")
    gallery.media("restore", 2)
    page.wait_for_selector(cell(2))
    gallery.media("delete", 2)
    page.wait_for_selector(cell(2), state="detached")
    page.keyboard.press("u")
    page.wait_for_selector(".toast:has-text('Not undone: it was changed again since')")
    page.wait_for_selector(cell(2), state="detached")
    assert 2 not in [post["id"] for post in gallery.posts()]


def test_a_delete_that_came_second_is_not_undone(page, gallery):
    def first(route):
        gallery.media("delete", 2)
        route.continue_()
    page.wait_for_selector(cell(2))
    page.focus(cell(2))
    page.route("**/api/delete", first)
    with page.expect_response("**/api/delete") as answer:
        page.keyboard.press("d")
    assert answer.value.json()["changed"] == []
    page.keyboard.press("u")
    page.wait_for_selector(".toast:has-text('Not undone: it was changed again since')")
    page.wait_for_selector(cell(2), state="detached")
    assert 2 not in [post["id"] for post in gallery.posts()]


def test_a_restore_and_the_delete_before_it_are_undone_one_after_the_other(page, gallery):
    page.wait_for_selector(cell(2))
    page.focus(cell(2))
    with page.expect_response("**/api/delete"):
        page.keyboard.press("d")
    page.wait_for_selector(cell(2), state="detached")
    page.keyboard.press("Shift+R")
    page.click("dialog button:has-text('Restore 1')")
    page.wait_for_selector(cell(2))
    for name, state in (("delete", "detached"), ("restore", "attached")):
        with page.expect_response(f"**/api/{name}") as answer:
            page.keyboard.press("u")
        assert answer.value.json()["changed"] == [2]
        page.wait_for_selector(cell(2), state=state)
    assert 2 in [post["id"] for post in gallery.posts()]
