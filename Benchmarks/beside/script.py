"""What a user would script: Mastodon.py for the pages, sqlite-utils for the rows, requests for the pictures.

    script.py BASE PAGES OUT WORKERS     no WORKERS: posts alone
"""
import hashlib
import os
import sys
from concurrent.futures import ThreadPoolExecutor

import requests
import sqlite_utils
from mastodon import Mastodon

base, pages, out, workers = sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
os.makedirs(out, exist_ok=True)
db = sqlite_utils.Database(os.path.join(out, "posts.db"))
fresh = "posts" not in db.table_names()
known = 0 if fresh else db.execute("select coalesce(max(id), 0) from posts").fetchone()[0]
web = requests.Session()
web.mount("http://", requests.adapters.HTTPAdapter(pool_maxsize=32))


def fetch(row):
    answer = web.get(row["url"], timeout=30)
    answer.raise_for_status()
    name = hashlib.sha256(answer.content).hexdigest()
    path = os.path.join(out, "store", name[:2], name + os.path.splitext(row["url"])[1])
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(answer.content)
    return {"id": row["id"], "sha256": name}


api = Mastodon(api_base_url=base, access_token="bench-token")
page, n = api.timeline_hashtag("bench", limit=40, since_id=known or None), 0
while page and n < pages:
    n += 1
    new = [s for s in page if int(s.id) > known]
    accounts = ({"id": int(s.account.id), "acct": s.account.acct, "name": s.account.display_name} for s in new)
    posts = (
        {
            "id": int(s.id), "account": int(s.account.id), "created_at": s.created_at.isoformat(), "url": s.url,
            "caption": s.content,
        }
        for s in new
    )
    pictures = (
        {"id": int(m.id), "post": int(s.id), "url": m.url, "alt": m.description}
        for s in new for m in (s.reblog or s).media_attachments
    )
    db["accounts"].upsert_all(accounts, pk="id")
    db["posts"].upsert_all(posts, pk="id")
    db["media"].upsert_all(pictures, pk="id")
    if fresh:
        db["posts"].enable_fts(["caption"], create_triggers=True)
        db["media"].add_column("sha256", str)
        fresh = False
    if workers:
        todo = list(db["media"].rows_where("sha256 is null"))
        if workers == 1:
            done = [fetch(r) for r in todo]
        else:
            with ThreadPoolExecutor(workers) as pool:
                done = list(pool.map(fetch, todo))
        db["media"].upsert_all(done, pk="id")
    if len(new) < len(page):
        break
    page = api.fetch_next(page)
