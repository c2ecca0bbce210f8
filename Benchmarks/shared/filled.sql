-- Gives a library that posts.sql made the files and marks that ../filled.sql gives one in SQLite, and visibilities; each file to one
-- post alone. Triggers do not run: totals of files stay as they were, and no word of a file is found. Only first screens are measured.
--
--   psql -f filled.sql
\set ON_ERROR_STOP on
SET search_path = media;
SET session_replication_role = replica;
SET work_mem = '256MB';
SET synchronous_commit = off;
INSERT INTO blob (id, sha256, bytes, media_type, width, height, stored_at)
SELECT n, lpad(to_hex(n), 64, '0'), 137000, 'image/jpeg', 1600, 1200, '2026-01-01T00:00:00.000Z'
FROM generate_series(1000001, (SELECT max(id) FROM attachment)) n;
UPDATE blob SET bytes = CASE n WHEN 1 THEN 9000000 ELSE 50000 + id * 7919 % 900000 END,
  width = CASE WHEN n = 1 THEN 6000 WHEN n < 100 THEN 1080 WHEN n < 350 THEN 1200 ELSE 1600 END,
  height = CASE WHEN n = 1 THEN 4000 WHEN n < 100 THEN 1080 WHEN n < 350 THEN 1600 ELSE 1200 END
FROM (SELECT id AS b, id * 7919 % 1000 AS n FROM blob) x WHERE x.b = id;
UPDATE attachment SET kind = CASE id % 100 WHEN 1 THEN 'video' ELSE kind END,
  alt = CASE id % 3 WHEN 0 THEN 'a cat' END, blob = CASE WHEN id % 50 > 0 THEN id END,
  state = CASE WHEN id % 50 > 0 THEN 'stored' WHEN id % 1000 = 0 THEN 'failed' ELSE 'pending' END;
INSERT INTO file_facts (blob, taken_at, camera, latitude, longitude, country, duration)
SELECT b.id, replace(p.created_at, 'Z', ''), 'Camera ' || b.id % 7,
  CASE WHEN b.id % 2 = 0 THEN b.id * 7919 % 140000 / 1000.0 - 60 END,
  CASE WHEN b.id % 2 = 0 THEN b.id * 104729 % 360000 / 1000.0 - 180 END,
  CASE WHEN b.id % 2 = 0 THEN substr('ATDEFRITUSJP', (b.id / 20 % 6 * 2 + 1)::integer, 2) END,
  CASE a.kind WHEN 'video' THEN b.id % 300 * 1000 END
FROM blob b JOIN attachment a ON a.blob = b.id JOIN post p ON p.id = a.post WHERE b.id % 20 = 1 OR b.id % 10 = 4;
INSERT INTO picture_text (blob, engine, text, boxes) SELECT id, 'made', 'way out', '[]' FROM blob WHERE id % 200 = 3;
INSERT INTO picture_hash (blob, difference, mirrored, frequencies, thumbnail, width, height, same_as)
SELECT id, n, n, n, '\x00', width, height, first
FROM (SELECT *, hashint8extended(first, 1) AS n
  FROM (SELECT *, CASE WHEN id % 100 = 7 AND id > 2000 THEN id - 1001 ELSE id END AS first FROM blob WHERE id % 50 > 0) x) y;
INSERT INTO model (id, name, dimensions, used_at) VALUES (1, 'made', 0, '2026-01-01T00:00:00.000Z');
INSERT INTO machine_tag (blob, tag, score)
SELECT blob.id, t.value, 0.9 FROM blob JOIN (VALUES (0, 'cat'), (1, 'dog'), (2, 'boat')) t (key, value) ON blob.id % 30 = t.key;
UPDATE post SET sensitive = (id % 50 = 0)::integer, edited_at = CASE id % 200 WHEN 0 THEN created_at END,
  visibility = CASE WHEN id * 37 % 100 = 0 THEN 'direct' WHEN id * 37 % 100 <= 8 THEN 'followers' WHEN id * 37 % 100 <= 18 THEN 'unlisted' ELSE 'public' END;
UPDATE recheck SET gone_at = checked_at WHERE post % 500 = 0;
INSERT INTO post_state (post, seen_at, favourite, rating)
SELECT id, stored_at, CASE WHEN id % 33 = 0 THEN 1 END, CASE WHEN old <= most / 50 THEN 1 + id % 5 END
FROM (SELECT id, stored_at, row_number() OVER (ORDER BY created_at) AS old, count(*) OVER () AS most FROM post) x
WHERE old <= most / 2 OR id % 33 = 0;
INSERT INTO own_tag (name, post, is_set, stamp)
SELECT 'own' || lpad(n::text, 5, '0'), p.id, 1, '' FROM generate_series(0, 99999) n
  JOIN post p ON p.id = n % (SELECT max(id) FROM post) + 1;
INSERT INTO own_tag (name, post, is_set, stamp) SELECT 'often', id, 1, '' FROM post WHERE id % 5 = 0;
INSERT INTO own_tag (name, post, is_set, stamp) SELECT 'print', id, 1, '' FROM post WHERE id % 100 = 1;
VACUUM (ANALYZE);
