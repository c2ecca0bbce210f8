-- Misskey shows the posts of the network that Mastodon shows, too. Its posts and authors were those of a source of their own, and
-- stood twice where both had brought them. Here the two become one, and nothing that the person did to either is lost.

CREATE TABLE twin (old INTEGER PRIMARY KEY, new INTEGER NOT NULL) STRICT;

-- Authors are the same by their handles: Misskey does not tell the identity of those of other servers. An identity counts at the
-- host of the handle and below it.
INSERT INTO twin
SELECT m.id, min(a.id) FROM author m JOIN author a ON a.handle = m.handle COLLATE NOCASE AND a.source = 'mastodon'
WHERE m.source = 'misskey' AND instr(m.handle, '@') > 1
  AND (lower(a.uri) LIKE 'https://' || lower(substr(m.handle, instr(m.handle, '@') + 1)) || '/%'
    OR lower(a.uri) LIKE 'https://%.' || lower(substr(m.handle, instr(m.handle, '@') + 1)) || '/%')
GROUP BY m.id;

UPDATE post SET author = (SELECT new FROM twin WHERE old = author) WHERE author IN (SELECT old FROM twin);
UPDATE feed_post SET repeated_by = (SELECT new FROM twin WHERE old = repeated_by)
WHERE repeated_by IS NOT NULL AND repeated_by IN (SELECT old FROM twin);
INSERT INTO hidden (kind, source, identity, name, is_hidden, stamp)
SELECT h.kind, 'mastodon', coalesce(a.uri, h.identity), h.name, h.is_hidden, h.stamp
FROM hidden h LEFT JOIN author m ON m.source = h.source AND m.uri = h.identity LEFT JOIN twin t ON t.old = m.id
  LEFT JOIN author a ON a.id = t.new
WHERE h.kind = 'author' AND h.source = 'misskey'
ON CONFLICT (kind, source, identity) DO UPDATE SET is_hidden = excluded.is_hidden, stamp = excluded.stamp
WHERE excluded.stamp > hidden.stamp;
DELETE FROM hidden WHERE source = 'misskey';
DELETE FROM author WHERE id IN (SELECT old FROM twin);
UPDATE author SET source = 'mastodon' WHERE source = 'misskey';
DELETE FROM twin;

INSERT INTO twin
SELECT m.id, p.id FROM post m JOIN post p ON p.source = 'mastodon' AND p.uri = m.uri WHERE m.source = 'misskey';

-- The later of two marks wins. A note that loses is kept. Only what was deleted twice stays deleted: the other one was in every list.
INSERT OR IGNORE INTO earlier_note (post, stamp, note)
SELECT t.new, e.stamp, e.note FROM earlier_note e JOIN twin t ON t.old = e.post;
INSERT OR IGNORE INTO earlier_note (post, stamp, note)
SELECT t.new, coalesce(lost.note_stamp, ''), lost.note
FROM twin t JOIN post_state o ON o.post = t.old JOIN post_state n ON n.post = t.new
  JOIN post_state lost ON lost.post = CASE WHEN coalesce(o.note_stamp, '') > coalesce(n.note_stamp, '') THEN n.post ELSE o.post END
WHERE lost.note IS NOT NULL AND o.note IS NOT n.note;
UPDATE post_state SET restored_at = deleted_at, deleted_at = NULL
WHERE deleted_at IS NOT NULL AND post IN (
  SELECT t.new FROM twin t LEFT JOIN post_state o ON o.post = t.old WHERE o.deleted_at IS NULL);
INSERT INTO post_state (
  post, deleted_at, restored_at, seen_at, seen_stamp, favourite, favourite_stamp, rating, rating_stamp, note, note_stamp, hidden,
  hidden_stamp)
SELECT t.new, CASE WHEN n.deleted_at IS NOT NULL THEN max(s.deleted_at, n.deleted_at) END, s.restored_at, s.seen_at, s.seen_stamp, s.favourite, s.favourite_stamp, s.rating, s.rating_stamp,
  s.note, s.note_stamp, s.hidden, s.hidden_stamp
FROM post_state s JOIN twin t ON t.old = s.post LEFT JOIN post_state n ON n.post = t.new WHERE true
ON CONFLICT (post) DO UPDATE SET
  deleted_at = excluded.deleted_at,
  restored_at = nullif(max(coalesce(excluded.restored_at, ''), coalesce(post_state.restored_at, '')), ''),
  seen_at = CASE WHEN coalesce(excluded.seen_stamp, '') > coalesce(post_state.seen_stamp, '')
    THEN excluded.seen_at ELSE post_state.seen_at END,
  seen_stamp = nullif(max(coalesce(excluded.seen_stamp, ''), coalesce(post_state.seen_stamp, '')), ''),
  favourite = CASE WHEN coalesce(excluded.favourite_stamp, '') > coalesce(post_state.favourite_stamp, '')
    THEN excluded.favourite ELSE post_state.favourite END,
  favourite_stamp = nullif(max(coalesce(excluded.favourite_stamp, ''), coalesce(post_state.favourite_stamp, '')), ''),
  rating = CASE WHEN coalesce(excluded.rating_stamp, '') > coalesce(post_state.rating_stamp, '')
    THEN excluded.rating ELSE post_state.rating END,
  rating_stamp = nullif(max(coalesce(excluded.rating_stamp, ''), coalesce(post_state.rating_stamp, '')), ''),
  note = CASE WHEN coalesce(excluded.note_stamp, '') > coalesce(post_state.note_stamp, '')
    THEN excluded.note ELSE post_state.note END,
  note_stamp = nullif(max(coalesce(excluded.note_stamp, ''), coalesce(post_state.note_stamp, '')), ''),
  hidden = CASE WHEN coalesce(excluded.hidden_stamp, '') > coalesce(post_state.hidden_stamp, '')
    THEN excluded.hidden ELSE post_state.hidden END,
  hidden_stamp = nullif(max(coalesce(excluded.hidden_stamp, ''), coalesce(post_state.hidden_stamp, '')), '');
