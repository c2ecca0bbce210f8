-- What happened in a harvest, and when, as `--log-format json` prints it. A harvest keeps 200 events at most, and all harvests
-- together the newest 20,000.
CREATE TABLE run_event (
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
  at TEXT NOT NULL,
  level TEXT NOT NULL CHECK (level IN ('info', 'notice', 'error')),
  -- No list of names: a later version may know more.
  event TEXT NOT NULL,
  -- The name of the feed, of an address without its query. It is no reference: a feed that is forgotten for its failure is
  -- what somebody asks about.
  feed TEXT,
  host TEXT,
  seconds REAL,
  count INTEGER,
  words TEXT NOT NULL
) STRICT;

CREATE INDEX run_event_run ON run_event (run);
