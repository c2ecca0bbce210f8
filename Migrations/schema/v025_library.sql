-- A library in SQLite, complete: posts as the web showed them, how they were pulled, and, apart from both, what the person
-- did. Times are UTC text, YYYY-MM-DDTHH:MM:SS.sssZ, so that they sort as text. States are words, so that people can query.
--
-- Some tables list columns without a line of their own: SQLite stores a statement as it was written, and a library that was
-- made before has these.

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

-- A key names the column that it leads to, where Datasette and sqlite-utils ask for it. What a page writes most is checked by
-- plain comparisons: of a list of more than two words SQLite makes a table of its own for every row that is written (seen in
-- EXPLAIN of 3.40).

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
  avatar_blob INTEGER REFERENCES blob (id),
  avatar_state TEXT NOT NULL DEFAULT 'pending'
    CHECK (avatar_state = 'pending' OR avatar_state = 'stored' OR avatar_state = 'failed' OR avatar_state = 'gone' OR avatar_state = 'skipped'),
  avatar_attempts INTEGER NOT NULL DEFAULT 0,
  avatar_next_try_at TEXT,
  avatar_failure TEXT, avatar_gone_at TEXT,
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
  author INTEGER REFERENCES author (id),
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
  updated_at TEXT NOT NULL, digest INTEGER, visibility TEXT DEFAULT 'pending',
  UNIQUE (source, uri)
) STRICT;

CREATE INDEX post_newest ON post (created_at, id);
CREATE INDEX post_author ON post (author, created_at, id);

-- Other addresses under which the same post is known.
CREATE TABLE post_alias (
  id INTEGER PRIMARY KEY,
  source TEXT NOT NULL,
  alias TEXT NOT NULL,
  post INTEGER NOT NULL REFERENCES post (id) ON DELETE CASCADE,
  UNIQUE (source, alias)
) STRICT;

-- What the person did to a post. Nothing that is pulled ever writes here.
CREATE TABLE post_state (
  post INTEGER PRIMARY KEY REFERENCES post (id) ON DELETE RESTRICT,
  deleted_at TEXT,
  restored_at TEXT,
  seen_at TEXT
) STRICT;

CREATE INDEX post_state_deleted ON post_state (post) WHERE deleted_at IS NOT NULL;

CREATE TABLE attachment (
  id INTEGER PRIMARY KEY,
  post INTEGER NOT NULL REFERENCES post (id) ON DELETE CASCADE,
  position INTEGER NOT NULL CHECK (position >= 0),
  kind TEXT NOT NULL CHECK (kind = 'image' OR kind = 'video' OR kind = 'gifv' OR kind = 'audio' OR kind = 'file'),
  remote_id TEXT,
  url TEXT,
  alternate_url TEXT,
  preview_url TEXT,
  alt TEXT,
  width INTEGER,
  height INTEGER,
  blurhash TEXT,
  blob INTEGER REFERENCES blob (id),
  state TEXT NOT NULL CHECK (state = 'pending' OR state = 'stored' OR state = 'failed' OR state = 'gone' OR state = 'skipped'),
  attempts INTEGER NOT NULL DEFAULT 0,
  next_try_at TEXT,
  failure TEXT, gone_at TEXT, name TEXT, skipped_by TEXT, limits TEXT,
  UNIQUE (post, position),
  CHECK (state <> 'stored' OR blob IS NOT NULL)
) STRICT;

CREATE INDEX attachment_blob ON attachment (blob) WHERE blob IS NOT NULL;

