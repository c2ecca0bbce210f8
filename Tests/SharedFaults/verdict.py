"""Compares the library with what the origin has shown. Each function returns sentences that say what is wrong."""
import collections


def some(things, what):
    things = sorted(str(thing) for thing in things)
    return [f"{len(things)} {what}, such as {', '.join(things[:3])}"] if things else []


def posts(pair, truth):
    """Posts and what feeds have of them."""
    stored = collections.Counter(row[0] for row in pair.rows("SELECT uri FROM post WHERE source = 'mastodon'"))
    expected = set(truth["pictures"])
    wrong = some(expected - set(stored), "posts lost") + some(set(stored) - expected, "posts that nobody wrote")
    wrong += some([uri for uri, count in stored.items() if count > 1], "posts doubled")
    captions = collections.Counter(row[0] for row in pair.rows(
        "SELECT caption FROM post WHERE source = 'mastodon'"))
    wrong += some([caption for caption, count in captions.items() if count > 1], "posts doubled under another address")
    held = collections.Counter((name, uri) for name, uri in pair.rows(
        "SELECT f.value, p.uri FROM feed_post i JOIN feed f ON f.id = i.feed JOIN post p ON p.id = i.post"))
    wanted = {(name, uri) for name, uris in truth["feeds"].items() for uri in uris}
    wrong += some(wanted - set(held), "posts missing in their feeds")
    wrong += some(set(held) - wanted, "posts in feeds that did not show them")
    return wrong + some([pair for pair, count in held.items() if count > 1], "posts twice in a feed")


def coverage(pair, truth):
    """One interval a feed, without gaps."""
    counts = dict(pair.rows(
        "SELECT f.value, count(c.id) FROM feed f LEFT JOIN coverage c ON c.feed = f.id GROUP BY f.value"))
    wrong = some([name for name in truth["feeds"] if name not in counts], "feeds unknown")
    wrong += some([f"{name} ({count})" for name, count in counts.items() if count != "1"], "feeds without one interval")
    outside = pair.rows("""
        SELECT f.value, i.remote_id FROM feed_post i JOIN feed f ON f.id = i.feed WHERE i.coverage IS NULL""")
    return wrong + some([f"{name} {number}" for name, number in outside], "posts outside of coverage")


def pictures(pair, truth):
    """Each picture of each post, by its hash."""
    stored = {(uri, int(place)): (state, name) for uri, place, state, name in pair.rows("""
        SELECT p.uri, a.position, a.state, coalesce(b.sha256, '') FROM attachment a JOIN post p ON p.id = a.post
        LEFT JOIN blob b ON b.id = a.blob WHERE p.source = 'mastodon'""")}
    wrong = []
    for uri, hashes in truth["pictures"].items():
        for place, name in enumerate(hashes):
            state, own = stored.pop((uri, place), ("absent", ""))
            if state != "stored" or own != name:
                wrong.append(f"{uri} {place} ({state})")
    return some(wrong, "pictures missing or wrong") + some(stored, "pictures that nobody showed")


def budget(truth):
    """The limit that the origin announced."""
    over = {start: count for start, count in truth["windows"].items() if count > truth["limit"]}
    return some([f"{count} requests of {truth['limit']} in the window {start}, the first too many from "
                 + next(f"{one['client']} at {one['at']:.1f}" for one in truth["refused"]
                        if one["at"] >= float(start)) for start, count in over.items()], "windows overdrawn")


def follows(pair):
    rows = pair.rows("SELECT f.value, w.state, coalesce(w.failure, '') FROM follow w JOIN feed f ON f.id = w.feed")
    return some([f"{name}: {state} {failure}" for name, state, failure in rows if state != "well"], "feeds not well")


def typed(pair, captions):
    """Posts made by hand while the primary was dead."""
    stored = collections.Counter(row[0] for row in pair.rows("SELECT caption FROM post WHERE source = 'manual'"))
    return some([f"{caption} ({stored[caption]})" for caption in captions if stored[caption] != 1],
                "posts made by hand that are not there once")


def check(machine):
    """What the library says of itself, with every picture read."""
    ended = machine.run("check", timeout=900, check=False)
    return [] if ended.returncode == 0 else [f"media check: {ended.returncode} {(ended.stdout + ended.stderr)[-1500:]}"]


def gaps(machine):
    ended = machine.run("gaps", "--json")
    return some(ended.stdout.strip().split("\n") if ended.stdout.strip() else [], "gaps")
