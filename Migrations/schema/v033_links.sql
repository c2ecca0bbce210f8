-- Posts of two networks that are one: bridges and feeds show a post at another place, and name its address.

-- The address of the post of another network that this one is a copy of, as a bridge names it.
ALTER TABLE post ADD COLUMN original TEXT;
UPDATE post SET original = substr(uri, 33)
WHERE source = 'mastodon' AND uri >= 'https://bsky.brid.gy/convert/ap/at://' AND uri < 'https://bsky.brid.gy/convert/ap/at:/0';

-- A longer address names no post.
CREATE INDEX post_url ON post (url) WHERE length(url) <= 500;
CREATE INDEX post_original ON post (original) WHERE length(original) <= 500;

-- Of two posts that are linked, the earlier one is that which was stored first.
CREATE TABLE post_link (
  later INTEGER NOT NULL REFERENCES post (id) ON DELETE CASCADE,
  earlier INTEGER NOT NULL REFERENCES post (id) ON DELETE CASCADE,
  PRIMARY KEY (later, earlier),
  CHECK (earlier < later)
) STRICT, WITHOUT ROWID;

CREATE INDEX post_link_earlier ON post_link (earlier);

-- Other posts are linked when they are pulled or looked up again.
INSERT INTO post_link (later, earlier)
SELECT max(p.id, q.id), min(p.id, q.id)
FROM post p CROSS JOIN post q ON q.uri = p.original AND q.source = 'bluesky'
WHERE length(p.original) <= 500;
