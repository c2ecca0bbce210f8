-- How many posts each list holds, which of a tag's posts do not carry it, and which posts changed last. All three are
-- kept by triggers, whoever writes. The statements in them are plain: rows to count in are made beforehand, so that
-- counting is one UPDATE by key.

-- Posts that are not deleted: of the library, without a ref; of a tag, an author, a feed, by its id; posts without an
-- author under author 0. Kind 'tags' is all tags' lists together.
CREATE TABLE total (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('library', 'tags', 'tag', 'author', 'feed')),
  ref INTEGER NOT NULL,
  posts INTEGER NOT NULL,
  UNIQUE (kind, ref)
) STRICT;

-- Posts that a feed of a tag brought and that do not carry it. With post_tag they are the tag's list, each post once.
CREATE TABLE tag_extra (
  tag INTEGER NOT NULL REFERENCES tag,
  post INTEGER NOT NULL REFERENCES post ON DELETE CASCADE,
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

-- What is there.

INSERT INTO tag (name)
SELECT DISTINCT f.value FROM feed f
WHERE f.kind = 'tag' AND NOT EXISTS (SELECT 1 FROM tag t WHERE t.name = f.value)
  AND EXISTS (SELECT 1 FROM feed_post b WHERE b.feed = f.id);

INSERT INTO tag_extra (tag, post, created_at)
SELECT DISTINCT t.id, p.id, p.created_at
FROM feed f JOIN tag t ON t.name = f.value CROSS JOIN feed_post b ON b.feed = f.id JOIN post p ON p.id = b.post
WHERE f.kind = 'tag' AND NOT EXISTS (SELECT 1 FROM post_tag k WHERE k.post = b.post AND k.tag = t.id);

INSERT INTO total (kind, ref, posts)
SELECT 'library', 0, (SELECT count(*) FROM post) - (SELECT count(*) FROM post_state WHERE deleted_at IS NOT NULL);

INSERT INTO total (kind, ref, posts)
SELECT 'author', 0, count(*) FROM post p
WHERE p.author IS NULL AND NOT EXISTS (SELECT 1 FROM post_state s WHERE s.post = p.id AND s.deleted_at IS NOT NULL);

INSERT INTO total (kind, ref, posts)
SELECT 'author', a.id, (
  SELECT count(*) FROM post p WHERE p.author = a.id
    AND NOT EXISTS (SELECT 1 FROM post_state s WHERE s.post = p.id AND s.deleted_at IS NOT NULL))
FROM author a;

INSERT INTO total (kind, ref, posts)
SELECT 'tag', t.id, (
  SELECT count(*) FROM post_tag k WHERE k.tag = t.id
    AND NOT EXISTS (SELECT 1 FROM post_state s WHERE s.post = k.post AND s.deleted_at IS NOT NULL)
) + (
  SELECT count(*) FROM tag_extra e WHERE e.tag = t.id
    AND NOT EXISTS (SELECT 1 FROM post_state s WHERE s.post = e.post AND s.deleted_at IS NOT NULL))
FROM tag t;

INSERT INTO total (kind, ref, posts) SELECT 'tags', 0, coalesce(sum(posts), 0) FROM total WHERE kind = 'tag';

INSERT INTO total (kind, ref, posts)
SELECT 'feed', f.id, (
  SELECT count(DISTINCT b.post) FROM feed_post b WHERE b.feed = f.id
    AND NOT EXISTS (SELECT 1 FROM post_state s WHERE s.post = b.post AND s.deleted_at IS NOT NULL))
FROM feed f;

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

-- Tags.

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

CREATE TRIGGER post_brought AFTER INSERT ON feed_post BEGIN
  UPDATE total SET posts = posts + 1
  WHERE kind = 'feed' AND ref = new.feed
    AND NOT EXISTS (
      SELECT 1 FROM feed_post b INDEXED BY feed_post_post
      WHERE b.post = new.post AND b.feed = new.feed AND b.id <> new.id)
    AND NOT EXISTS (SELECT 1 FROM post_state s WHERE s.post = new.post AND s.deleted_at IS NOT NULL);
END;

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
