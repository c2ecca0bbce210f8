"""The input of tools that do only a part of a job: addresses to fetch, pages to load, rows to copy."""
import json
import os
import sqlite3
import subprocess
import urllib.request

from make_origin import TAG

HERE = os.path.dirname(os.path.abspath(__file__))


def write_transfers(folder, base, truth, pages):
    """pull: the pages and their pictures; rows: only the pages. Each as addresses, and as a config for curl."""
    os.makedirs(folder, exist_ok=True)
    places = range(0, pages * 40, 40)
    cursors = [f"&max_id={truth.ids[place - 1]}" if place else "" for place in places]
    addresses = [f"{base}/api/v1/timelines/tag/{TAG}?limit=40{cursor}" for cursor in cursors]
    write(f"{folder}/rows", addresses)
    write(f"{folder}/pull", addresses + [f"{base}/{path}" for path, _ in truth.pictures])


def write(name, addresses):
    with open(f"{name}.urls", "w") as plain, open(f"{name}.curl", "w") as curl:
        for number, address in enumerate(addresses):
            plain.write(f"{address}\n")
            # verify.py identifies a page by its name.
            curl.write(f'url = "{address}"\noutput = "{number}{".page" if "?" in address else ""}"\n')


def write_rows(folder, truth):
    """The pages as files with the SQL that loads them, and a loaded store with the SQL that copies it."""
    os.makedirs(f"{folder}/pages", exist_ok=True)
    with open(f"{folder}/rows.urls") as file:
        names = [fetched(line.strip(), f"{folder}/pages/{number}") for number, line in enumerate(file)]
    schema, load = (open(f"{HERE}/{name}.sql").read() for name in ("schema", "load_pages"))
    insertions = "".join(f"insert into temp.page values('{name}');\n" for name in names)
    with open(f"{folder}/load.sql", "w") as file:
        file.write(f"{schema}create temp table page(name);\n{insertions}begin;\n{load}commit;\n")
    subprocess.run(["sqlite3", f"{folder}/loaded.db", f".read {folder}/load.sql"], check=True)
    tables = ("accounts", "posts", "media", "post_tags")
    copies = "".join(f"insert into {name} select * from old.{name};\n" for name in tables)
    with open(f"{folder}/copy.sql", "w") as file:
        file.write(f"{schema}attach '{folder}/loaded.db' as old;\nbegin;\n{copies}commit;\n")


def write_own_rows(folder, library):
    """What media has kept, with the SQL that copies it into another such library page by page, its triggers and its index
    of words at work: the least that the rows alone can take where a page is stored before the next is asked for.
    """
    with sqlite3.connect(f"{library}/media.sqlite") as old, sqlite3.connect(f"{folder}/own.db") as copy:
        old.backup(copy)
        copy.execute("CREATE INDEX IF NOT EXISTS alias_post ON post_alias (post)")
        schema = [row[0] for row in old.execute(
            "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'caption_fts_%'")]
        posts = old.execute("SELECT max(id) FROM post").fetchone()[0]
    words = "title, caption, warning"
    pages = [[f"INSERT INTO {name} SELECT * FROM old.{name}" for name in ("feed", "coverage", "author", "tag", "blob")]]
    for first in range(1, posts + 1, 40):
        page = f"BETWEEN {first} AND {first + 39}"
        pages.append([f"INSERT INTO post SELECT * FROM old.post WHERE id {page}"])
        for name in ("post_alias", "post_tag", "attachment", "raw", "recheck", "feed_post"):
            pages[-1].append(f"INSERT INTO {name} SELECT * FROM old.{name} WHERE post {page}")
        pages[-1].append(f"INSERT INTO caption_fts (rowid, {words}) SELECT id, {words} FROM post WHERE id {page}")
    with open(f"{folder}/own.sql", "w") as file:
        for pragma in ("journal_mode = WAL", "synchronous = NORMAL", "foreign_keys = ON"):
            file.write(f"PRAGMA {pragma};\n")
        file.write(";\n".join(schema + [f"ATTACH '{folder}/own.db' AS old", ""]))
        for page in pages:
            file.write(";\n".join(["BEGIN"] + page + ["COMMIT"]) + ";\n")


def fetched(address, path):
    urllib.request.urlretrieve(address, path)
    return path


def write_login(folder, tls_port):
    """mastodon-to-sqlite's."""
    with open(f"{folder}/login.json", "w") as file:
        json.dump({"mastodon_domain": f"127.0.0.1:{tls_port}", "mastodon_access_token": "bench-token"}, file)
