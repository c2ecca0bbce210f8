-- As in SQLite: Misskey shows the posts of the network that Mastodon shows, too. Its posts and authors were those of a source of their own, and
-- stood twice where both had brought them. Here the two become one, and nothing that the person did to either is lost.

DO $$
BEGIN
IF EXISTS (SELECT 1 FROM media.author WHERE source = 'misskey') OR EXISTS (SELECT 1 FROM media.post WHERE source = 'misskey') THEN

CREATE TABLE media.twin (old bigint PRIMARY KEY, new bigint NOT NULL);

-- Authors are the same by their handles: Misskey does not tell the identity of those of other servers. An identity counts at the
-- host of the handle and below it.
INSERT INTO media.twin
SELECT m.id, min(a.id) FROM media.author m JOIN media.author a
  ON lower(a.handle COLLATE "C") = lower(m.handle COLLATE "C") AND a.source = 'mastodon'
WHERE m.source = 'misskey' AND position('@' IN m.handle) > 1
  AND (lower(a.uri) LIKE 'https://' || lower(split_part(m.handle, '@', 2)) || '/%'
    OR lower(a.uri) LIKE 'https://%.' || lower(split_part(m.handle, '@', 2)) || '/%')
GROUP BY m.id;

UPDATE media.post SET author = (SELECT new FROM media.twin WHERE old = author) WHERE author IN (SELECT old FROM media.twin);
UPDATE media.feed_post SET repeated_by = (SELECT new FROM media.twin WHERE old = repeated_by)
WHERE repeated_by IS NOT NULL AND repeated_by IN (SELECT old FROM media.twin);
INSERT INTO media.hidden AS hidden (kind, source, identity, name, is_hidden, stamp)
SELECT DISTINCT ON (coalesce(a.uri, h.identity)) h.kind, 'mastodon', coalesce(a.uri, h.identity), h.name, h.is_hidden, h.stamp
FROM media.hidden h LEFT JOIN media.author m ON m.source = h.source AND m.uri = h.identity LEFT JOIN media.twin t ON t.old = m.id
  LEFT JOIN media.author a ON a.id = t.new
WHERE h.kind = 'author' AND h.source = 'misskey'
ORDER BY coalesce(a.uri, h.identity), h.stamp DESC
ON CONFLICT (kind, source, identity) DO UPDATE SET is_hidden = excluded.is_hidden, stamp = excluded.stamp
WHERE excluded.stamp > hidden.stamp;
DELETE FROM media.hidden WHERE source = 'misskey';
DELETE FROM media.author WHERE id IN (SELECT old FROM media.twin);
UPDATE media.author SET source = 'mastodon' WHERE source = 'misskey';
DELETE FROM media.twin;

INSERT INTO media.twin
SELECT m.id, p.id FROM media.post m JOIN media.post p ON p.source = 'mastodon' AND p.uri = m.uri WHERE m.source = 'misskey';

-- The later of two marks wins. A note that loses is kept. Only what was deleted twice stays deleted: the other one was in every list.
INSERT INTO media.earlier_note (post, stamp, note)
SELECT t.new, e.stamp, e.note FROM media.earlier_note e JOIN media.twin t ON t.old = e.post
ON CONFLICT DO NOTHING;
INSERT INTO media.earlier_note (post, stamp, note)
SELECT t.new, coalesce(lost.note_stamp, ''), lost.note
FROM media.twin t JOIN media.post_state o ON o.post = t.old JOIN media.post_state n ON n.post = t.new
  JOIN media.post_state lost ON lost.post = CASE WHEN coalesce(o.note_stamp, '') > coalesce(n.note_stamp, '') THEN n.post ELSE o.post END
WHERE lost.note IS NOT NULL AND o.note IS DISTINCT FROM n.note
ON CONFLICT DO NOTHING;
UPDATE media.post_state SET restored_at = deleted_at, deleted_at = NULL
WHERE deleted_at IS NOT NULL AND post IN (
  SELECT t.new FROM media.twin t LEFT JOIN media.post_state o ON o.post = t.old WHERE o.deleted_at IS NULL);
