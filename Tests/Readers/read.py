"""Holds a library to what Datasette and sqlite-utils make of it, by their own code; prints each thing that is wrong."""

import asyncio
import os
import re
import sqlite3
import sys
import urllib.parse

import httpx
import sqlite_utils
from datasette.app import Datasette

VIEWS = ["blob_quarter", "gap", "live_post", "picture", "revision_text", "searched_post"]
wrong = []


def expect(holds, words):
    if not holds:
        wrong.append(words)


def names(store, kind):
    return [name for (name,) in store.execute("SELECT name FROM sqlite_schema WHERE type = ? ORDER BY 1", [kind])]


def searched(store):
    """A word of a post that stands there, and how many posts hold it."""
    captions = [caption for (caption,) in store.execute("SELECT caption FROM post")]
    words = [word for caption in captions for word in re.findall(r"[a-z]{4,}", caption)]
    counts = {word: sum(word in re.findall(r"\w+", caption.lower()) for caption in captions) for word in set(words)}
    # One that not every post holds, else a search that finds all would pass.
    word = min(counts, key=lambda word: (counts[word] == len(captions), word))
    return word, counts[word]


async def datasette(path, store):
    server = Datasette([path])
    await server.invoke_startup()
    # Its own client wants an older httpx than what it asks for brings.
    client = httpx.AsyncClient(transport=httpx.ASGITransport(app=server.app()), base_url="http://localhost")

    async def get(place):
        answer = await client.get("/media" + place)
        expect(answer.status_code == 200, f"Datasette answers {answer.status_code} at /media{place}")
        return answer

    async def rows(place):
        answer = await get(place)
        return answer.json()["rows"] if answer.status_code == 200 else []

    await get("")
    tables, views = names(store, "table"), names(store, "view")
    expect(views == VIEWS, f"the views are {views}")
    for name in tables + views:
        await get(f"/{name}")
        shown = await rows(f"/{name}.json?_shape=objects&_size=3")
        expect(name not in ["post", "author", "raw", "live_post", "picture", "gap", "revision_text"] or shown,
               f"{name} is empty: the library is to hold something there")
        # A row's own page tells what leads to it.
        keys = [column for _, column, _, _, _, key in store.execute(f"PRAGMA table_info([{name}])") if key]
        if shown and len(keys) == 1 and isinstance(shown[0].get(keys[0]), (int, str)):
            await get(f"/{name}/{urllib.parse.quote(str(shown[0][keys[0]]))}")
    word, count = searched(store)
    found = await rows(f"/post.json?_shape=objects&_search={word}&_size=max")
    expect(len(found) == count, f"Datasette finds {len(found)} posts with {word!r}, there are {count}")
    expect("_search" in (await get("/post")).text, "Datasette shows no field for words")
    labelled = await rows("/post.json?_shape=objects&_labels=on&_size=1")
    expect(labelled and isinstance(labelled[0]["author"], dict), "Datasette does not follow a post's author")
    for place in ["/post.json?_facet=author&_facet=language", "/attachment.json?_facet=state", "/live_post.json?_facet=handle"]:
        facets = (await get(place)).json().get("facet_results", {})
        facets = facets.get("results", facets)
        expect(facets and all(facet["results"] for facet in facets.values()), f"Datasette counts nothing at {place}")


def utils(path, store):
    library = sqlite_utils.Database(path)
    post = library["post"]
    expect(post.detect_fts() == "caption_fts", f"sqlite-utils takes {post.detect_fts()} for the words' index")
    word, count = searched(store)
    found = len(list(post.search(word)))
    expect(found == count, f"sqlite-utils finds {found} posts with {word!r}, there are {count}")
    for table in library.tables:
        for key in table.foreign_keys:
            expect(key.other_column, f"sqlite-utils knows no column for {table.name}.{key.column}")
    expect(library.view_names() and list(library["live_post"].rows_where(limit=1)), "sqlite-utils reads no view")


def files(path, store):
    folder = os.path.dirname(path)
    for view in ["picture", "live_post"]:
        paths = [name for (name,) in store.execute(f"SELECT path FROM {view} WHERE path IS NOT NULL")]
        expect(paths, f"{view} names no file")
        for name in paths:
            expect(os.path.isfile(f"{folder}/{name}"), f"{view} names {name}, which is not there")


def main():
    path = sys.argv[1]
    store = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    asyncio.run(datasette(path, store))
    utils(path, store)
    files(path, store)
    for words in wrong:
        print(f"readers: {words}", file=sys.stderr)
    if wrong:
        sys.exit(1)
    print("Datasette and sqlite-utils read all of it")


main()
