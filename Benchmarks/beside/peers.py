"""The command of each tool for each kind of job: `pull` (posts and pictures), `rows` (posts alone), `again` (a pull with
what an earlier one has kept).
"""
import os
import shutil
from dataclasses import dataclass

from make_origin import TAG

HERE = os.path.dirname(os.path.abspath(__file__))
NAMES = {
    "media": "**media**", "sketch": "sketch in one C thread", "synced": "sketch in one C thread, `sync -f`",
    "pipeline": "shell pipeline", "script": "Mastodon.py script", "script-16": "Mastodon.py script, 16 threads",
    "curl": "curl (transfer alone)", "curl-16": "curl, 16 at once (transfer alone)",
    "aria2c": "aria2c, 16 at once (transfer alone)", "wget": "wget (transfer alone)", "sha256": "SHA-256 alone",
    "loader": "sqlite3 loader (JSON, rows, FTS5)", "copier": "sqlite3 copy (rows, FTS5)",
    "own": "sqlite3 copy of media's library, page by page", "toot": "toot in a loop",
    "same": "sqlite3, the same answer", "best": "sqlite3, best first",
}
KEEPS_NO_POSTS = {"curl", "curl-16", "aria2c", "wget", "sha256", "own"}
KEEPS_NO_PICTURES = {"sha256", "mastodon-to-sqlite"}
# Other names of tools.
PROGRAMS = {
    "gallery-dl": "gallery-dl/bin/gallery-dl", "toot": "toot/bin/toot", "script": "script/bin/python",
    "script-16": "script/bin/python", "mastodon-to-sqlite": "mastodon-to-sqlite/bin/mastodon-to-sqlite",
    "sqlite-utils": "sqlite-utils/bin/sqlite-utils", "datasette": "datasette/bin/datasette",
    "curl-16": "curl", "sha256": "openssl", "loader": "sqlite3", "copier": "sqlite3", "own": "sqlite3", "same": "sqlite3",
    "best": "sqlite3", "pipeline": "perl",
}


@dataclass
class Place:
    """The parameters of a job's tools."""

    media: str
    sketch: str
    peers: str
    base: str
    tls_port: int
    pages: int
    out: str
    lists: str
    pictures: list

    def program(self, tool):
        """The path of a tool; None if it is missing."""
        if tool in ("media", "sketch", "synced"):
            return self.media if tool == "media" else self.sketch
        name = PROGRAMS.get(tool, tool)
        return shutil.which(f"{self.peers}/{name}" if "/" in name else name)

    def command(self, tool, kind):
        program, workers, pages = self.program(tool), "0" if kind == "rows" else "16", str(self.pages)
        if tool == "media":
            return [program] + self.media_arguments(kind)
        if tool == "gallery-dl":
            return [program] + self.gallery_arguments(kind)
        sketch = [self.sketch, self.base, pages, self.out, workers, f"{HERE}/schema.sql"]
        transfer = f"{self.lists}/{'rows' if kind == 'rows' else 'pull'}"
        one_by_one = ["curl", "-fsS", "--output-dir", self.out, "--config", f"{transfer}.curl"]
        script = [program, f"{HERE}/script.py", self.base, pages, self.out]
        return {
            "sketch": sketch,
            "synced": ["sh", "-c", '"$@" && sync -f "$0"', self.out] + sketch,
            "pipeline": ["sh", f"{HERE}/pipeline.sh", self.base, pages, self.out, workers, HERE],
            "script": script + [min(workers, "1")], "script-16": script + ["16"],
            "mastodon-to-sqlite": [program, "statuses", f"{self.out}/posts.db", "-a", f"{self.lists}/login.json"],
            "toot": ["sh", f"{HERE}/toot.sh", program, self.base, pages, self.out],
            "curl": one_by_one, "curl-16": one_by_one + ["--parallel", "--parallel-max", "16"],
            "aria2c": [
                "aria2c", "-q", "-j16", "-x1", "--file-allocation=none", "-d", self.out, "-i", f"{transfer}.urls",
            ],
            "wget": ["wget", "-q", "-P", self.out, "-i", f"{transfer}.urls"],
            "sha256": ["openssl", "dgst", "-sha256", "-r"] + self.pictures,
            "loader": ["sqlite3", f"{self.out}/posts.db", f".read {self.lists}/load.sql"],
            "copier": ["sqlite3", f"{self.out}/posts.db", f".read {self.lists}/copy.sql"],
            "own": ["sqlite3", f"{self.out}/media.sqlite", f".read {self.lists}/own.sql"],
        }[tool]

    def media_arguments(self, kind):
        """Without the authors' avatars, which the other tools do not download."""
        arguments = ["tag", TAG, "--server", self.base, "--library", self.out, "--no-avatars", "--quiet"]
        arguments += ["--new"] if kind == "again" else ["--pages", str(self.pages)]
        return arguments + (["--no-pictures"] if kind == "rows" else [])

    def gallery_arguments(self, kind):
        """It has no setting for the page size and requests 20 posts."""
        arguments = ["--config-ignore", "-q", "-c", f"{HERE}/gallery-dl.json", "-d", self.out]
        arguments += ["--download-archive", f"{self.out}/archive.sqlite3"]
        arguments += {"pull": [], "again": ["-A", "3"], "rows": ["--no-download"]}[kind]
        return arguments + [f"mastodon:{self.base}/tags/{TAG}"]
