-- Posts, authors and tags that the person does not want to see, shares with friends, and rules for new posts.

ALTER TABLE post_state ADD COLUMN hidden INTEGER CHECK (hidden IN (0, 1));
ALTER TABLE post_state ADD COLUMN hidden_stamp TEXT;

CREATE INDEX post_state_hidden ON post_state (post) WHERE hidden = 1;

-- Authors and tags of which no list shows a post. One that is shown again keeps its row and its stamp.
CREATE TABLE hidden (
  kind TEXT NOT NULL CHECK (kind IN ('author', 'tag')),
  -- The source of an author; empty for a tag.
  source TEXT NOT NULL,
  -- The author's identity within the source, which stays when the author takes another handle; the name of a tag.
  identity TEXT NOT NULL,
  -- The handle that the author had, or the name of the tag.
  name TEXT NOT NULL,
  is_hidden INTEGER NOT NULL CHECK (is_hidden IN (0, 1)),
  stamp TEXT NOT NULL,
  PRIMARY KEY (kind, source, identity)
) STRICT;

-- Pages for friends. They belong to this library: no copy takes them along.
CREATE TABLE share (
  id INTEGER PRIMARY KEY,
  -- The token itself stands in the address alone.
  token_hash TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL,
  -- An album, which the share follows.
  album INTEGER REFERENCES album (id) ON DELETE CASCADE,
  -- Else the filter that it was made of.
  filter TEXT,
  -- Whether it shows what the filter finds now. Else its posts stand in share_post.
  is_live INTEGER NOT NULL DEFAULT 0 CHECK (is_live IN (0, 1)),
  has_originals INTEGER NOT NULL DEFAULT 0 CHECK (has_originals IN (0, 1)),
  -- What it shows although shares leave it out: words of gone, hidden and sensitive, with spaces between.
  shows TEXT NOT NULL DEFAULT '',
  password_hash TEXT,
  made_at TEXT NOT NULL,
  ends_at TEXT,
  revoked_at TEXT
) STRICT;

CREATE INDEX share_album ON share (album) WHERE album IS NOT NULL;

CREATE TABLE share_post (
  share INTEGER NOT NULL REFERENCES share (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  post INTEGER NOT NULL REFERENCES post (id) ON DELETE CASCADE,
  PRIMARY KEY (share, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX share_post_post ON share_post (post);

-- What is done with new posts that match a filter. One that was removed keeps its row without a filter.
CREATE TABLE rule (
  name TEXT PRIMARY KEY NOT NULL,
  filter TEXT,
  -- One a line, as they are typed.
  actions TEXT NOT NULL,
  stamp TEXT NOT NULL
) STRICT;

-- Posts at which a rule failed. It is tried again.
CREATE TABLE rule_failure (
  rule TEXT NOT NULL,
  post INTEGER NOT NULL REFERENCES post (id) ON DELETE CASCADE,
  reason TEXT NOT NULL,
  failed_at TEXT NOT NULL,
  PRIMARY KEY (rule, post)
) STRICT, WITHOUT ROWID;

CREATE INDEX rule_failure_post ON rule_failure (post);

-- Rules tell of what they found.
CREATE TABLE new_notice (
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('disk', 'login', 'feed', 'rule', 'notify')),
  -- Which login, feed, disk or rule it is about.
  about TEXT NOT NULL,
  words TEXT NOT NULL,
  -- When the person's own command was given it; NULL where it was not.
  told_at TEXT
) STRICT;

INSERT INTO new_notice SELECT * FROM run_notice;
DROP TABLE run_notice;
ALTER TABLE new_notice RENAME TO run_notice;
CREATE INDEX run_notice_run ON run_notice (run);
CREATE INDEX run_notice_told ON run_notice (told_at) WHERE told_at IS NOT NULL;

CREATE TRIGGER post_first_hidden AFTER INSERT ON post_state
WHEN new.deleted_at IS NULL AND coalesce(new.seen_at, new.favourite, new.rating, new.note) IS NULL AND new.hidden = 1
BEGIN
  INSERT INTO change (post) VALUES (new.post);
END;

CREATE TRIGGER post_hidden AFTER UPDATE OF hidden ON post_state WHEN old.hidden IS NOT new.hidden BEGIN
  INSERT INTO change (post) VALUES (new.post);
END;

-- A change of post 0, which is none, says that lists hold other posts than before.

CREATE TRIGGER hidden_added AFTER INSERT ON hidden WHEN new.is_hidden = 1 BEGIN
  INSERT INTO change (post) VALUES (0);
END;

CREATE TRIGGER hidden_changed AFTER UPDATE OF is_hidden ON hidden WHEN old.is_hidden <> new.is_hidden BEGIN
  INSERT INTO change (post) VALUES (0);
END;

CREATE TRIGGER search_saved AFTER INSERT ON saved_search BEGIN
  INSERT INTO change (post) VALUES (0);
END;

CREATE TRIGGER search_changed AFTER UPDATE OF filter ON saved_search WHEN old.filter IS NOT new.filter BEGIN
  INSERT INTO change (post) VALUES (0);
END;