INSERT INTO media.post_state AS post_state (
  post, deleted_at, restored_at, seen_at, seen_stamp, favourite, favourite_stamp, rating, rating_stamp, note, note_stamp, hidden,
  hidden_stamp)
SELECT t.new, CASE WHEN n.deleted_at IS NOT NULL AND s.deleted_at IS NOT NULL THEN greatest(s.deleted_at, n.deleted_at) END,
  s.restored_at, s.seen_at, s.seen_stamp, s.favourite, s.favourite_stamp, s.rating, s.rating_stamp,
  s.note, s.note_stamp, s.hidden, s.hidden_stamp
FROM media.post_state s JOIN media.twin t ON t.old = s.post LEFT JOIN media.post_state n ON n.post = t.new
ON CONFLICT (post) DO UPDATE SET
  deleted_at = excluded.deleted_at,
  restored_at = nullif(greatest(coalesce(excluded.restored_at, ''), coalesce(post_state.restored_at, '')), ''),
  seen_at = CASE WHEN coalesce(excluded.seen_stamp, '') > coalesce(post_state.seen_stamp, '')
    THEN excluded.seen_at ELSE post_state.seen_at END,
  seen_stamp = nullif(greatest(coalesce(excluded.seen_stamp, ''), coalesce(post_state.seen_stamp, '')), ''),
  favourite = CASE WHEN coalesce(excluded.favourite_stamp, '') > coalesce(post_state.favourite_stamp, '')
    THEN excluded.favourite ELSE post_state.favourite END,
  favourite_stamp = nullif(greatest(coalesce(excluded.favourite_stamp, ''), coalesce(post_state.favourite_stamp, '')), ''),
  rating = CASE WHEN coalesce(excluded.rating_stamp, '') > coalesce(post_state.rating_stamp, '')
    THEN excluded.rating ELSE post_state.rating END,
  rating_stamp = nullif(greatest(coalesce(excluded.rating_stamp, ''), coalesce(post_state.rating_stamp, '')), ''),
  note = CASE WHEN coalesce(excluded.note_stamp, '') > coalesce(post_state.note_stamp, '')
    THEN excluded.note ELSE post_state.note END,
  note_stamp = nullif(greatest(coalesce(excluded.note_stamp, ''), coalesce(post_state.note_stamp, '')), ''),
  hidden = CASE WHEN coalesce(excluded.hidden_stamp, '') > coalesce(post_state.hidden_stamp, '')
    THEN excluded.hidden ELSE post_state.hidden END,
  hidden_stamp = nullif(greatest(coalesce(excluded.hidden_stamp, ''), coalesce(post_state.hidden_stamp, '')), '');
DELETE FROM media.post_state WHERE post IN (SELECT old FROM media.twin);
INSERT INTO media.own_tag AS own_tag (name, post, is_set, stamp)
SELECT o.name, t.new, o.is_set, o.stamp FROM media.own_tag o JOIN media.twin t ON t.old = o.post
ON CONFLICT (name, post) DO UPDATE SET is_set = excluded.is_set, stamp = excluded.stamp WHERE excluded.stamp > own_tag.stamp;
INSERT INTO media.album_post AS album_post (album, post, place, stamp)
SELECT o.album, t.new, o.place, o.stamp FROM media.album_post o JOIN media.twin t ON t.old = o.post
ON CONFLICT (album, post) DO UPDATE SET place = excluded.place, stamp = excluded.stamp WHERE excluded.stamp > album_post.stamp;
DELETE FROM media.share_post p USING media.twin t, media.share_post o
WHERE p.post = t.old AND o.post = t.new AND o.share = p.share;
UPDATE media.share_post SET post = (SELECT new FROM media.twin WHERE old = post) WHERE post IN (SELECT old FROM media.twin);
UPDATE media.mark_before b SET post = t.new FROM media.twin t
WHERE b.post = t.old AND NOT EXISTS (
  SELECT 1 FROM media.mark_before o
  WHERE o.change = b.change AND o.mark = b.mark AND o.name = b.name AND o.post = t.new);
