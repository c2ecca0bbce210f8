-- Marks: what a person makes of posts, beside what the web says of them. Each stands with the stamp of the moment and the
-- machine it was last set at: of two libraries that differ, the later one counts. A stamp is a text that sorts as it counts.

ALTER TABLE post_state ADD COLUMN seen_stamp TEXT;
ALTER TABLE post_state ADD COLUMN favourite INTEGER CHECK (favourite IN (0, 1));
ALTER TABLE post_state ADD COLUMN favourite_stamp TEXT;
ALTER TABLE post_state ADD COLUMN rating INTEGER CHECK (rating BETWEEN 0 AND 5);
ALTER TABLE post_state ADD COLUMN rating_stamp TEXT;
ALTER TABLE post_state ADD COLUMN note TEXT;
ALTER TABLE post_state ADD COLUMN note_stamp TEXT;

-- What few posts have, for the filters that ask for it.
CREATE INDEX post_state_favourite ON post_state (post) WHERE favourite = 1;
CREATE INDEX post_state_rated ON post_state (rating, post) WHERE rating > 0;
CREATE INDEX post_state_noted ON post_state (post) WHERE note IS NOT NULL;

-- Notes that another one replaced.
CREATE TABLE earlier_note (
  post INTEGER NOT NULL REFERENCES post (id) ON DELETE CASCADE,
  stamp TEXT NOT NULL,
  note TEXT NOT NULL,
  PRIMARY KEY (post, stamp)
) STRICT;

-- The tags that the person gives. Those of authors are in post_tag. A tag that was taken away keeps its row and its stamp.
CREATE TABLE own_tag (
  name TEXT NOT NULL,
  post INTEGER NOT NULL REFERENCES post (id) ON DELETE CASCADE,
  is_set INTEGER NOT NULL CHECK (is_set IN (0, 1)),
  stamp TEXT NOT NULL,
  PRIMARY KEY (name, post)
) STRICT;

CREATE INDEX own_tag_post ON own_tag (post);
CREATE INDEX own_tag_set ON own_tag (name, post) WHERE is_set = 1;

-- Ordered sets that the person fills.
CREATE TABLE album (
  id INTEGER PRIMARY KEY,
  -- The same in every library that it was copied to, whatever it is named there.
  identity TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  name_stamp TEXT NOT NULL,
  is_deleted INTEGER NOT NULL DEFAULT 0 CHECK (is_deleted IN (0, 1)),
  deleted_stamp TEXT NOT NULL,
  -- The album that this one became, where two libraries had albums of one name.
  same_as INTEGER REFERENCES album (id) ON DELETE CASCADE
) STRICT;

CREATE UNIQUE INDEX album_name ON album (name COLLATE NOCASE) WHERE is_deleted = 0;

CREATE TABLE album_post (
  album INTEGER NOT NULL REFERENCES album (id) ON DELETE CASCADE,
  post INTEGER NOT NULL REFERENCES post (id) ON DELETE CASCADE,
  -- Texts sort as the posts stand. Between two there is always another, so that a move writes one row.
  place TEXT,
  stamp TEXT NOT NULL,
  PRIMARY KEY (album, post)
) STRICT;

CREATE INDEX album_post_place ON album_post (album, place, stamp) WHERE place IS NOT NULL;
CREATE INDEX album_post_post ON album_post (post);

-- Filters with a name. One that was removed keeps its row without a filter.
CREATE TABLE saved_search (
  name TEXT PRIMARY KEY NOT NULL,
  filter TEXT,
  stamp TEXT NOT NULL
) STRICT;

-- The last changes of marks, and what was there before, to undo them.
CREATE TABLE mark_change (
  id INTEGER PRIMARY KEY,
  stamp TEXT NOT NULL UNIQUE,
  program TEXT NOT NULL,
  words TEXT NOT NULL,
  posts INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE mark_before (
  change INTEGER NOT NULL REFERENCES mark_change (id) ON DELETE CASCADE,
  mark TEXT NOT NULL,
  name TEXT NOT NULL,
  -- 0 where it is about no post.
  post INTEGER NOT NULL,
  value TEXT,
  -- What the change wrote. What says something else by now was changed since.
  written TEXT,
  PRIMARY KEY (change, mark, name, post)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER post_first_marked AFTER INSERT ON post_state
WHEN new.deleted_at IS NULL AND coalesce(new.seen_at, new.favourite, new.rating, new.note) IS NOT NULL
BEGIN
  INSERT INTO change (post) VALUES (new.post);
END;

CREATE TRIGGER post_marked AFTER UPDATE OF seen_at, favourite, rating, note ON post_state
WHEN old.seen_at IS NOT new.seen_at OR old.favourite IS NOT new.favourite OR old.rating IS NOT new.rating
  OR old.note IS NOT new.note
BEGIN
  INSERT INTO change (post) VALUES (new.post);
END;

CREATE TRIGGER own_tag_added AFTER INSERT ON own_tag WHEN new.is_set = 1 BEGIN
  INSERT INTO change (post) VALUES (new.post);
END;

CREATE TRIGGER own_tag_changed AFTER UPDATE OF is_set ON own_tag WHEN old.is_set <> new.is_set BEGIN
  INSERT INTO change (post) VALUES (new.post);
END;

CREATE TRIGGER album_filled AFTER INSERT ON album_post WHEN new.place IS NOT NULL BEGIN
  INSERT INTO change (post) VALUES (new.post);
END;

CREATE TRIGGER album_changed AFTER UPDATE OF place ON album_post WHEN old.place IS NOT new.place BEGIN
  INSERT INTO change (post) VALUES (new.post);
END;

-- A renamed or deleted album is another list for whoever looks at it.
CREATE TRIGGER album_renamed AFTER UPDATE OF name, is_deleted ON album
WHEN old.name <> new.name OR old.is_deleted <> new.is_deleted
BEGIN
  INSERT INTO change (post) SELECT post FROM album_post WHERE album = new.id AND place IS NOT NULL;
END;
