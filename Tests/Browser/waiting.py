"""Waiting for what a page does."""


def until(page, expression, argument=None, timeout=5000):
    """Waits until an expression is true. The page's policy forbids what Playwright's `wait_for_function` does."""
    for _ in range(timeout // 20):
        if page.evaluate(expression, argument):
            return
        page.wait_for_timeout(20)
    raise AssertionError(f"never: {expression}")
