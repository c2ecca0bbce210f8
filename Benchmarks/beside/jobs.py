"""The jobs, the goals of each, and the table that shows whether they are met."""
import statistics
from dataclasses import dataclass, field

from peers import NAMES

FIGURES = {"wall": ("s", 3), "cpu": ("s", 3), "peak": ("MB", 0), "requests": ("requests", 0), "files": ("open files", 0)}


@dataclass
class Goal:
    """A bound on one figure of media: by itself, or as a ratio to another tool's. With `least`, that other tool has to take
    so many times as long."""

    tool: str
    figure: str
    most: float = None
    least: float = None
    words: str = ""

    def judge(self, rows):
        """The measured value beside the bound, and whether it holds; nothing if a tool did not take part."""
        if "media" not in rows or self.tool not in rows:
            return None
        own, other = rows["media"].get(self.figure), rows[self.tool].get(self.figure)
        if own is None or not other:
            return None
        if self.tool == "media":
            unit, places = FIGURES.get(self.figure, ("×", 2))
            return f"{self.words or self.figure} {own:.{places}f} ≤ {self.most:g} {unit}", own <= self.most
        if self.least:
            return f"takes {other / own:.2f} × as long ≥ {self.least:g}", other / own >= self.least
        return f"media's {self.figure} is {own / other:.2f} × its ≤ {self.most:g}", own / other <= self.most


@dataclass
class Job:
    title: str
    kind: str
    tools: list
    goals: list
    pages: int = 10
    skip: int = 5
    posts: int = 400
    latency: int = 0
    disk: bool = False
    data: str = "posts"
    # Seconds between samples of media's memory and open files; 0 for none.
    every: float = 0
    pictures: bool = field(init=False)

    def __post_init__(self):
        self.pictures = self.kind != "rows"


PEAK = Goal("media", "peak", most=50)
AGAIN = ["media", "pipeline", "script-16", "gallery-dl", "mastodon-to-sqlite"]
JOBS = {
    "A": Job(
        "400 posts, 536 pictures, cold, memory disk", "pull",
        ["media", "sketch", "pipeline", "gallery-dl", "script", "script-16", "curl", "curl-16", "aria2c", "wget", "sha256"],
        [PEAK, Goal("sketch", "wall", most=1.25), Goal("sketch", "cpu", most=1.3), Goal("gallery-dl", "wall", least=4)]),
    "A-disk": Job(
        "job A on a real disk", "pull", ["media", "synced", "pipeline", "gallery-dl", "curl-16"],
        [Goal("synced", "wall", most=1.5)], disk=True),
    "B": Job(
        "4,000 posts, no pictures, memory disk", "rows",
        [
            "media", "sketch", "pipeline", "loader", "copier", "own", "mastodon-to-sqlite", "gallery-dl", "toot", "script",
            "curl",
        ],
        [Goal("loader", "wall", least=2), Goal("mastodon-to-sqlite", "wall", least=3)], pages=100, posts=4000),
    # gallery-dl spends this time on its archive, one commit per post, which only a real disk shows.
    "B-disk": Job(
        "job B on a real disk", "rows", ["media", "sketch", "pipeline", "loader", "mastodon-to-sqlite", "gallery-dl"],
        [
            Goal("loader", "wall", least=2), Goal("mastodon-to-sqlite", "wall", least=3),
            Goal("gallery-dl", "wall", least=40),
        ],
        pages=100, posts=4000, disk=True),
    "C": Job(
        "job A once more, nothing new", "again", AGAIN,
        [Goal("media", "requests", most=1), Goal("pipeline", "wall", most=1.2)]),
    "D": Job(
        "job A once more, five new posts with 10 pictures", "again", AGAIN,
        [Goal("media", "requests", most=12), Goal("pipeline", "wall", most=1)], skip=0, posts=405),
    "E": Job(
        "job A with 50 ms a request: 546 requests, 16 at a time after the first page, are 1.75 s", "pull",
        ["media", "sketch", "pipeline", "gallery-dl", "script-16", "curl-16", "aria2c"],
        [Goal("media", "wall", most=1.9)], latency=50),
    "pictures": Job(
        "20,000 small pictures in one pull of 5,000 posts, memory disk", "pull", ["media", "sketch"],
        [
            PEAK, Goal("media", "growth", most=1.1, words="memory in the last quarter beside the second"),
            # A quarter of a process's usual limit.
            Goal("media", "files", most=256, words="at most"),
        ],
        pages=125, skip=0, posts=5000, data="pictures", every=0.02),
}


class Results:
    """The results of a job, by tool."""

    def __init__(self, names=NAMES):
        self.names = names
        self.runs, self.kept, self.failed = {}, {}, {}

    def name(self, tool):
        return self.names.get(tool, tool)

    def add(self, tool, run):
        self.runs.setdefault(tool, []).append(run)

    def medians(self):
        return {
            tool: {name: statistics.median(run[name] for run in runs) for name in runs[0] if all(name in run for run in runs)}
            for tool, runs in self.runs.items() if tool not in self.failed
        }

    def table(self, goals):
        """The table as Markdown, and the missed goals."""
        rows, missed = self.medians(), []
        lines = [
            "| tool | wall s | min..max | cpu s | peak MB | requests | kept | media's wall ÷ its | goal | holds |",
            "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
        ]
        for tool, row in rows.items():
            judged = [verdict for verdict in (goal.judge(rows) for goal in goals if goal.tool == tool) if verdict]
            missed += [f"{self.name(tool)}: {words}" for words, holds in judged if not holds]
            walls = [run["wall"] for run in self.runs[tool]]
            ratio = f"{rows['media']['wall'] / row['wall']:.2f}" if "media" in rows and tool != "media" else ""
            cells = [
                self.name(tool), f"{row['wall']:.3f}", f"{min(walls):.3f}..{max(walls):.3f}", f"{row['cpu']:.3f}",
                f"{row['peak']:.0f}", f"{row['requests']:.0f}" if "requests" in row else "", self.kept.get(tool, ""), ratio,
                "; ".join(words for words, _ in judged),
                "; ".join("yes" if holds else "**no**" for _, holds in judged),
            ]
            lines.append(f"| {' | '.join(cells)} |")
        for tool, why in self.failed.items():
            lines.append(f"| {self.name(tool)} | {why} |" + " |" * 8)
        return "\n".join(lines), missed