CREATE TABLE tag (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;

-- Carries the post's time, so that the newest of a tag are read in order, without the others.
CREATE TABLE post_tag (
  tag INTEGER NOT NULL REFERENCES tag (id),
  post INTEGER NOT NULL REFERENCES post (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  UNIQUE (post, tag)
) STRICT;

CREATE INDEX post_tag_newest ON post_tag (tag, created_at, post);

-- The verbatim answer, one zstd frame a post, as of its last change.
CREATE TABLE raw (
  post INTEGER PRIMARY KEY REFERENCES post (id) ON DELETE CASCADE,
  server TEXT,
  pulled_at TEXT NOT NULL,
  body BLOB NOT NULL
) STRICT;

-- What an edit overwrote.
CREATE TABLE revision (
  id INTEGER PRIMARY KEY,
  post INTEGER NOT NULL REFERENCES post (id) ON DELETE CASCADE,
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
  kind TEXT NOT NULL CHECK (kind IN ('tag', 'user', 'search', 'url', 'import')),
  value TEXT NOT NULL,
  server TEXT NOT NULL
, api TEXT) STRICT;

CREATE INDEX feed_value ON feed (kind, value);

-- A stretch of a feed, in the server's own order, of which nothing is missing. Its edges are the server's ids.
CREATE TABLE coverage (
  id INTEGER PRIMARY KEY,
  feed INTEGER NOT NULL REFERENCES feed (id) ON DELETE CASCADE,
  newest TEXT NOT NULL,
  oldest TEXT NOT NULL,
  reached_end INTEGER NOT NULL DEFAULT 0 CHECK (reached_end IN (0, 1)),
  walked_at TEXT NOT NULL,
  -- Counts the changes, so that a pull notices another's.
  version INTEGER NOT NULL DEFAULT 0
, next TEXT, heir INTEGER REFERENCES coverage (id), heir_place INTEGER) STRICT;

CREATE INDEX coverage_feed ON coverage (feed);

-- What a feed brought, under the feed's own ids. Within a stretch, a higher place is nearer to the newest end.
CREATE TABLE feed_post (
  id INTEGER PRIMARY KEY,
  feed INTEGER NOT NULL REFERENCES feed (id) ON DELETE CASCADE,
  remote_id TEXT NOT NULL,
  post INTEGER NOT NULL REFERENCES post (id) ON DELETE CASCADE,
  created_at TEXT NOT NULL,
  coverage INTEGER REFERENCES coverage (id),
  place INTEGER,
  pinned INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
  repeated_by INTEGER REFERENCES author (id),
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
  feed INTEGER NOT NULL REFERENCES feed (id) ON DELETE CASCADE,
  coverage INTEGER REFERENCES coverage (id) ON DELETE SET NULL,
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
, goal_known INTEGER NOT NULL DEFAULT 0 CHECK (goal_known IN (0, 1)), kind TEXT NOT NULL DEFAULT 'pull' CHECK (kind IN ('pull', 'fill')), items INTEGER NOT NULL DEFAULT 0 CHECK (items >= 0)) STRICT;

CREATE INDEX cursor_feed ON cursor (feed, id);
CREATE INDEX cursor_coverage ON cursor (coverage) WHERE coverage IS NOT NULL;

-- Authors whose name changed while a pull went on, and their posts that were counted for it; empty between pulls.
CREATE TABLE renaming (
  pull INTEGER NOT NULL REFERENCES cursor (id) ON DELETE CASCADE,
  author INTEGER NOT NULL REFERENCES author (id) ON DELETE CASCADE,
  post INTEGER REFERENCES post (id) ON DELETE CASCADE,
  UNIQUE (pull, author, post)
) STRICT;

-- Items of a page that could not be read, kept as they came: the last form of each that has an id, and of the others
-- each form once. They go when a post of that id is stored.
CREATE TABLE unreadable (
  id INTEGER PRIMARY KEY,
  feed INTEGER NOT NULL REFERENCES feed (id) ON DELETE CASCADE,
  digest TEXT NOT NULL,
  remote_id TEXT,
  reason TEXT NOT NULL,
  pulled_at TEXT NOT NULL,
  body BLOB NOT NULL
) STRICT;

CREATE UNIQUE INDEX unreadable_item ON unreadable (feed, remote_id) WHERE remote_id IS NOT NULL;
CREATE UNIQUE INDEX unreadable_form ON unreadable (feed, digest) WHERE remote_id IS NULL;

CREATE TRIGGER post_moved AFTER UPDATE OF created_at ON post WHEN old.created_at IS NOT new.created_at BEGIN
  UPDATE post_tag SET created_at = new.created_at WHERE post = new.id;
  UPDATE feed_post SET created_at = new.created_at WHERE post = new.id;
END;

CREATE INDEX cursor_left ON cursor (feed, id) WHERE state <> 'reached';

-- How many posts each list holds, which of a tag's posts do not carry it, and which posts changed last. All three are
-- kept by triggers, whoever writes. The statements in them are plain: rows to count in are made beforehand, so that
-- counting is one UPDATE by key.

-- Posts that are not deleted: of the library, without a ref; of a tag, an author, a feed, by its id; posts without an
-- author under author 0. Kind 'tags' is all tags' lists together.
CREATE TABLE total (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind = 'tag' OR kind = 'author' OR kind = 'feed' OR kind = 'library' OR kind = 'tags' OR kind = 'blobs' OR kind = 'bytes' OR kind = 'pending' OR kind = 'stored' OR kind = 'failed' OR kind = 'gone' OR kind = 'skipped'),
  ref INTEGER NOT NULL,
  posts INTEGER NOT NULL,
  UNIQUE (kind, ref)
) STRICT;

-- Posts that a feed of a tag brought and that do not carry it. With post_tag they are the tag's list, each post once.
CREATE TABLE tag_extra (
  tag INTEGER NOT NULL REFERENCES tag (id),
  post INTEGER NOT NULL REFERENCES post (id) ON DELETE CASCADE,
  created_at TEXT NOT NULL,
  UNIQUE (post, tag)
) STRICT;

CREATE INDEX tag_extra_newest ON tag_extra (tag, created_at, post);

-- The order of the sections where posts are grouped.
CREATE INDEX author_name ON author (name COLLATE NOCASE, id);
CREATE INDEX tag_name ON tag (name COLLATE NOCASE, id);

-- What of the shown changed, the last changes only: a post, or an author and with it all of its posts. The newest row
-- is never removed, so that ids only rise.
CREATE TABLE change (
  id INTEGER PRIMARY KEY,
  post INTEGER,
  author INTEGER,
  CHECK ((post IS NULL) <> (author IS NULL))
) STRICT;

-- Rows to count in.

CREATE TRIGGER tag_counted AFTER INSERT ON tag BEGIN
  INSERT INTO total (kind, ref, posts) VALUES ('tag', new.id, 0);
END;

CREATE TRIGGER tag_uncounted AFTER DELETE ON tag BEGIN
  DELETE FROM total WHERE kind = 'tag' AND ref = old.id;
END;

CREATE TRIGGER author_counted AFTER INSERT ON author BEGIN
  INSERT INTO total (kind, ref, posts) VALUES ('author', new.id, 0);
END;

CREATE TRIGGER author_uncounted AFTER DELETE ON author BEGIN
  DELETE FROM total WHERE kind = 'author' AND ref = old.id;
END;

CREATE TRIGGER feed_counted AFTER INSERT ON feed BEGIN
  INSERT INTO total (kind, ref, posts) VALUES ('feed', new.id, 0);
END;

CREATE TRIGGER feed_uncounted AFTER DELETE ON feed BEGIN
  DELETE FROM total WHERE kind = 'feed' AND ref = old.id;
END;

-- Posts. One that is new, or removed for good, has no state and so is not deleted.

CREATE TRIGGER post_counted AFTER INSERT ON post BEGIN
  UPDATE total SET posts = posts + 1 WHERE kind = 'library' AND ref = 0;
  UPDATE total SET posts = posts + 1 WHERE kind = 'author' AND ref = coalesce(new.author, 0);
  INSERT INTO change (post) VALUES (new.id);
END;

CREATE TRIGGER post_uncounted AFTER DELETE ON post BEGIN
  UPDATE total SET posts = posts - 1 WHERE kind = 'library' AND ref = 0;
  UPDATE total SET posts = posts - 1 WHERE kind = 'author' AND ref = coalesce(old.author, 0);
  INSERT INTO change (post) VALUES (old.id);
END;

CREATE TRIGGER post_passed_on AFTER UPDATE OF author ON post
WHEN old.author IS NOT new.author
  AND NOT EXISTS (SELECT 1 FROM post_state s WHERE s.post = new.id AND s.deleted_at IS NOT NULL)
BEGIN
  UPDATE total SET posts = posts - 1 WHERE kind = 'author' AND ref = coalesce(old.author, 0);
  UPDATE total SET posts = posts + 1 WHERE kind = 'author' AND ref = coalesce(new.author, 0);
END;

CREATE TRIGGER post_extra_moved AFTER UPDATE OF created_at ON post WHEN old.created_at IS NOT new.created_at BEGIN
  UPDATE tag_extra SET created_at = new.created_at WHERE post = new.id;
END;

CREATE TRIGGER post_changed AFTER UPDATE ON post BEGIN
  INSERT INTO change (post) VALUES (new.id);
END;

CREATE TRIGGER tagging_counted AFTER INSERT ON post_tag
WHEN NOT EXISTS (SELECT 1 FROM post_state s WHERE s.post = new.post AND s.deleted_at IS NOT NULL)
BEGIN
  UPDATE total SET posts = posts + 1 WHERE kind = 'tag' AND ref = new.tag;
  UPDATE total SET posts = posts + 1 WHERE kind = 'tags' AND ref = 0;
END;

CREATE TRIGGER tagging_uncounted AFTER DELETE ON post_tag
WHEN NOT EXISTS (SELECT 1 FROM post_state s WHERE s.post = old.post AND s.deleted_at IS NOT NULL)
BEGIN
  UPDATE total SET posts = posts - 1 WHERE kind = 'tag' AND ref = old.tag;
  UPDATE total SET posts = posts - 1 WHERE kind = 'tags' AND ref = 0;
END;

CREATE TRIGGER extra_counted AFTER INSERT ON tag_extra
WHEN NOT EXISTS (SELECT 1 FROM post_state s WHERE s.post = new.post AND s.deleted_at IS NOT NULL)
BEGIN
  UPDATE total SET posts = posts + 1 WHERE kind = 'tag' AND ref = new.tag;
  UPDATE total SET posts = posts + 1 WHERE kind = 'tags' AND ref = 0;
END;

CREATE TRIGGER extra_uncounted AFTER DELETE ON tag_extra
WHEN NOT EXISTS (SELECT 1 FROM post_state s WHERE s.post = old.post AND s.deleted_at IS NOT NULL)
BEGIN
  UPDATE total SET posts = posts - 1 WHERE kind = 'tag' AND ref = old.tag;
  UPDATE total SET posts = posts - 1 WHERE kind = 'tags' AND ref = 0;
END;

CREATE TRIGGER post_tagged AFTER INSERT ON post_tag BEGIN
  DELETE FROM tag_extra WHERE post = new.post AND tag = new.tag;
  INSERT INTO change (post) VALUES (new.post);
END;

CREATE TRIGGER post_untagged AFTER DELETE ON post_tag BEGIN
  INSERT INTO tag_extra (tag, post, created_at)
  SELECT old.tag, p.id, p.created_at FROM post p
  WHERE p.id = old.post AND EXISTS (
    SELECT 1 FROM feed_post b JOIN feed f ON f.id = b.feed JOIN tag t ON t.name = f.value
    WHERE b.post = old.post AND f.kind = 'tag' AND t.id = old.tag);
  INSERT INTO change (post) VALUES (old.post);
END;

CREATE TRIGGER post_extra_tagged AFTER INSERT ON tag_extra BEGIN
  INSERT INTO change (post) VALUES (new.post);
END;

CREATE TRIGGER post_extra_untagged AFTER DELETE ON tag_extra BEGIN
  INSERT INTO change (post) VALUES (old.post);
END;

-- Feeds. A post counts once in a feed, however often it was repeated there.

CREATE TRIGGER post_brought_untagged AFTER INSERT ON feed_post
WHEN EXISTS (
  SELECT 1 FROM feed f WHERE f.id = new.feed AND f.kind = 'tag'
    AND NOT EXISTS (SELECT 1 FROM tag t JOIN post_tag k ON k.tag = t.id WHERE t.name = f.value AND k.post = new.post))
BEGIN
  INSERT INTO tag (name)
  SELECT f.value FROM feed f WHERE f.id = new.feed AND NOT EXISTS (SELECT 1 FROM tag t WHERE t.name = f.value);
  INSERT INTO tag_extra (tag, post, created_at)
  SELECT t.id, p.id, p.created_at FROM feed f JOIN tag t ON t.name = f.value JOIN post p ON p.id = new.post
  WHERE f.id = new.feed AND NOT EXISTS (SELECT 1 FROM tag_extra e WHERE e.post = p.id AND e.tag = t.id);
END;

CREATE TRIGGER post_unbrought AFTER DELETE ON feed_post BEGIN
  UPDATE total SET posts = posts - 1
  WHERE kind = 'feed' AND ref = old.feed
    AND NOT EXISTS (SELECT 1 FROM feed_post b INDEXED BY feed_post_post WHERE b.post = old.post AND b.feed = old.feed)
    AND NOT EXISTS (SELECT 1 FROM post_state s WHERE s.post = old.post AND s.deleted_at IS NOT NULL);
  DELETE FROM tag_extra WHERE post = old.post AND NOT EXISTS (
    SELECT 1 FROM feed_post b JOIN feed f ON f.id = b.feed JOIN tag t ON t.name = f.value
    WHERE b.post = old.post AND f.kind = 'tag' AND t.id = tag_extra.tag);
END;

-- An item of a feed that turns out to be another post.
CREATE TRIGGER post_brought_anew AFTER UPDATE OF post ON feed_post WHEN old.post <> new.post BEGIN
  UPDATE total SET posts = posts - 1
  WHERE kind = 'feed' AND ref = old.feed
    AND NOT EXISTS (SELECT 1 FROM feed_post b INDEXED BY feed_post_post WHERE b.post = old.post AND b.feed = old.feed)
    AND NOT EXISTS (SELECT 1 FROM post_state s WHERE s.post = old.post AND s.deleted_at IS NOT NULL);
  UPDATE total SET posts = posts + 1
  WHERE kind = 'feed' AND ref = new.feed
    AND NOT EXISTS (
      SELECT 1 FROM feed_post b INDEXED BY feed_post_post
      WHERE b.post = new.post AND b.feed = new.feed AND b.id <> new.id)
    AND NOT EXISTS (SELECT 1 FROM post_state s WHERE s.post = new.post AND s.deleted_at IS NOT NULL);
  DELETE FROM tag_extra WHERE post = old.post AND NOT EXISTS (
    SELECT 1 FROM feed_post b JOIN feed f ON f.id = b.feed JOIN tag t ON t.name = f.value
    WHERE b.post = old.post AND f.kind = 'tag' AND t.id = tag_extra.tag);
  INSERT INTO tag (name)
  SELECT f.value FROM feed f
  WHERE f.id = new.feed AND f.kind = 'tag' AND NOT EXISTS (SELECT 1 FROM tag t WHERE t.name = f.value);
  INSERT INTO tag_extra (tag, post, created_at)
  SELECT t.id, p.id, p.created_at FROM feed f JOIN tag t ON t.name = f.value JOIN post p ON p.id = new.post
  WHERE f.id = new.feed AND f.kind = 'tag'
    AND NOT EXISTS (SELECT 1 FROM post_tag k WHERE k.post = p.id AND k.tag = t.id)
    AND NOT EXISTS (SELECT 1 FROM tag_extra e WHERE e.post = p.id AND e.tag = t.id);
END;

-- What the person did.

CREATE TRIGGER post_deleted AFTER INSERT ON post_state WHEN new.deleted_at IS NOT NULL BEGIN
  UPDATE total SET posts = posts - 1 WHERE kind = 'library' AND ref = 0;
  UPDATE total SET posts = posts - 1
  WHERE kind = 'author' AND ref = (SELECT coalesce(p.author, 0) FROM post p WHERE p.id = new.post);
  UPDATE total SET posts = posts - 1 WHERE kind = 'tag' AND ref IN (
    SELECT tag FROM post_tag WHERE post = new.post UNION ALL SELECT tag FROM tag_extra WHERE post = new.post);
  UPDATE total SET posts = posts - (SELECT count(*) FROM post_tag WHERE post = new.post)
    - (SELECT count(*) FROM tag_extra WHERE post = new.post)
  WHERE kind = 'tags' AND ref = 0;
  UPDATE total SET posts = posts - 1
  WHERE kind = 'feed' AND ref IN (SELECT feed FROM feed_post WHERE post = new.post);
  INSERT INTO change (post) VALUES (new.post);
END;

CREATE TRIGGER post_deleted_or_restored AFTER UPDATE OF deleted_at ON post_state
WHEN (old.deleted_at IS NULL) <> (new.deleted_at IS NULL)
BEGIN
  UPDATE total SET posts = posts + iif(new.deleted_at IS NULL, 1, -1) WHERE kind = 'library' AND ref = 0;
  UPDATE total SET posts = posts + iif(new.deleted_at IS NULL, 1, -1)
  WHERE kind = 'author' AND ref = (SELECT coalesce(p.author, 0) FROM post p WHERE p.id = new.post);
  UPDATE total SET posts = posts + iif(new.deleted_at IS NULL, 1, -1) WHERE kind = 'tag' AND ref IN (
    SELECT tag FROM post_tag WHERE post = new.post UNION ALL SELECT tag FROM tag_extra WHERE post = new.post);
  UPDATE total SET posts = posts + iif(new.deleted_at IS NULL, 1, -1) * (
    (SELECT count(*) FROM post_tag WHERE post = new.post) + (SELECT count(*) FROM tag_extra WHERE post = new.post))
  WHERE kind = 'tags' AND ref = 0;
  UPDATE total SET posts = posts + iif(new.deleted_at IS NULL, 1, -1)
  WHERE kind = 'feed' AND ref IN (SELECT feed FROM feed_post WHERE post = new.post);
  INSERT INTO change (post) VALUES (new.post);
END;

CREATE TRIGGER post_restored AFTER DELETE ON post_state WHEN old.deleted_at IS NOT NULL BEGIN
  UPDATE total SET posts = posts + 1 WHERE kind = 'library' AND ref = 0;
  UPDATE total SET posts = posts + 1
  WHERE kind = 'author' AND ref = (SELECT coalesce(p.author, 0) FROM post p WHERE p.id = old.post);
  UPDATE total SET posts = posts + 1 WHERE kind = 'tag' AND ref IN (
    SELECT tag FROM post_tag WHERE post = old.post UNION ALL SELECT tag FROM tag_extra WHERE post = old.post);
  UPDATE total SET posts = posts + (SELECT count(*) FROM post_tag WHERE post = old.post)
    + (SELECT count(*) FROM tag_extra WHERE post = old.post)
  WHERE kind = 'tags' AND ref = 0;
  UPDATE total SET posts = posts + 1
  WHERE kind = 'feed' AND ref IN (SELECT feed FROM feed_post WHERE post = old.post);
  INSERT INTO change (post) VALUES (old.post);
END;

-- Pictures and authors.

CREATE TRIGGER attachment_added AFTER INSERT ON attachment BEGIN
  INSERT INTO change (post) VALUES (new.post);
END;

CREATE TRIGGER attachment_removed AFTER DELETE ON attachment BEGIN
  INSERT INTO change (post) VALUES (old.post);
END;

CREATE TRIGGER attachment_changed AFTER UPDATE OF
  post, position, kind, url, preview_url, alt, width, height, blurhash, blob, state, failure ON attachment
BEGIN
  INSERT INTO change (post) VALUES (new.post);
END;

CREATE TRIGGER author_changed AFTER UPDATE OF handle, name, url, avatar_url, avatar_blob ON author
WHEN old.handle IS NOT new.handle OR old.name IS NOT new.name OR old.url IS NOT new.url
  OR old.avatar_url IS NOT new.avatar_url OR old.avatar_blob IS NOT new.avatar_blob
BEGIN
  INSERT INTO change (author) VALUES (new.id);
END;

CREATE TRIGGER change_trimmed AFTER INSERT ON change WHEN new.id % 1000 = 0 BEGIN
  DELETE FROM change WHERE id <= new.id - 10000;
END;

-- Avatars are a cache: those that nobody saw for the longest time go first where they take more room than they may.

-- The avatars that are kept, and the day (YYYY-MM-DD) on which each was last fetched or seen. One that is also a picture
-- of a post is never dropped, whatever stands here.
CREATE TABLE cached (
  blob INTEGER PRIMARY KEY REFERENCES blob (id) ON DELETE CASCADE,
  bytes INTEGER NOT NULL,
  used_on TEXT NOT NULL CHECK (length(used_on) = 10)
) STRICT;

CREATE INDEX cached_oldest ON cached (used_on, blob);

-- How many bytes they are together.
CREATE TABLE cache_size (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  bytes INTEGER NOT NULL
) STRICT;

CREATE TRIGGER cached_grew AFTER INSERT ON cached BEGIN
  UPDATE cache_size SET bytes = bytes + new.bytes;
END;

CREATE TRIGGER cached_shrank AFTER DELETE ON cached BEGIN
  UPDATE cache_size SET bytes = bytes - old.bytes;
END;

-- New posts are indexed by the one who inserts them, all of a page at once: FTS5 writes what it has gathered before each
-- statement that could fail, so that a trigger would make it write an index of its own for every post. The beginnings of
-- words, two and three characters long, have an index of their own: who searches as they type asks for them first, and for
-- these alone the posts of thousands of words would have to be gathered. Datasette and sqlite-utils look for the words in
-- the comment, to find the index of a table's texts.

CREATE VIRTUAL TABLE caption_fts USING fts5 /* content="post" */ (
  title, caption, warning, author, alt, tags, files,
  content="searched_post", content_rowid = 'id', columnsize = 0,
  tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
);

-- What the last visit to a feed's document has left for the next one. Written with the page that the visit brought, so
-- that nothing passes for read that was not stored.
CREATE TABLE visit (
  feed INTEGER PRIMARY KEY REFERENCES feed (id) ON DELETE CASCADE,
  -- Where the document is asked for: the feed's own address, until it has moved for good.
  address TEXT NOT NULL,
  -- Where it was found in the end, and ETag and Last-Modified of the answer there, verbatim.
  place TEXT NOT NULL,
  entity_tag TEXT,
  last_modified TEXT,
  -- Where it has moved for good, said once so far.
  moving TEXT,
  title TEXT,
  visited_at TEXT NOT NULL
) STRICT;

CREATE TABLE follow (
  feed INTEGER PRIMARY KEY REFERENCES feed (id) ON DELETE CASCADE,
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
  failure TEXT, limits TEXT,
  CHECK ((failing_since IS NULL) = (failures = 0))
) STRICT;

CREATE INDEX follow_failing ON follow (failing_since) WHERE failing_since IS NOT NULL;

-- The most items that a page of the feed held, when a harvest last looked deeper for what came late, and before when what
-- is missing is not asked for again.
CREATE TABLE look (
  feed INTEGER PRIMARY KEY REFERENCES feed (id) ON DELETE CASCADE,
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
, looked_up INTEGER NOT NULL DEFAULT 0, edited INTEGER NOT NULL DEFAULT 0, gone INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE INDEX run_started ON run (started_at);
CREATE INDEX run_open ON run (id) WHERE state = 'open';

-- The feeds of a harvest of which there is something to tell: those that brought nothing are only counted.
CREATE TABLE run_feed (
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
  feed INTEGER NOT NULL REFERENCES feed (id) ON DELETE CASCADE,
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

-- How much may still be asked of whom, so that all processes together ask no more than a server allows.
CREATE TABLE rate (
  id INTEGER PRIMARY KEY,
  -- Only hosts that tell a limit stand here; with the port where that is not the usual one.
  host TEXT NOT NULL,
  -- The beginning of the token's SHA-256, empty for nobody: a token itself never stands here.
  login TEXT NOT NULL,
  class TEXT NOT NULL CHECK (class IN ('page', 'media')),
  -- Requests of a whole window; 100 where the server counts per cents.
  quota INTEGER NOT NULL CHECK (quota >= 0),
  is_share INTEGER NOT NULL CHECK (is_share IN (0, 1)),
  -- Requests that nobody has taken yet; those that processes have taken and not told the end of; those ever taken.
  remaining INTEGER NOT NULL CHECK (remaining >= 0),
  held INTEGER NOT NULL CHECK (held >= 0),
  taken INTEGER NOT NULL CHECK (taken >= 0),
  ends_at TEXT NOT NULL CHECK (length(ends_at) = 24),
  -- Until when the server wants to be left alone.
  closed_until TEXT CHECK (length(closed_until) = 24),
  -- When the first requests after the window's end went out, as long as no answer tells the next one.
  probed_at TEXT CHECK (length(probed_at) = 24),
  UNIQUE (host, login, class)
) STRICT;

-- The ids of hashtags: the same for everybody, for ever.
CREATE TABLE hashtag (
  id INTEGER PRIMARY KEY,
  -- The origin of the server that gave the id.
  server TEXT NOT NULL,
  name TEXT NOT NULL,
  remote_id TEXT NOT NULL,
  UNIQUE (server, name)
) STRICT;

-- Which hashtags an account has asked for of late, and when first: the server lets it ask for so many in so many days.
CREATE TABLE hashtag_asked (
  id INTEGER PRIMARY KEY,
  server TEXT NOT NULL,
  -- The server's own id of the account.
  account TEXT NOT NULL,
  name TEXT NOT NULL,
  asked_at TEXT NOT NULL,
  UNIQUE (server, account, name)
) STRICT;

-- What a feed brings is a list of its own: whoever shows one is told where a post that was there before comes into it, or
-- leaves it.

CREATE TRIGGER post_listed AFTER INSERT ON feed_post BEGIN
  INSERT INTO change (post) VALUES (new.post);
END;

CREATE TRIGGER post_unlisted AFTER DELETE ON feed_post BEGIN
  INSERT INTO change (post) VALUES (old.post);
END;

CREATE TRIGGER post_listed_anew AFTER UPDATE OF feed, post ON feed_post
WHEN old.feed <> new.feed OR old.post <> new.post
BEGIN
  INSERT INTO change (post) VALUES (old.post);
  INSERT INTO change (post) VALUES (new.post);
END;

-- Posts that are looked up again at their server, for edits and for what is gone there; and what harvests say of them and
-- of what wants a person's attention.
CREATE TABLE recheck (
  post INTEGER PRIMARY KEY REFERENCES post (id) ON DELETE CASCADE,
  looks INTEGER NOT NULL DEFAULT 0 CHECK (looks >= 0),
  -- When the server last said what has become of the post.
  checked_at TEXT,
  -- When it was first found gone there; NULL from when on it is seen again.
  gone_at TEXT,
  -- When harvests look it up next; NULL where they do so no more, or never did.
  due_at TEXT
) STRICT;

CREATE INDEX recheck_due ON recheck (due_at) WHERE due_at IS NOT NULL;

CREATE TRIGGER post_found_gone AFTER INSERT ON recheck WHEN new.gone_at IS NOT NULL BEGIN
  INSERT INTO change (post) VALUES (new.post);
END;

CREATE TRIGGER post_gone_or_back AFTER UPDATE OF gone_at ON recheck WHEN old.gone_at IS NOT new.gone_at BEGIN
  INSERT INTO change (post) VALUES (new.post);
END;

-- What harvests said beside what they brought: a login that ends soon, a feed that fails, a disk that is nearly full.
CREATE TABLE run_notice (
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('disk', 'login', 'feed', 'notify')),
  -- Which login, feed or disk it is about.
  about TEXT NOT NULL,
  words TEXT NOT NULL,
  -- When the person's own command was given it; NULL where it was not.
  told_at TEXT
) STRICT;

CREATE INDEX run_notice_run ON run_notice (run);
CREATE INDEX run_notice_told ON run_notice (told_at) WHERE told_at IS NOT NULL;

-- An update whose condition asks other tables gathers its rows in a table of its own first. Asked beforehand it does not.
CREATE TRIGGER post_brought AFTER INSERT ON feed_post
WHEN NOT EXISTS (
    SELECT 1 FROM feed_post b INDEXED BY feed_post_post
    WHERE b.post = new.post AND b.feed = new.feed AND b.id <> new.id)
  AND NOT EXISTS (SELECT 1 FROM post_state s WHERE s.post = new.post AND s.deleted_at IS NOT NULL)
BEGIN
  UPDATE total SET posts = posts + 1 WHERE kind = 'feed' AND ref = new.feed;
END;

-- The views are for people and programs that speak SQL. The library itself reads none of them.

-- Every wording that an edit overwrote, and when the one after it was seen, beside what the post says now.
CREATE VIEW revision_text AS
SELECT r.id, r.post, u.handle, r.seen_at, r.title, r.caption, r.warning, p.title AS title_now, p.caption AS caption_now,
  p.warning AS warning_now
FROM revision r JOIN post p ON p.id = r.post LEFT JOIN author u ON u.id = p.author;

-- Which post a post quotes. What is quoted is a post of its own where the server shows it, and a name where not.
CREATE TABLE quote (
  post INTEGER PRIMARY KEY REFERENCES post (id) ON DELETE CASCADE,
  -- The quoted post, where the library has it.
  quoted INTEGER REFERENCES post (id) ON DELETE SET NULL,
  -- Its identity within the source, and where people open it.
  uri TEXT NOT NULL,
  url TEXT
) STRICT;

CREATE INDEX quote_quoted ON quote (quoted) WHERE quoted IS NOT NULL;
-- What is due, without what has no address and will never be.
CREATE INDEX attachment_due ON attachment (next_try_at)
  WHERE state IN ('pending', 'failed') AND coalesce(url, alternate_url) IS NOT NULL;
CREATE INDEX coverage_heir ON coverage (heir) WHERE heir IS NOT NULL;

-- What is missing between two stretches of a feed: the server's ids and the times of the posts above and below. What a
-- pull was to read and did not come to stands in "media gaps" too.
CREATE VIEW gap AS
SELECT f.id AS feed, f.name, u.oldest AS above, l.newest AS below,
  (SELECT created_at FROM feed_post WHERE feed = f.id AND remote_id = u.oldest) AS above_at,
  (SELECT created_at FROM feed_post WHERE feed = f.id AND remote_id = l.newest) AS below_at
FROM coverage u JOIN feed f ON f.id = u.feed
  JOIN coverage l ON l.id = (SELECT max(id) FROM coverage WHERE feed = u.feed AND id < u.id AND heir_place IS NULL)
WHERE u.heir_place IS NULL AND u.heir IS NOT l.id AND l.heir IS NOT u.id;

-- What a pull of one feed asks for, without what is gone: only a person asks for that.
CREATE INDEX attachment_missing ON attachment (post)
  WHERE state IN ('pending', 'failed') AND coalesce(url, alternate_url) IS NOT NULL;
CREATE INDEX author_missing ON author (id)
  WHERE avatar_state IN ('pending', 'failed') AND avatar_url IS NOT NULL;

-- The few posts with an end, for the hours that they cover.
CREATE INDEX post_ends ON post (ends_at, created_at) WHERE ends_at IS NOT NULL;

-- The posts made by hand, for those that are still to come.
CREATE INDEX post_manual ON post (created_at, id) WHERE source = 'manual';

-- The addresses of a post: an export asks for them, and they go with a post that is removed.
CREATE INDEX post_alias_post ON post_alias (post);

-- What few posts have: that they are gone from their server, and that somebody repeated them. A list of posts asks for both,
-- and finds them without the rows of the posts that have neither.
CREATE INDEX recheck_gone ON recheck (post) WHERE gone_at IS NOT NULL;
CREATE INDEX feed_post_repeat ON feed_post (post) WHERE repeated_by IS NOT NULL;

-- Posts that are not deleted, with their author, and with the first picture that is kept: its file within the library.
CREATE VIEW live_post AS
SELECT p.id, p.source, p.created_at, p.author, u.handle, u.name, p.title, p.caption, p.warning, p.sensitive, p.language,
  p.url, p.uri, p.ends_at, p.edited_at, p.stored_at, p.updated_at,
  (SELECT 'blobs/' || substr(b.sha256, 1, 2) || '/' || substr(b.sha256, 3)
    FROM attachment a JOIN blob b ON b.id = a.blob
    WHERE a.post = p.id AND a.state = 'stored' ORDER BY a.position LIMIT 1) AS path,
  p.visibility
FROM post p LEFT JOIN author u ON u.id = p.author
WHERE NOT EXISTS (SELECT 1 FROM post_state s WHERE s.post = p.id AND s.deleted_at IS NOT NULL);

-- A search finds a post by its author, tags, alternative texts and file names, too. Posts of a library that had no such texts
-- get them in steps, after it was opened: the setting 'words-read' tells above which number they have them, and is gone when
-- the steps are done. In the same way 'visibility-read' tells up to which post the verbatim answers were looked at.

-- What a search finds a post by beside its own texts, as the index has it.
CREATE TABLE searched_text (
  post INTEGER PRIMARY KEY REFERENCES post (id) ON DELETE CASCADE,
  -- The author's name and handle.
  author TEXT NOT NULL,
  -- The descriptions of its attachments, one a line.
  alt TEXT NOT NULL,
  -- Its tags, one a line.
  tags TEXT NOT NULL,
  -- The names of its files, one a line.
  files TEXT NOT NULL
) STRICT;

-- Posts of which searched_text may have other texts than the library. The next write compares them.
CREATE TABLE stale_text (
  post INTEGER PRIMARY KEY
) STRICT;

CREATE VIEW searched_post AS
SELECT p.id, p.title, p.caption, p.warning, s.author, s.alt, s.tags, s.files
FROM post p LEFT JOIN searched_text s ON s.post = p.id;

-- Before, because what refers to the post goes with it.
CREATE TRIGGER post_unindexed BEFORE DELETE ON post BEGIN
  INSERT INTO caption_fts (caption_fts, rowid, title, caption, warning, author, alt, tags, files)
  SELECT 'delete', id, title, caption, warning, author, alt, tags, files FROM searched_post WHERE id = old.id;
  DELETE FROM searched_text WHERE post = old.id;
END;

CREATE TRIGGER post_reindexed AFTER UPDATE OF title, caption, warning ON post
WHEN old.title IS NOT new.title OR old.caption IS NOT new.caption OR old.warning IS NOT new.warning
BEGIN
  INSERT INTO caption_fts (caption_fts, rowid, title, caption, warning, author, alt, tags, files)
  SELECT 'delete', old.id, old.title, old.caption, old.warning, author, alt, tags, files
  FROM searched_post WHERE id = new.id;
  INSERT INTO caption_fts (rowid, title, caption, warning, author, alt, tags, files)
  SELECT id, title, caption, warning, author, alt, tags, files FROM searched_post WHERE id = new.id;
END;

-- What is new is not in the index yet, and gets there with its tags and attachments.

CREATE TRIGGER author_renamed_text AFTER UPDATE OF handle, name ON author
WHEN old.handle IS NOT new.handle OR old.name IS NOT new.name
BEGIN
  INSERT OR IGNORE INTO stale_text (post)
  SELECT p.id FROM post p JOIN searched_text s ON s.post = p.id WHERE p.author = new.id;
END;

CREATE TRIGGER post_passed_on_text AFTER UPDATE OF author ON post
WHEN old.author IS NOT new.author AND EXISTS (SELECT 1 FROM searched_text s WHERE s.post = new.id)
BEGIN
  INSERT OR IGNORE INTO stale_text (post) VALUES (new.id);
END;

CREATE TRIGGER tag_added_text AFTER INSERT ON post_tag
WHEN EXISTS (SELECT 1 FROM searched_text s WHERE s.post = new.post)
BEGIN
  INSERT OR IGNORE INTO stale_text (post) VALUES (new.post);
END;

CREATE TRIGGER tag_removed_text AFTER DELETE ON post_tag
WHEN EXISTS (SELECT 1 FROM searched_text s WHERE s.post = old.post)
BEGIN
  INSERT OR IGNORE INTO stale_text (post) VALUES (old.post);
END;

CREATE TRIGGER attachment_added_text AFTER INSERT ON attachment
WHEN EXISTS (SELECT 1 FROM searched_text s WHERE s.post = new.post)
BEGIN
  INSERT OR IGNORE INTO stale_text (post) VALUES (new.post);
END;

CREATE TRIGGER attachment_removed_text AFTER DELETE ON attachment
WHEN EXISTS (SELECT 1 FROM searched_text s WHERE s.post = old.post)
BEGIN
  INSERT OR IGNORE INTO stale_text (post) VALUES (old.post);
END;

CREATE TRIGGER attachment_changed_text AFTER UPDATE OF alt, name ON attachment
WHEN (old.alt IS NOT new.alt OR old.name IS NOT new.name)
  AND EXISTS (SELECT 1 FROM searched_text s WHERE s.post = new.post)
BEGIN
  INSERT OR IGNORE INTO stale_text (post) VALUES (new.post);
END;

-- Every picture and other file that a post names; one that is kept has a path within the library.
CREATE VIEW picture AS
SELECT a.id, a.post, a.position, a.kind, a.state, a.alt, a.url, b.media_type, coalesce(b.width, a.width) AS width,
  coalesce(b.height, a.height) AS height, b.bytes, b.sha256, b.stored_at, a.failure,
  'blobs/' || substr(b.sha256, 1, 2) || '/' || substr(b.sha256, 3) AS path, a.skipped_by
FROM attachment a LEFT JOIN blob b ON b.id = a.blob AND a.state = 'stored';

-- How many blobs were stored in each quarter of an hour, their bytes, and how many attachments are in each state. Statistics
-- read every row for it. A quarter of an hour lies in one day of every zone.

CREATE VIEW blob_quarter AS
SELECT id, bytes, CAST(
  replace(replace(substr(stored_at, 1, 13), '-', ''), 'T', '') || (substr(stored_at, 15, 2) / 15) AS INTEGER) AS quarter
FROM blob;

-- Blobs that attachments have given up are still counted, and are few.
CREATE INDEX attachment_given_up ON attachment (blob) WHERE blob IS NOT NULL AND state <> 'stored';

CREATE TRIGGER blob_counted AFTER INSERT ON blob BEGIN
  INSERT INTO total (kind, ref, posts) SELECT 'blobs', quarter, 1 FROM blob_quarter WHERE id = new.id
  ON CONFLICT (kind, ref) DO UPDATE SET posts = posts + 1;
  INSERT INTO total (kind, ref, posts) SELECT 'bytes', quarter, bytes FROM blob_quarter WHERE id = new.id
  ON CONFLICT (kind, ref) DO UPDATE SET posts = posts + excluded.posts;
END;

-- Before, because the view has the quarter of what is there.
CREATE TRIGGER blob_uncounted BEFORE DELETE ON blob BEGIN
  UPDATE total SET posts = posts - 1
  WHERE kind = 'blobs' AND ref = (SELECT quarter FROM blob_quarter WHERE id = old.id);
  UPDATE total SET posts = posts - old.bytes
  WHERE kind = 'bytes' AND ref = (SELECT quarter FROM blob_quarter WHERE id = old.id);
END;

CREATE TRIGGER blob_changing BEFORE UPDATE OF bytes, stored_at ON blob BEGIN
  UPDATE total SET posts = posts - 1
  WHERE kind = 'blobs' AND ref = (SELECT quarter FROM blob_quarter WHERE id = old.id);
  UPDATE total SET posts = posts - old.bytes
  WHERE kind = 'bytes' AND ref = (SELECT quarter FROM blob_quarter WHERE id = old.id);
END;

CREATE TRIGGER blob_changed AFTER UPDATE OF bytes, stored_at ON blob BEGIN
  INSERT INTO total (kind, ref, posts) SELECT 'blobs', quarter, 1 FROM blob_quarter WHERE id = new.id
  ON CONFLICT (kind, ref) DO UPDATE SET posts = posts + 1;
  INSERT INTO total (kind, ref, posts) SELECT 'bytes', quarter, bytes FROM blob_quarter WHERE id = new.id
  ON CONFLICT (kind, ref) DO UPDATE SET posts = posts + excluded.posts;
END;

CREATE TRIGGER picture_counted AFTER INSERT ON attachment BEGIN
  UPDATE total SET posts = posts + 1 WHERE kind = new.state AND ref = 0;
END;

CREATE TRIGGER picture_uncounted AFTER DELETE ON attachment BEGIN
  UPDATE total SET posts = posts - 1 WHERE kind = old.state AND ref = 0;
END;

CREATE TRIGGER picture_recounted AFTER UPDATE OF state ON attachment WHEN old.state <> new.state BEGIN
  UPDATE total SET posts = posts - 1 WHERE kind = old.state AND ref = 0;
  UPDATE total SET posts = posts + 1 WHERE kind = new.state AND ref = 0;
END;

INSERT INTO total VALUES (1, 'library', 0, 0), (2, 'author', 0, 0), (3, 'tags', 0, 0), (4, 'pending', 0, 0),
  (5, 'stored', 0, 0), (6, 'failed', 0, 0), (7, 'gone', 0, 0), (8, 'skipped', 0, 0);
INSERT INTO cache_size VALUES (1, 0);