DELETE FROM post_state WHERE post IN (SELECT old FROM twin);
INSERT INTO own_tag (name, post, is_set, stamp)
SELECT o.name, t.new, o.is_set, o.stamp FROM own_tag o JOIN twin t ON t.old = o.post WHERE true
ON CONFLICT (name, post) DO UPDATE SET is_set = excluded.is_set, stamp = excluded.stamp WHERE excluded.stamp > own_tag.stamp;
INSERT INTO album_post (album, post, place, stamp)
SELECT o.album, t.new, o.place, o.stamp FROM album_post o JOIN twin t ON t.old = o.post WHERE true
ON CONFLICT (album, post) DO UPDATE SET place = excluded.place, stamp = excluded.stamp WHERE excluded.stamp > album_post.stamp;
DELETE FROM share_post WHERE post IN (SELECT old FROM twin) AND EXISTS (
  SELECT 1 FROM share_post o JOIN twin t ON t.new = o.post WHERE o.share = share_post.share AND t.old = share_post.post);
UPDATE share_post SET post = (SELECT new FROM twin WHERE old = post) WHERE post IN (SELECT old FROM twin);
UPDATE OR IGNORE mark_before SET post = (SELECT new FROM twin WHERE old = post) WHERE post IN (SELECT old FROM twin);
DELETE FROM mark_before WHERE post IN (SELECT old FROM twin);

-- What only one of the two has: who may see it, other wordings, files, verbatim answers and places in feeds.
UPDATE post SET visibility = (SELECT o.visibility FROM twin t JOIN post o ON o.id = t.old WHERE t.new = post.id)
WHERE visibility IS NULL AND id IN (SELECT new FROM twin);
INSERT INTO revision (post, seen_at, title, caption, caption_html, warning)
SELECT t.new, o.updated_at, o.title, o.caption, o.caption_html, o.warning
FROM twin t JOIN post o ON o.id = t.old JOIN post n ON n.id = t.new
WHERE o.caption <> n.caption OR o.warning <> n.warning OR o.title IS NOT n.title;
UPDATE revision SET post = (SELECT new FROM twin WHERE old = post) WHERE post IN (SELECT old FROM twin);
UPDATE attachment AS a SET blob = o.blob, state = 'stored', next_try_at = NULL, failure = NULL, gone_at = NULL, skipped_by = NULL
FROM attachment o JOIN twin t ON t.old = o.post
WHERE a.post = t.new AND a.position = o.position AND o.state = 'stored' AND a.state <> 'stored';
UPDATE attachment SET post = (SELECT new FROM twin WHERE old = post)
WHERE post IN (SELECT old FROM twin) AND NOT EXISTS (
  SELECT 1 FROM twin t JOIN attachment f ON f.post = t.new WHERE t.old = attachment.post AND f.position = attachment.position);
UPDATE OR IGNORE raw SET post = (SELECT new FROM twin WHERE old = post) WHERE post IN (SELECT old FROM twin);
UPDATE OR IGNORE recheck SET post = (SELECT new FROM twin WHERE old = post) WHERE post IN (SELECT old FROM twin);
INSERT OR IGNORE INTO stale_text (post) SELECT new FROM twin;
UPDATE feed_post SET post = (SELECT new FROM twin WHERE old = post),
  created_at = (SELECT p.created_at FROM twin t JOIN post p ON p.id = t.new WHERE t.old = post)
WHERE post IN (SELECT old FROM twin);
UPDATE OR IGNORE quote SET post = (SELECT new FROM twin WHERE old = post) WHERE post IN (SELECT old FROM twin);
UPDATE quote SET quoted = (SELECT new FROM twin WHERE old = quoted) WHERE quoted IN (SELECT old FROM twin);
UPDATE post_alias SET post = (SELECT new FROM twin WHERE old = post) WHERE post IN (SELECT old FROM twin);

DELETE FROM post WHERE id IN (SELECT old FROM twin);
UPDATE post SET source = 'mastodon' WHERE source = 'misskey';
UPDATE OR IGNORE post_alias SET source = 'mastodon' WHERE source = 'misskey';
DELETE FROM post_alias WHERE source = 'misskey';
DROP TABLE twin;

-- What few posts have, for the filters that ask for it.
CREATE INDEX post_sensitive ON post (id) WHERE sensitive <> 0;
CREATE INDEX post_edited ON post (id) WHERE edited_at IS NOT NULL;
CREATE INDEX post_private ON post (id) WHERE visibility NOT IN ('public', 'unlisted');
CREATE INDEX attachment_other ON attachment (kind, post) WHERE kind <> 'image';
CREATE INDEX attachment_failed ON attachment (post) WHERE state = 'failed';
