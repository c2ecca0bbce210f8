-- Gives a made-up library of LibraryBench what people and inspections add: stored files of several forms and sizes, as rows
-- alone, what these say of themselves, and marks.
--
--   sqlite3 media.sqlite < filled.sql
.bail on
BEGIN;
-- One file in fifty is still to be fetched. Of a thousand one is large, a hundred are square, 250 upright.
INSERT INTO blob (id, sha256, bytes, media_type, width, height, stored_at)
SELECT id, printf('%064x', id), CASE n WHEN 1 THEN 9000000 ELSE 50000 + id * 7919 % 900000 END, 'image/jpeg',
  CASE WHEN n = 1 THEN 6000 WHEN n < 100 THEN 1080 WHEN n < 350 THEN 1200 ELSE 1600 END,
  CASE WHEN n = 1 THEN 4000 WHEN n < 100 THEN 1080 WHEN n < 350 THEN 1600 ELSE 1200 END, '2026-01-01T00:00:00.000Z'
FROM (SELECT id, id * 7919 % 1000 AS n FROM attachment WHERE id % 50 > 0);
UPDATE attachment SET kind = CASE id % 100 WHEN 1 THEN 'video' ELSE kind END,
  alt = CASE id % 3 WHEN 0 THEN 'a cat' END, blob = CASE WHEN id % 50 > 0 THEN id END,
  state = CASE WHEN id % 50 > 0 THEN 'stored' WHEN id % 1000 = 0 THEN 'failed' ELSE state END;
INSERT INTO file_facts (blob, taken_at, camera, latitude, longitude, country, duration)
SELECT b.id, replace(p.created_at, 'Z', ''), 'Camera ' || (b.id % 7),
  CASE WHEN b.id % 2 = 0 THEN b.id * 7919 % 140000 / 1000.0 - 60 END,
  CASE WHEN b.id % 2 = 0 THEN b.id * 104729 % 360000 / 1000.0 - 180 END,
  CASE WHEN b.id % 2 = 0 THEN substr('ATDEFRITUSJP', b.id / 20 % 6 * 2 + 1, 2) END,
  CASE a.kind WHEN 'video' THEN b.id % 300 * 1000 END
FROM blob b JOIN attachment a ON a.blob = b.id JOIN post p ON p.id = a.post WHERE b.id % 20 = 1 OR b.id % 10 = 4;
INSERT INTO picture_text (blob, engine, text, boxes) SELECT id, 'made', 'way out', '[]' FROM blob WHERE id % 200 = 3;
-- One picture in a hundred is that of an earlier file.
INSERT INTO picture_hash (blob, difference, mirrored, frequencies, thumbnail, width, height, same_as)
SELECT id, n, n, n, x'00', width, height, first
FROM (SELECT *, first * 2654435761 * 977 & 0x7fffffffffffffff AS n
  FROM (SELECT *, CASE WHEN id % 100 = 7 AND id > 2000 THEN id - 1001 ELSE id END AS first FROM blob));
INSERT INTO model (id, name, dimensions, used_at) VALUES (1, 'made', 0, '2026-01-01T00:00:00.000Z');
INSERT INTO machine_tag (blob, tag, score)
SELECT blob.id, t.value, 0.9 FROM blob, json_each('["cat", "dog", "boat"]') t WHERE blob.id % 30 = t.key;
UPDATE post SET sensitive = id % 50 = 0, edited_at = CASE id % 200 WHEN 0 THEN created_at END;
INSERT INTO recheck (post, looks, checked_at, gone_at)
SELECT id, 1, stored_at, stored_at FROM post WHERE id % 500 = 0
ON CONFLICT (post) DO UPDATE SET gone_at = excluded.gone_at;
-- The older half was looked at. Of a million posts 30,000 are favourites, and the oldest 20,000 are rated.
INSERT INTO post_state (post, seen_at, favourite, rating)
SELECT id, stored_at, CASE WHEN id % 33 = 0 THEN 1 END, CASE WHEN old <= most / 50 THEN 1 + id % 5 END
FROM (SELECT id, stored_at, row_number() OVER (ORDER BY created_at) AS old, count(*) OVER () AS most FROM post)
WHERE old <= most / 2 OR id % 33 = 0;
-- 100,000 own tags of one post each, and one of a fifth of all posts.
INSERT INTO own_tag (name, post, is_set, stamp)
SELECT printf('own%05d', n.value), p.id, 1, '' FROM generate_series(0, 99999) n
  JOIN post p ON p.id = n.value % (SELECT max(id) FROM post) + 1;
INSERT INTO own_tag (name, post, is_set, stamp) SELECT 'often', id, 1, '' FROM post WHERE id % 5 = 0;
COMMIT;