DELETE FROM media.mark_before WHERE post IN (SELECT old FROM media.twin);

-- What only one of the two has: who may see it, other wordings, files, verbatim answers and places in feeds.
UPDATE media.post p SET visibility = o.visibility FROM media.twin t JOIN media.post o ON o.id = t.old
WHERE p.id = t.new AND p.visibility IS NULL;
INSERT INTO media.revision (post, seen_at, title, caption, caption_html, warning)
SELECT t.new, o.updated_at, o.title, o.caption, o.caption_html, o.warning
FROM media.twin t JOIN media.post o ON o.id = t.old JOIN media.post n ON n.id = t.new
WHERE o.caption <> n.caption OR o.warning <> n.warning OR o.title IS DISTINCT FROM n.title;
UPDATE media.revision SET post = (SELECT new FROM media.twin WHERE old = post) WHERE post IN (SELECT old FROM media.twin);
UPDATE media.attachment AS a SET blob = o.blob, state = 'stored', next_try_at = NULL, failure = NULL, gone_at = NULL, skipped_by = NULL
FROM media.attachment o JOIN media.twin t ON t.old = o.post
WHERE a.post = t.new AND a.position = o.position AND o.state = 'stored' AND a.state <> 'stored';
UPDATE media.attachment a SET post = t.new FROM media.twin t
WHERE a.post = t.old AND NOT EXISTS (
  SELECT 1 FROM media.attachment f WHERE f.post = t.new AND f.position = a.position);
UPDATE media.raw r SET post = t.new FROM media.twin t
WHERE r.post = t.old AND NOT EXISTS (SELECT 1 FROM media.raw o WHERE o.post = t.new);
UPDATE media.recheck r SET post = t.new FROM media.twin t
WHERE r.post = t.old AND NOT EXISTS (SELECT 1 FROM media.recheck o WHERE o.post = t.new);
INSERT INTO media.stale_text (post) SELECT new FROM media.twin ON CONFLICT DO NOTHING;
UPDATE media.feed_post SET post = (SELECT new FROM media.twin WHERE old = post),
  created_at = (SELECT p.created_at FROM media.twin t JOIN media.post p ON p.id = t.new WHERE t.old = post)
WHERE post IN (SELECT old FROM media.twin);
UPDATE media.quote q SET post = t.new FROM media.twin t
WHERE q.post = t.old AND NOT EXISTS (SELECT 1 FROM media.quote o WHERE o.post = t.new);
UPDATE media.quote SET quoted = (SELECT new FROM media.twin WHERE old = quoted) WHERE quoted IN (SELECT old FROM media.twin);
UPDATE media.post_alias SET post = (SELECT new FROM media.twin WHERE old = post) WHERE post IN (SELECT old FROM media.twin);

DELETE FROM media.post WHERE id IN (SELECT old FROM media.twin);
UPDATE media.post SET source = 'mastodon' WHERE source = 'misskey';
UPDATE media.post_alias a SET source = 'mastodon'
WHERE source = 'misskey' AND NOT EXISTS (
  SELECT 1 FROM media.post_alias o WHERE o.source = 'mastodon' AND o.alias = a.alias);
DELETE FROM media.post_alias WHERE source = 'misskey';
DROP TABLE media.twin;

END IF;
END $$;

-- What few posts have, for the filters that ask for it.
CREATE INDEX post_sensitive ON media.post (id) WHERE sensitive <> 0;
CREATE INDEX post_edited ON media.post (id) WHERE edited_at IS NOT NULL;
CREATE INDEX post_private ON media.post (id) WHERE visibility NOT IN ('public', 'unlisted');
CREATE INDEX attachment_other ON media.attachment (kind, post) WHERE kind <> 'image';
CREATE INDEX attachment_failed ON media.attachment (post) WHERE state = 'failed';
