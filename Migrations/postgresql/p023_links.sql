-- Posts of two networks that are one, as in SQLite.

ALTER TABLE media.post ADD COLUMN original text COLLATE "C";
UPDATE media.post SET original = substr(uri, 33)
WHERE source = 'mastodon' AND uri >= 'https://bsky.brid.gy/convert/ap/at://' AND uri < 'https://bsky.brid.gy/convert/ap/at:/0';

CREATE INDEX post_url ON media.post (url) WHERE length(url) <= 500;
CREATE INDEX post_original ON media.post (original) WHERE length(original) <= 500;

CREATE TABLE media.post_link (
  later bigint NOT NULL REFERENCES media.post (id) ON DELETE CASCADE,
  earlier bigint NOT NULL REFERENCES media.post (id) ON DELETE CASCADE,
  PRIMARY KEY (later, earlier),
  CHECK (earlier < later)
);

CREATE INDEX post_link_earlier ON media.post_link (earlier);

INSERT INTO media.post_link (later, earlier)
SELECT greatest(p.id, q.id), least(p.id, q.id) FROM media.post p JOIN media.post q ON q.url = p.url
WHERE q.source < p.source AND length(p.url) <= 500 AND length(q.url) <= 500 AND p.url LIKE 'http%'
  AND (SELECT count(*) FROM (SELECT 1 FROM media.post o WHERE o.url = p.url AND length(o.url) <= 500 LIMIT 17) n) < 17
UNION
SELECT greatest(p.id, q.id), least(p.id, q.id)
FROM media.post p JOIN media.post q ON q.uri = p.url AND q.source IN ('bluesky', 'mastodon')
WHERE q.source <> p.source AND length(p.url) <= 500 AND p.url LIKE 'http%'
  AND (SELECT count(*) FROM (SELECT 1 FROM media.post o WHERE o.url = p.url AND length(o.url) <= 500 LIMIT 17) n) < 17
UNION
SELECT greatest(p.id, q.id), least(p.id, q.id)
FROM media.post p JOIN media.post q ON q.uri = p.original AND q.source = 'bluesky'
WHERE length(p.original) <= 500;
