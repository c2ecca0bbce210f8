-- Tables for a local store of posts: those of the sketch, the pipeline and the loaders.
CREATE TABLE IF NOT EXISTS accounts(id INTEGER PRIMARY KEY, acct TEXT NOT NULL, display_name TEXT, avatar TEXT);
CREATE TABLE IF NOT EXISTS posts(id INTEGER PRIMARY KEY, account INTEGER NOT NULL, created_at TEXT NOT NULL, url TEXT, language TEXT,
  sensitive INTEGER, caption TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS media(id INTEGER PRIMARY KEY, post INTEGER NOT NULL, position INTEGER NOT NULL, url TEXT NOT NULL,
  preview_url TEXT, width INTEGER, height INTEGER, alt TEXT, sha256 TEXT);
CREATE INDEX IF NOT EXISTS media_post ON media(post);
CREATE TABLE IF NOT EXISTS post_tags(post INTEGER NOT NULL, tag TEXT NOT NULL, PRIMARY KEY(tag, post)) WITHOUT ROWID;
CREATE VIRTUAL TABLE IF NOT EXISTS posts_fts USING fts5(caption, content="posts", content_rowid="id");
CREATE TRIGGER IF NOT EXISTS posts_ai AFTER INSERT ON posts BEGIN INSERT INTO posts_fts(rowid, caption) VALUES(new.id, new.caption); END;
CREATE TRIGGER IF NOT EXISTS posts_ad AFTER DELETE ON posts BEGIN
  INSERT INTO posts_fts(posts_fts, rowid, caption) VALUES('delete', old.id, old.caption); END;
