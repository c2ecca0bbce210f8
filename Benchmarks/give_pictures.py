"""Gives the newest posts of a made-up library the pictures of another library.

    give_pictures.py FROM TO COUNT
"""

import shutil
import sqlite3
import sys
from pathlib import Path

source, target, count = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
with sqlite3.connect(source / "media.sqlite") as store:
    blobs = store.execute(
        "SELECT sha256, bytes, media_type, width, height, stored_at FROM blob "
        "WHERE media_type LIKE 'image/%' AND width > 300 ORDER BY sha256").fetchall()
with sqlite3.connect(target / "media.sqlite") as store:
    store.execute("CREATE TEMP TABLE given (number INTEGER PRIMARY KEY, blob, width, height)")
    for number, blob in enumerate(blobs):
        path = Path("blobs", blob[0][:2], blob[0][2:])
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source / path, target / path)
        store.execute(
            "INSERT OR IGNORE INTO blob (sha256, bytes, media_type, width, height, stored_at) VALUES (?, ?, ?, ?, ?, ?)", blob)
        store.execute(
            "INSERT INTO given SELECT ?, id, width, height FROM blob WHERE sha256 = ?", (number, blob[0]))
    store.execute(
        "UPDATE attachment SET state = 'stored', (blob, width, height) = "
        "(SELECT blob, width, height FROM given WHERE number = attachment.id * 7919 % ?) "
        "WHERE post IN (SELECT id FROM post ORDER BY created_at DESC LIMIT ?)", (len(blobs), count))
