"""Waiting for what a page does."""

import time


def until(page, expression, argument=None, timeout=20000):
    """Waits until an expression is true. The page's policy forbids what Playwright's `wait_for_function` does.

    `page` is one of Playwright, or a Firefox, whose expressions take no argument.
    """
    end = time.monotonic() + timeout / 1000
    while time.monotonic() < end:
        if page.evaluate(expression, *([] if argument is None else [argument])):
            return
        time.sleep(.02)
    raise AssertionError(f"never: {expression}")


def eventually(read, expected, timeout=20000):
    """Waits until a function returns what is expected. Fails with what it returned last."""
    end = time.monotonic() + timeout / 1000
    while (seen := read()) != expected and time.monotonic() < end:
        time.sleep(.02)
    assert seen == expected, f"{seen!r} instead of {expected!r}"
