"""Compares what a run has stored with what the origin serves: by content, not by the tool's report."""
import hashlib
import json
import os
import sqlite3
import subprocess


class Truth:
    """The posts that a job pulls, `posts` of them below the newest `skip`, and their pictures."""

    def __init__(self, data, base, skip, posts):
        with open(f"{data}/statuses.ndjson", encoding="utf-8") as file:
            lines = [line.rstrip("\n") for place, line in enumerate(file) if skip <= place < skip + posts]
        self.answers = {line[7:line.index('"', 7)]: line.replace("@BASE@", base).encode() for line in lines}
        rows = [line.rstrip("\n").split("\t") for line in open(f"{data}/truth.tsv")]
        self.pictures = [(row[4], row[6]) for row in rows if skip <= int(row[0]) < skip + posts]
        self.ids, self.digests = list(self.answers), {digest for _, digest in self.pictures}


class Library:
    """The library that `media` wrote, read only with SQLite."""

    def __init__(self, folder):
        self.folder = folder
        self.base = sqlite3.connect(f"{folder}/media.sqlite")
        self.base.text_factory = bytes

    def rows(self, query):
        return self.base.execute(query).fetchall()

    def one(self, query):
        return self.rows(query)[0][0]

    def blobs(self):
        """The name of each blob by its path, and the digest of its bytes."""
        for place, _, names in os.walk(f"{self.folder}/blobs"):
            for name in names:
                with open(os.path.join(place, name), "rb") as file:
                    yield os.path.basename(place) + name, hashlib.sha256(file.read()).hexdigest()

    def trouble(self, truth, pictures):
        """What is missing, duplicated, partial or different from the origin; empty if nothing is."""
        said = list(self.trouble_of_posts(truth))
        if pictures:
            said += self.trouble_of_pictures(truth)
        elif self.one("SELECT count(*) FROM blob"):
            said.append("pictures that nobody asked for")
        return said

    def trouble_of_posts(self, truth):
        ids = [key.decode() for (key,) in self.rows("SELECT remote_id FROM feed_post")]
        if sorted(ids) != sorted(truth.ids):
            yield f"{len(set(ids))} of {len(truth.ids)} posts, {len(ids) - len(set(ids))} doubled"
        posts = self.one("SELECT count(*) FROM post")
        if posts != len(truth.ids) or posts != self.one("SELECT count(DISTINCT uri) FROM post"):
            yield f"{posts} rows in post"
        rows = self.rows("SELECT remote_id, body FROM raw JOIN feed_post USING (post) ORDER BY remote_id")
        frames = subprocess.run(["zstd", "-dc"], input=b"".join(body for _, body in rows), capture_output=True)
        if frames.stdout != b"".join(truth.answers[key] for key in sorted(truth.ids)):
            yield "raw is not what the origin sent"
        if self.rows("PRAGMA foreign_key_check") or self.one("PRAGMA integrity_check") != b"ok":
            yield "the store is damaged"
        try:
            self.base.execute("INSERT INTO caption_fts (caption_fts, rank) VALUES ('integrity-check', 1)")
        except sqlite3.DatabaseError:
            yield "caption_fts is not what the posts say"

    def trouble_of_pictures(self, truth):
        stored = self.one("SELECT count(*) FROM attachment WHERE state = 'stored'")
        if stored != len(truth.pictures) or stored != self.one("SELECT count(*) FROM attachment"):
            yield f"{stored} of {len(truth.pictures)} pictures are stored"
        kept = dict(self.blobs())
        if any(name != digest for name, digest in kept.items()):
            yield "blobs that are partial or wrong"
        rows = {key.decode() for (key,) in self.rows("SELECT sha256 FROM blob")}
        if not set(kept) == rows == truth.digests:
            yield f"{len(truth.digests & set(kept))} of {len(truth.digests)} blobs, {len(set(kept) - truth.digests)} others"

    def marks(self):
        """What must be equal after two pulls of the same posts, as digests or values."""
        self.base.execute("CREATE VIRTUAL TABLE temp.terms USING fts5vocab(main, caption_fts, col)")
        return {
            "raw": digest_of(self.rows("SELECT remote_id, body FROM raw JOIN feed_post USING (post) ORDER BY 1")),
            "caption_fts": digest_of(self.rows("SELECT term, col, doc, cnt FROM temp.terms")),
            "coverage": self.rows("SELECT newest, oldest, reached_end, next FROM coverage ORDER BY 1"),
        }

    def differences(self, marks):
        own = self.marks()
        return [f"{name} differs from that of an untimed pull" for name in marks if own[name] != marks[name]]

    def close(self):
        self.base.close()


def digest_of(rows):
    return hashlib.sha256(repr(rows).encode()).hexdigest()


def posts_kept(folder, truth):
    """Number of posts that another tool has stored: rows of its SQLite file, or JSON files and lines of them."""
    for place, _, names in os.walk(folder):
        for name in names:
            if name.endswith(".db"):
                return rows_of(os.path.join(place, name))
    ids = set()
    for place, _, names in os.walk(folder):
        for name in names:
            if name.endswith(".json"):
                ids.add(name[:-5])
            elif name.endswith(".page"):
                ids |= {post["id"] for post in json.load(open(os.path.join(place, name)))}
    return len(ids & set(truth.ids))


def rows_of(path):
    with sqlite3.connect(path) as base:
        tables = {name for (name,) in base.execute("SELECT name FROM sqlite_master")}
        table = next(name for name in ("posts", "statuses") if name in tables)
        return base.execute(f"SELECT count(DISTINCT id) FROM {table}").fetchone()[0]


def pictures_kept(folder, truth):
    """Number of different pictures that are complete in a tool's folder."""
    found = set()
    for place, _, names in os.walk(folder):
        for name in names:
            if not name.endswith((".db", ".json", ".page", ".part")):
                with open(os.path.join(place, name), "rb") as file:
                    found.add(hashlib.sha256(file.read()).hexdigest())
    return len(found & truth.digests)
