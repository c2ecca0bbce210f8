-- A search finds a post by its author, tags, alternative texts and file names, too. The index gets columns for them. Posts
-- that are there get theirs in steps, after the library was opened: the setting tells above which number they have them,
-- and is gone when the steps are done.

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

DROP TRIGGER post_unindexed;
DROP TRIGGER post_reindexed;

-- The index keeps the entries of the columns that it had: that the lengths of texts are not stored any more lets them stay.
-- Datasette and sqlite-utils look for the words in the comment, to find the index of a table's texts.
PRAGMA writable_schema = ON;

UPDATE sqlite_schema SET sql = 'CREATE VIRTUAL TABLE caption_fts USING fts5 /* content="post" */ (
  title, caption, warning, author, alt, tags, files,
  content="searched_post", content_rowid = ''id'', columnsize = 0,
  tokenize = ''unicode61 remove_diacritics 2'', prefix = ''2 3''
)' WHERE type = 'table' AND name = 'caption_fts';

PRAGMA writable_schema = RESET;

DROP TABLE caption_fts_docsize;

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

INSERT INTO setting (name, value) SELECT 'words-read', max(id) + 1 FROM post HAVING max(id) IS NOT NULL;
