-- Loads made-up posts into a new library in PostgreSQL, as Benchmarks/Sources/LibraryBench/Writer.swift makes them up:
-- captions of some 200 characters, of 20,000 words of which the n-th is drawn about 1/n as often as the first; three tags
-- and a half, 1.3 pictures, an author of 50 posts; one feed, read to its end. It goes on where it was cut off.
--
--   psql -v posts=N -f posts.sql
--
-- Triggers and indexes are off until all rows are there; then the indexes are made, and the totals counted. Nothing else
-- may use the library meanwhile.
\set ON_ERROR_STOP on
SET client_min_messages = warning;
SET synchronous_commit = off;
CREATE SCHEMA IF NOT EXISTS made;

-- What the load put aside: the indexes, with their statements; the schema's own function of words; and whether it is done.
CREATE TABLE IF NOT EXISTS made.kept (name text PRIMARY KEY, statement text NOT NULL, is_back boolean NOT NULL DEFAULT false);
CREATE TABLE IF NOT EXISTS made.step (name text PRIMARY KEY);

CREATE OR REPLACE FUNCTION made.has_done(step text) RETURNS boolean LANGUAGE sql AS $$
  SELECT EXISTS (SELECT 1 FROM made.step s WHERE s.name = step)
$$;

-- A number from 0 to below 1 that looks drawn, the same for the same arguments.
CREATE OR REPLACE FUNCTION made.draw(number bigint, use bigint) RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT (hashint8extended(number, use) & 4294967295) / 4294967296.0::float8 $$;

