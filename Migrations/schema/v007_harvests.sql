-- The feeds that harvests pull, what harvests have learnt of feeds, and what each harvest did.

CREATE TABLE follow (
  feed INTEGER PRIMARY KEY REFERENCES feed ON DELETE CASCADE,
  followed_at TEXT NOT NULL,
  -- Seconds between two looks: as a person fixed them, NULL where they adapt; and what they are now.
  every INTEGER CHECK (every > 0),
  interval INTEGER NOT NULL CHECK (interval > 0),
  -- Posts an hour when the feed is busy; NULL before the first look.
  pace REAL CHECK (pace >= 0),
  -- NULL where it is asked no more.
  due_at TEXT,
  looked_at TEXT,
  -- 'limited' waits for its server's next window, 'login' for a login, 'gone' for the person.
  state TEXT NOT NULL CHECK (state IN ('new', 'well', 'failing', 'limited', 'login', 'gone')),
  -- Since when nothing came of it any more, how often that was so in a row, and the last time's reason.
  failing_since TEXT,
  failed_at TEXT,
  failures INTEGER NOT NULL DEFAULT 0 CHECK (failures >= 0),
  failure TEXT,
  CHECK ((failing_since IS NULL) = (failures = 0))
) STRICT;

CREATE INDEX follow_failing ON follow (failing_since) WHERE failing_since IS NOT NULL;

-- The most items that a page of the feed held, when a harvest last looked deeper for what came late, and before when what
-- is missing is not asked for again.
CREATE TABLE look (
  feed INTEGER PRIMARY KEY REFERENCES feed ON DELETE CASCADE,
  largest_page INTEGER NOT NULL DEFAULT 0 CHECK (largest_page >= 0),
  deep_at TEXT,
  fill_at TEXT
) STRICT;

-- One row a harvest, written before its first request and brought up to date with every feed. One that is open and whose
-- process is gone was cut off.
CREATE TABLE run (
  id INTEGER PRIMARY KEY,
  process INTEGER NOT NULL,
  started_at TEXT NOT NULL,
  finished_at TEXT,
  state TEXT NOT NULL CHECK (state IN ('open', 'done', 'interrupted', 'cut off')),
  -- The status it ended with.
  code INTEGER,
  -- How many feeds it was to pull, and how many of them it has come to.
  planned INTEGER NOT NULL,
  feeds INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  limited INTEGER NOT NULL DEFAULT 0,
  pages INTEGER NOT NULL DEFAULT 0,
  new INTEGER NOT NULL DEFAULT 0,
  updated INTEGER NOT NULL DEFAULT 0,
  unchanged INTEGER NOT NULL DEFAULT 0,
  deleted INTEGER NOT NULL DEFAULT 0,
  unreadable INTEGER NOT NULL DEFAULT 0,
  pictures INTEGER NOT NULL DEFAULT 0,
  pictures_failed INTEGER NOT NULL DEFAULT 0,
  requests INTEGER NOT NULL DEFAULT 0,
  bytes INTEGER NOT NULL DEFAULT 0,
  -- Seconds for which requests waited, because a server asked for it or before another try.
  waited REAL NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX run_started ON run (started_at);
CREATE INDEX run_open ON run (id) WHERE state = 'open';

-- The feeds of a harvest of which there is something to tell: those that brought nothing are only counted.
CREATE TABLE run_feed (
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
  feed INTEGER NOT NULL REFERENCES feed ON DELETE CASCADE,
  outcome TEXT NOT NULL CHECK (outcome IN ('well', 'failed', 'limited')),
  pages INTEGER NOT NULL,
  requests INTEGER NOT NULL,
  new INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  unchanged INTEGER NOT NULL,
  deleted INTEGER NOT NULL,
  unreadable INTEGER NOT NULL,
  pictures INTEGER NOT NULL,
  pictures_failed INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  failure TEXT
) STRICT;

CREATE INDEX run_feed_run ON run_feed (run);
CREATE INDEX run_feed_feed ON run_feed (feed);
