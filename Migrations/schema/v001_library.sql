-- The library: posts as the web showed them, how they were come by, and, apart from both, what the person did.
-- Times are UTC text, YYYY-MM-DDTHH:MM:SS.sssZ, so that they sort as text. States are words, so that people can query.

PRAGMA application_id = 0x6D656469;

CREATE TABLE setting (
  name TEXT PRIMARY KEY NOT NULL,
  value TEXT NOT NULL
) STRICT;

CREATE TABLE blob (
  id INTEGER PRIMARY KEY,
  sha256 TEXT NOT NULL UNIQUE CHECK (length(sha256) = 64),
  bytes INTEGER NOT NULL CHECK (bytes >= 0),
  media_type TEXT,
  width INTEGER,
  height INTEGER,
  stored_at TEXT NOT NULL
) STRICT;

CREATE TABLE author (
  id INTEGER PRIMARY KEY,
  source TEXT NOT NULL,
  uri TEXT NOT NULL,
  -- The origin of the server these facts came from.
  server TEXT,
  handle TEXT NOT NULL,
  name TEXT NOT NULL,
  url TEXT,
  avatar_url TEXT,
  avatar_blob INTEGER REFERENCES blob,
  avatar_state TEXT NOT NULL DEFAULT 'pending'
    CHECK (avatar_state IN ('pending', 'stored', 'failed', 'gone', 'skipped')),
  avatar_attempts INTEGER NOT NULL DEFAULT 0,
  avatar_next_try_at TEXT,
  avatar_failure TEXT,
  UNIQUE (source, uri)
) STRICT;

CREATE INDEX author_handle ON author (handle COLLATE NOCASE);
CREATE INDEX author_avatar_blob ON author (avatar_blob) WHERE avatar_blob IS NOT NULL;

CREATE TABLE post (
  id INTEGER PRIMARY KEY,
  source TEXT NOT NULL,
  uri TEXT NOT NULL,
  url TEXT,
  -- The origin of the server these facts came from, and that server's own id of the post.
  server TEXT,
  remote_id TEXT,
  author INTEGER REFERENCES author,
  created_at TEXT NOT NULL CHECK (length(created_at) = 24),
  ends_at TEXT,
  edited_at TEXT,
  title TEXT,
  caption TEXT NOT NULL,
  caption_html TEXT,
  warning TEXT NOT NULL DEFAULT '',
  sensitive INTEGER NOT NULL DEFAULT 0 CHECK (sensitive IN (0, 1)),
  language TEXT,
  stored_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (source, uri)
) STRICT;

CREATE INDEX post_newest ON post (created_at, id);
CREATE INDEX post_author ON post (author, created_at, id);

-- Other addresses under which the same post is known.
CREATE TABLE post_alias (
  id INTEGER PRIMARY KEY,
  source TEXT NOT NULL,
  alias TEXT NOT NULL,
  post INTEGER NOT NULL REFERENCES post ON DELETE CASCADE,
  UNIQUE (source, alias)
) STRICT;

-- What the person did to a post. Nothing that is pulled ever writes here.
CREATE TABLE post_state (
  post INTEGER PRIMARY KEY REFERENCES post ON DELETE RESTRICT,
  deleted_at TEXT,
  restored_at TEXT,
  seen_at TEXT
) STRICT;

CREATE INDEX post_state_deleted ON post_state (post) WHERE deleted_at IS NOT NULL;

CREATE TABLE attachment (
  id INTEGER PRIMARY KEY,
  post INTEGER NOT NULL REFERENCES post ON DELETE CASCADE,
  position INTEGER NOT NULL CHECK (position >= 0),
  kind TEXT NOT NULL CHECK (kind IN ('image', 'video', 'gifv', 'audio', 'file')),
  remote_id TEXT,
  url TEXT,
  alternate_url TEXT,
  preview_url TEXT,
  alt TEXT,
  width INTEGER,
  height INTEGER,
  blurhash TEXT,
  blob INTEGER REFERENCES blob,
  state TEXT NOT NULL CHECK (state IN ('pending', 'stored', 'failed', 'gone', 'skipped')),
  attempts INTEGER NOT NULL DEFAULT 0,
  next_try_at TEXT,
  failure TEXT,
  UNIQUE (post, position),
  CHECK (state <> 'stored' OR blob IS NOT NULL)
) STRICT;

CREATE INDEX attachment_due ON attachment (next_try_at) WHERE state IN ('pending', 'failed');
CREATE INDEX attachment_blob ON attachment (blob) WHERE blob IS NOT NULL;

CREATE TABLE tag (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;

-- Carries the post's time, so that the newest of a tag are read in order, without the others.
CREATE TABLE post_tag (
  tag INTEGER NOT NULL REFERENCES tag,
  post INTEGER NOT NULL REFERENCES post ON DELETE CASCADE,
  position INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  UNIQUE (post, tag)
) STRICT;

CREATE INDEX post_tag_newest ON post_tag (tag, created_at, post);

-- The verbatim answer, one zstd frame a post, as of its last change.
CREATE TABLE raw (
  post INTEGER PRIMARY KEY REFERENCES post ON DELETE CASCADE,
  server TEXT,
  pulled_at TEXT NOT NULL,
  body BLOB NOT NULL
) STRICT;

-- What an edit overwrote.
CREATE TABLE revision (
  id INTEGER PRIMARY KEY,
  post INTEGER NOT NULL REFERENCES post ON DELETE CASCADE,
  seen_at TEXT NOT NULL,
  title TEXT,
  caption TEXT NOT NULL,
  caption_html TEXT,
  warning TEXT NOT NULL
) STRICT;

CREATE INDEX revision_post ON revision (post, id);

CREATE TABLE feed (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  source TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('tag', 'user', 'search', 'url')),
  value TEXT NOT NULL,
  server TEXT NOT NULL
) STRICT;

