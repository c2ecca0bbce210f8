-- Other programs find their way: a key names the column that it leads to, where Datasette and sqlite-utils ask for it
-- (`PRAGMA foreign_key_list` tells none else), and the index of words names its table as both look for it. What is
-- stored stays as it is: the way of https://www.sqlite.org/lang_altertable.html for changes that do not touch the
-- content. The views below make other connections read the schema again.

PRAGMA writable_schema = ON;

UPDATE sqlite_schema
SET sql = replace(replace(replace(replace(replace(replace(replace(replace(sql,
  'REFERENCES author', 'REFERENCES author (id)'),
  'REFERENCES blob', 'REFERENCES blob (id)'),
  'REFERENCES coverage', 'REFERENCES coverage (id)'),
  'REFERENCES cursor', 'REFERENCES cursor (id)'),
  'REFERENCES feed', 'REFERENCES feed (id)'),
  'REFERENCES post', 'REFERENCES post (id)'),
  'REFERENCES run', 'REFERENCES run (id)'),
  'REFERENCES tag', 'REFERENCES tag (id)')
WHERE type = 'table' AND name <> 'caption_fts';

UPDATE sqlite_schema SET sql = replace(sql, 'content = ''post''', 'content="post"')
WHERE type = 'table' AND name = 'caption_fts';

PRAGMA writable_schema = RESET;

-- What is asked for most, for people and programs that speak SQL. The library itself reads none of them.

-- Posts that are not deleted, with their author, and with the first picture that is kept: its file within the library.
CREATE VIEW live_post AS
SELECT p.id, p.source, p.created_at, p.author, u.handle, u.name, p.title, p.caption, p.warning, p.sensitive, p.language,
  p.url, p.uri, p.ends_at, p.edited_at, p.stored_at, p.updated_at,
  (SELECT 'blobs/' || substr(b.sha256, 1, 2) || '/' || substr(b.sha256, 3)
    FROM attachment a JOIN blob b ON b.id = a.blob
    WHERE a.post = p.id AND a.state = 'stored' ORDER BY a.position LIMIT 1) AS path
FROM post p LEFT JOIN author u ON u.id = p.author
WHERE NOT EXISTS (SELECT 1 FROM post_state s WHERE s.post = p.id AND s.deleted_at IS NOT NULL);

-- Every picture and other file that a post names; one that is kept has a path within the library.
CREATE VIEW picture AS
SELECT a.id, a.post, a.position, a.kind, a.state, a.alt, a.url, b.media_type, coalesce(b.width, a.width) AS width,
  coalesce(b.height, a.height) AS height, b.bytes, b.sha256, b.stored_at, a.failure,
  'blobs/' || substr(b.sha256, 1, 2) || '/' || substr(b.sha256, 3) AS path
FROM attachment a LEFT JOIN blob b ON b.id = a.blob AND a.state = 'stored';

-- What is missing between two stretches of a feed: the server's ids and the times of the posts above and below. What a
-- pull was to read and did not come to stands in "media gaps" too.
CREATE VIEW gap AS
SELECT f.id AS feed, f.name, u.oldest AS above, l.newest AS below,
  (SELECT created_at FROM feed_post WHERE feed = f.id AND remote_id = u.oldest) AS above_at,
  (SELECT created_at FROM feed_post WHERE feed = f.id AND remote_id = l.newest) AS below_at
FROM coverage u JOIN feed f ON f.id = u.feed
  JOIN coverage l ON l.id = (SELECT max(id) FROM coverage WHERE feed = u.feed AND id < u.id);

-- Every wording that an edit overwrote, and when the one after it was seen, beside what the post says now.
CREATE VIEW revision_text AS
SELECT r.id, r.post, u.handle, r.seen_at, r.title, r.caption, r.warning, p.title AS title_now, p.caption AS caption_now,
  p.warning AS warning_now
FROM revision r JOIN post p ON p.id = r.post LEFT JOIN author u ON u.id = p.author;