-- The word of a rank: LibraryBench's Vocabulary.
CREATE OR REPLACE FUNCTION made.word(rank bigint, prefix text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  syllables text[] := '{ka,lo,mi,ren,tu,sha,vel,no,pi,dor,es,an}';
  rest bigint := rank + 12;
  word text := prefix;
BEGIN
  WHILE rest > 0 LOOP
    word := word || syllables[rest % 12 + 1];
    rest := rest / 12;
  END LOOP;
  RETURN word;
END $$;

-- 200,000 captions with their tags. Post n has one that looks drawn.
CREATE OR REPLACE PROCEDURE made.fill_pool() LANGUAGE plpgsql AS $$
BEGIN
  IF made.has_done('pool') THEN RETURN; END IF;
  DROP TABLE IF EXISTS made.word_of, made.pool;
  CREATE TABLE made.word_of AS SELECT n AS rank, made.word(n, '') AS word FROM generate_series(0, 19999) n;
  CREATE TABLE made.pool AS
  SELECT c.id, c.caption, t.tags FROM (
    SELECT d.id, string_agg(w.word, ' ' ORDER BY d.place) AS caption FROM (
      SELECT id, place, floor(20000 ^ made.draw(id * 64 + place, 1))::bigint - 1 AS rank
      FROM generate_series(0::bigint, 199999) id, generate_series(1, 24 + floor(made.draw(id, 2) * 17)::integer) place) d
    JOIN made.word_of w ON w.rank = greatest(d.rank, 0) GROUP BY d.id) c
  JOIN (
    -- Tag 1 is the feed's own; the others are numbered by their rank.
    SELECT id, array_agg(DISTINCT floor(2000 ^ made.draw(id * 64 + place, 3))::bigint + 1) AS tags
    FROM generate_series(0::bigint, 199999) id, generate_series(1, 1 + floor(made.draw(id, 4) * 4)::integer) place
    GROUP BY id) t ON t.id = c.id;
  ALTER TABLE made.pool ADD PRIMARY KEY (id);
  INSERT INTO made.step VALUES ('pool');
END $$;

CREATE OR REPLACE PROCEDURE made.put_aside() LANGUAGE plpgsql AS $$
DECLARE
  found record;
BEGIN
  IF made.has_done('aside') THEN RETURN; END IF;
  IF EXISTS (SELECT 1 FROM media.post) THEN RAISE EXCEPTION 'the library has posts already'; END IF;
  FOR found IN
    SELECT i.indexrelid::regclass AS name, pg_get_indexdef(i.indexrelid) AS statement FROM pg_index i
    WHERE i.indrelid = ANY ('{media.post,media.post_alias,media.attachment,media.post_tag,media.feed_post,media.recheck,
        media.caption_words,media.author}'::regclass[])
      AND NOT i.indisunique
  LOOP
    INSERT INTO made.kept VALUES (found.name::text, found.statement);
    EXECUTE 'DROP INDEX ' || found.name;
  END LOOP;
  INSERT INTO made.kept VALUES ('words_of', pg_get_functiondef('media.words_of'::regproc));
  -- The words of made-up captions are ASCII, short and few: this finds the same ones sooner.
  CREATE OR REPLACE FUNCTION media.words_of(line text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
    'SELECT array_to_tsvector(array_remove(string_to_array(replace(line, E''\n'', '' ''), '' ''), ''''))';
  INSERT INTO made.step VALUES ('aside');
END $$;

CREATE OR REPLACE PROCEDURE made.fill_lists(posts bigint) LANGUAGE plpgsql AS $$
BEGIN
  IF made.has_done('lists') THEN RETURN; END IF;
  INSERT INTO media.author (id, source, uri, server, handle, name)
  SELECT n + 1, 'mastodon', 'https://bench.example/users/' || n, 'https://bench.example', 'user' || n || '@bench.example',
    initcap(w.word) || ' ' || n
  FROM generate_series(0, greatest(posts / 50, 1) - 1) n JOIN made.word_of w ON w.rank = (n * 7919) % 20000 ORDER BY n;
  INSERT INTO media.tag (id, name) VALUES (1, 'cats');
  INSERT INTO media.tag (id, name) SELECT n + 2, made.word(n, 'tag') FROM generate_series(0, 1999) n;
  INSERT INTO media.blob (id, sha256, bytes, media_type, width, height, stored_at)
  SELECT n, lpad(to_hex(n), 64, '0'), 137000, 'image/jpeg', 1600, 1200, '2026-01-01T00:00:00.000Z'
  FROM generate_series(1, 1000000) n;
  INSERT INTO media.feed (id, name, source, kind, value, server, api)
  VALUES (1, 'tag:cats@bench.example', 'mastodon', 'tag', 'cats', 'https://bench.example', 'mastodon');
  INSERT INTO media.coverage (id, feed, newest, oldest, reached_end, walked_at)
  VALUES (1, 1, (posts - 1)::text, '0', 1, '2026-01-01T00:00:00.000Z');
  INSERT INTO made.step VALUES ('lists');
END $$;

-- The posts from one number to below another. Number 0 is the oldest; a post is 300 seconds after the one before it in a
-- million, and fewer in more: all sizes are ten years.
CREATE OR REPLACE PROCEDURE made.fill_posts(posts bigint, first bigint, beyond bigint) LANGUAGE plpgsql AS $$
BEGIN
  CREATE TEMPORARY TABLE made_post ON COMMIT DROP AS
  SELECT n, n + 1 AS id, floor(made.draw(n, 5) * greatest(posts / 50, 1))::bigint + 1 AS author,
    to_char(timestamp '2014-05-13 16:53:20' + n * (300 * interval '1000000 seconds' / 1000000) * (1000000::float8 / posts),
      'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS moment,
    1 + (made.draw(n, 6) < 0.3)::integer AS pictures, p.caption, p.tags
  FROM generate_series(first, beyond - 1) n JOIN made.pool p ON p.id = floor(made.draw(n, 7) * 200000)::bigint ORDER BY n;
  INSERT INTO media.post (id, source, uri, url, server, remote_id, author, created_at, caption, language, stored_at, updated_at)
  SELECT id, 'mastodon', 'https://bench.example/posts/' || n, 'https://bench.example/@somebody/' || n,
    'https://bench.example', n::text, author, moment, caption, 'en', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'
  FROM made_post ORDER BY n;
  INSERT INTO media.caption_words (post, line) SELECT id, ' ' || caption || E' \n  ' FROM made_post ORDER BY n;
  INSERT INTO media.post_alias (id, source, alias, post)
  SELECT id, 'mastodon', 'https://bench.example/@somebody/' || n, id FROM made_post ORDER BY n;
  INSERT INTO media.raw (post, server, pulled_at, body)
  SELECT id, 'https://bench.example', '2026-01-01T00:00:00.000Z', decode(
    md5(n || 'a') || md5(n || 'b') || md5(n || 'c') || md5(n || 'd') || md5(n || 'e') || md5(n || 'f') || md5(n || 'g')
    || md5(n || 'h') || md5(n || 'i') || md5(n || 'j') || md5(n || 'k') || md5(n || 'l'), 'hex')
  FROM made_post ORDER BY n;
  -- One picture of fifty is still to be fetched.
  INSERT INTO media.attachment (post, position, kind, remote_id, url, preview_url, width, height, blob, state)
  SELECT id, place, 'image', n || '-' || place, 'https://files.bench.example/' || n || '/' || place || '.jpg',
    'https://files.bench.example/' || n || '/' || place || '-small.jpg', 1600, 1200,
    CASE WHEN made.draw(n, 8) >= 0.02 THEN floor(made.draw(n * 2 + place, 9) * 1000000)::bigint + 1 END,
    CASE WHEN made.draw(n, 8) >= 0.02 THEN 'stored' ELSE 'pending' END
  FROM made_post, generate_series(0, pictures - 1) place ORDER BY n, place;
  INSERT INTO media.post_tag (tag, post, position, created_at)
  SELECT tag, id, place - 1, moment FROM made_post, unnest(ARRAY[1::bigint] || tags) WITH ORDINALITY t (tag, place)
  ORDER BY n, place;
  INSERT INTO media.feed_post (id, feed, remote_id, post, created_at, coverage, place, seen_at)
  SELECT id, 1, n::text, id, moment, 1, n - posts, '2026-01-01T00:00:00.000Z' FROM made_post ORDER BY n;
  INSERT INTO media.recheck (post, looks, checked_at) SELECT id, 3, '2026-01-01T00:00:00.000Z' FROM made_post ORDER BY n;
END $$;

CREATE OR REPLACE PROCEDURE made.fill_all(posts bigint, chunk bigint) LANGUAGE plpgsql AS $$
DECLARE
  done bigint;
BEGIN
  LOOP
    SELECT coalesce(max(id), 0) INTO done FROM media.post;
    EXIT WHEN done >= posts;
    CALL made.fill_posts(posts, done, least(done + chunk, posts));
    COMMIT;
    IF (done + chunk) % 500000 < chunk THEN RAISE WARNING '% of % posts', least(done + chunk, posts), posts; END IF;
  END LOOP;
END $$;

CREATE OR REPLACE PROCEDURE made.put_back() LANGUAGE plpgsql AS $$
DECLARE
  found record;
BEGIN
  FOR found IN SELECT name, statement FROM made.kept WHERE NOT is_back ORDER BY name LOOP
    RAISE WARNING '%', found.name;
    EXECUTE found.statement;
    UPDATE made.kept SET is_back = true WHERE name = found.name;
    COMMIT;
  END LOOP;
END $$;

CREATE OR REPLACE PROCEDURE made.count_all() LANGUAGE plpgsql AS $$
BEGIN
  IF made.has_done('counts') THEN RETURN; END IF;
  DELETE FROM media.total_base;
  DELETE FROM media.total_delta;
  INSERT INTO media.total_base
  SELECT 'library', 0, count(*) FROM media.post
  UNION ALL SELECT 'author', 0, 0
  UNION ALL SELECT 'author', author, count(*) FROM media.post GROUP BY author
  UNION ALL SELECT 'tags', 0, count(*) FROM media.post_tag
  UNION ALL SELECT 'tag', tag, count(*) FROM media.post_tag GROUP BY tag
  UNION ALL SELECT 'feed', feed, count(DISTINCT post) FROM media.feed_post GROUP BY feed;
  PERFORM media.set_identities();
  INSERT INTO made.step VALUES ('counts');
END $$;

SET session_replication_role = replica;
SET maintenance_work_mem = '1GB';
SET work_mem = '256MB';
CALL made.fill_pool();
CALL made.put_aside();
CALL made.fill_lists(:posts);
CALL made.fill_all(:posts, 20000);
CALL made.put_back();
CALL made.count_all();
SELECT made.has_done('vacuum') AS is_vacuumed \gset
\if :is_vacuumed
\else
VACUUM (FREEZE, ANALYZE);
INSERT INTO made.step VALUES ('vacuum');
\endif
