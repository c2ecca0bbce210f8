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

-- Other posts are linked when they are pulled or looked up again.
INSERT INTO media.post_link (later, earlier)
SELECT greatest(p.id, q.id), least(p.id, q.id)
FROM media.post p JOIN media.post q ON q.uri = p.original AND q.source = 'bluesky'
WHERE length(p.original) <= 500;