CREATE INDEX feed_value ON feed (kind, value);

-- A stretch of a feed, in the server's own order, of which nothing is missing. Its edges are the server's ids.
CREATE TABLE coverage (
  id INTEGER PRIMARY KEY,
  feed INTEGER NOT NULL REFERENCES feed ON DELETE CASCADE,
  newest TEXT NOT NULL,
  oldest TEXT NOT NULL,
  reached_end INTEGER NOT NULL DEFAULT 0 CHECK (reached_end IN (0, 1)),
  walked_at TEXT NOT NULL,
  -- Counts the changes, so that a pull notices another's.
  version INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX coverage_feed ON coverage (feed);

-- What a feed brought, under the feed's own ids. Within a stretch, a higher place is nearer to the newest end.
CREATE TABLE feed_post (
  id INTEGER PRIMARY KEY,
  feed INTEGER NOT NULL REFERENCES feed ON DELETE CASCADE,
  remote_id TEXT NOT NULL,
  post INTEGER NOT NULL REFERENCES post ON DELETE CASCADE,
  created_at TEXT NOT NULL,
  coverage INTEGER REFERENCES coverage,
  place INTEGER,
  pinned INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
  repeated_by INTEGER REFERENCES author,
  repeated_at TEXT,
  seen_at TEXT NOT NULL,
  UNIQUE (feed, remote_id),
  CHECK ((coverage IS NULL) = (place IS NULL))
) STRICT;

CREATE INDEX feed_post_post ON feed_post (post);
CREATE INDEX feed_post_place ON feed_post (coverage, place) WHERE coverage IS NOT NULL;
CREATE INDEX feed_post_newest ON feed_post (feed, created_at, post);

-- One row a pull: its goal, written before its first request, and how far it came.
CREATE TABLE cursor (
  id INTEGER PRIMARY KEY,
  feed INTEGER NOT NULL REFERENCES feed ON DELETE CASCADE,
  coverage INTEGER REFERENCES coverage ON DELETE SET NULL,
  coverage_version INTEGER NOT NULL DEFAULT 0,
  -- Where in its stretch the walk stands; what lies below has not been seen by this pull.
  place INTEGER,
  goal_pages INTEGER,
  goal_since TEXT,
  goal_end INTEGER NOT NULL DEFAULT 0 CHECK (goal_end IN (0, 1)),
  pages INTEGER NOT NULL DEFAULT 0,
  next TEXT,
  state TEXT NOT NULL CHECK (state IN ('open', 'reached', 'unfinished')),
  started_at TEXT NOT NULL,
  finished_at TEXT
) STRICT;

CREATE INDEX cursor_feed ON cursor (feed, id);
CREATE INDEX cursor_coverage ON cursor (coverage) WHERE coverage IS NOT NULL;

-- Authors whose name changed while a pull went on, and their posts that were counted for it; empty between pulls.
CREATE TABLE renaming (
  pull INTEGER NOT NULL REFERENCES cursor ON DELETE CASCADE,
  author INTEGER NOT NULL REFERENCES author ON DELETE CASCADE,
  post INTEGER REFERENCES post ON DELETE CASCADE,
  UNIQUE (pull, author, post)
) STRICT;

-- Items of a page that could not be read, kept as they came: the last form of each that has an id, and of the others
-- each form once. They go when a post of that id is stored.
CREATE TABLE unreadable (
  id INTEGER PRIMARY KEY,
  feed INTEGER NOT NULL REFERENCES feed ON DELETE CASCADE,
  digest TEXT NOT NULL,
  remote_id TEXT,
  reason TEXT NOT NULL,
  pulled_at TEXT NOT NULL,
  body BLOB NOT NULL
) STRICT;

CREATE UNIQUE INDEX unreadable_item ON unreadable (feed, remote_id) WHERE remote_id IS NOT NULL;
CREATE UNIQUE INDEX unreadable_form ON unreadable (feed, digest) WHERE remote_id IS NULL;

CREATE VIRTUAL TABLE caption_fts USING fts5 (
  title, caption, warning,
  content = 'post', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2'
);

-- New posts are indexed by the one who inserts them, all of a page at once: FTS5 writes what it has gathered before each
-- statement that could fail, so that a trigger would make it write an index of its own for every post.
CREATE TRIGGER post_unindexed AFTER DELETE ON post BEGIN
  INSERT INTO caption_fts (caption_fts, rowid, title, caption, warning)
  VALUES ('delete', old.id, old.title, old.caption, old.warning);
END;

CREATE TRIGGER post_reindexed AFTER UPDATE OF title, caption, warning ON post
WHEN old.title IS NOT new.title OR old.caption IS NOT new.caption OR old.warning IS NOT new.warning
BEGIN
  INSERT INTO caption_fts (caption_fts, rowid, title, caption, warning)
  VALUES ('delete', old.id, old.title, old.caption, old.warning);
  INSERT INTO caption_fts (rowid, title, caption, warning) VALUES (new.id, new.title, new.caption, new.warning);
END;

CREATE TRIGGER post_moved AFTER UPDATE OF created_at ON post WHEN old.created_at IS NOT new.created_at BEGIN
  UPDATE post_tag SET created_at = new.created_at WHERE post = new.id;
  UPDATE feed_post SET created_at = new.created_at WHERE post = new.id;
END;
