-- The search index, the views, and functions by which statements read as they do in SQLite.

-- The words of each post's texts, as SQLite's FTS5 finds them. A program writes line: the words of each text between
-- spaces, one text a line. NULL waits for it. It finds phrases; words finds the posts. A word of which words keeps only
-- the beginning, or a post with more words than fit (words is then NULL), is found by line alone.
CREATE FUNCTION media.words_of(line text) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  found text[];
BEGIN
  SELECT array_agg(DISTINCT left(word, 500)) INTO found
  FROM unnest(string_to_array(replace(line, E'\n', ' '), ' ')) w (word) WHERE word <> '';
  IF (SELECT sum(octet_length(word) + 2) FROM unnest(found) f (word)) > 900000 THEN RETURN NULL; END IF;
  RETURN array_to_tsvector(coalesce(found, '{}'));
END $$;

CREATE TABLE media.caption_words (
  post bigint PRIMARY KEY REFERENCES media.post (id) ON DELETE CASCADE,
  line text COLLATE "C",
  words tsvector GENERATED ALWAYS AS (media.words_of(line)) STORED
);

CREATE INDEX caption_words_words ON media.caption_words USING gin (words);
CREATE INDEX caption_words_waiting ON media.caption_words (post) WHERE line IS NULL;
CREATE INDEX caption_words_long ON media.caption_words (post) WHERE words IS NULL AND line IS NOT NULL;

-- Notes for the rest of the transaction which posts wait. Looking for them in the table would make transactions that are
-- SERIALIZABLE depend on each other.
CREATE FUNCTION media.note_unread(numbers bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF cardinality(numbers) = 0 THEN RETURN; END IF;
  PERFORM set_config('media.unread', concat_ws(',', nullif(current_setting('media.unread', true), ''),
    array_to_string(numbers, ',')), true);
END $$;

CREATE FUNCTION media.after_post_text_insert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO media.caption_words (post) SELECT id FROM new_rows;
  PERFORM media.note_unread(ARRAY(SELECT id FROM new_rows));
  RETURN NULL;
END $$;

CREATE TRIGGER post_unread AFTER INSERT ON media.post REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION media.after_post_text_insert();

CREATE FUNCTION media.after_post_text_update() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed bigint[] := ARRAY(SELECT n.id FROM old_rows o JOIN new_rows n ON n.id = o.id
    WHERE (o.title, o.caption, o.warning) IS DISTINCT FROM (n.title, n.caption, n.warning));
BEGIN
  IF cardinality(changed) = 0 THEN RETURN NULL; END IF;
  UPDATE media.caption_words SET line = NULL WHERE post = ANY (changed);
  PERFORM media.note_unread(changed);
  RETURN NULL;
END $$;

CREATE TRIGGER post_unread_again AFTER UPDATE ON media.post REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION media.after_post_text_update();

-- A search is one text: {"words": tsquery, "parts": [texts that line must hold, too], "all": [those of every word]}.
CREATE FUNCTION media.holds(line text, parts json) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT NOT EXISTS (SELECT 1 FROM json_array_elements_text(parts) p (part) WHERE strpos(line, part) = 0)
$$;

-- Whether a search finds a post.
CREATE FUNCTION media.is_found(number bigint, search text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT 1 FROM media.caption_words w WHERE w.post = number
      AND CASE WHEN w.words IS NULL THEN w.line IS NOT NULL AND media.holds(w.line, search::json -> 'all')
        ELSE w.words @@ (search::json ->> 'words')::tsquery AND media.holds(w.line, search::json -> 'parts') END)
$$;

-- The posts that a search finds, in no order; at most so many, all with a negative number. The index is used however
-- common the server believes a word to be: reading all posts for a rare word takes seconds.
CREATE FUNCTION media.found(search text, most bigint) RETURNS TABLE (post bigint) LANGUAGE plpgsql STABLE ROWS 1000
SET enable_seqscan = off SET enable_indexscan = on SET enable_bitmapscan = on AS $$
DECLARE
  query tsquery := (search::json ->> 'words')::tsquery;
  parts json := search::json -> 'parts';
  every json := search::json -> 'all';
BEGIN
  IF json_array_length(parts) = 0 THEN
    RETURN QUERY SELECT w.post FROM media.caption_words w WHERE w.words @@ query
      LIMIT CASE WHEN most < 0 THEN NULL ELSE most END;
  ELSE
    RETURN QUERY SELECT w.post FROM media.caption_words w WHERE w.words @@ query AND media.holds(w.line, parts)
      LIMIT CASE WHEN most < 0 THEN NULL ELSE most END;
  END IF;
  RETURN QUERY SELECT w.post FROM media.caption_words w
    WHERE w.words IS NULL AND w.line IS NOT NULL AND media.holds(w.line, every)
    LIMIT CASE WHEN most < 0 THEN NULL ELSE most END;
END $$;

-- Many values as one argument: what SQLite's json_each returns, of numbers and of texts.
CREATE FUNCTION media.json_numbers(list text) RETURNS TABLE (key bigint, value bigint)
LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 50 AS $$
  SELECT e.place - 1, e.content::bigint FROM json_array_elements_text(list::json) WITH ORDINALITY e (content, place)
$$;

CREATE FUNCTION media.json_texts(list text) RETURNS TABLE (key bigint, value text)
LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 50 AS $$
  SELECT e.place - 1, e.content COLLATE "C" FROM json_array_elements_text(list::json) WITH ORDINALITY e (content, place)
$$;

CREATE FUNCTION media.iif(condition boolean, yes anycompatible, no anycompatible) RETURNS anycompatible
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT CASE WHEN condition THEN yes ELSE no END $$;

-- Days since noon in Greenwich on November 24, 4714 BC (Gregorian), as SQLite counts them.
CREATE FUNCTION media.julianday(moment text) RETURNS double precision LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT (extract(epoch FROM moment::timestamptz) / 86400)::double precision + 2440587.5
$$;

-- After rows with numbers of their own were inserted, new rows get higher ones.
CREATE FUNCTION media.set_identities() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  name text;
BEGIN
  FOR name IN SELECT table_name FROM information_schema.columns
    WHERE table_schema = 'media' AND column_name = 'id' AND identity_generation = 'BY DEFAULT'
  LOOP
    EXECUTE format(
      'SELECT setval(pg_get_serial_sequence(%L, ''id''), greatest((SELECT max(id) FROM media.%I), 1), '
      '  (SELECT max(id) FROM media.%I) IS NOT NULL)', 'media.' || name, name, name);
  END LOOP;
END $$;

CREATE VIEW media.live_post AS
SELECT p.id, p.source, p.created_at, p.author, u.handle, u.name, p.title, p.caption, p.warning, p.sensitive, p.language,
  p.url, p.uri, p.ends_at, p.edited_at, p.stored_at, p.updated_at,
  (SELECT 'blobs/' || substr(b.sha256, 1, 2) || '/' || substr(b.sha256, 3)
    FROM media.attachment a JOIN media.blob b ON b.id = a.blob
    WHERE a.post = p.id AND a.state = 'stored' ORDER BY a.position LIMIT 1) AS path
FROM media.post p LEFT JOIN media.author u ON u.id = p.author
WHERE NOT EXISTS (SELECT 1 FROM media.post_state s WHERE s.post = p.id AND s.deleted_at IS NOT NULL);

CREATE VIEW media.picture AS
SELECT a.id, a.post, a.position, a.kind, a.state, a.alt, a.url, b.media_type, coalesce(b.width, a.width) AS width,
  coalesce(b.height, a.height) AS height, b.bytes, b.sha256, b.stored_at, a.failure,
  'blobs/' || substr(b.sha256, 1, 2) || '/' || substr(b.sha256, 3) AS path
FROM media.attachment a LEFT JOIN media.blob b ON b.id = a.blob AND a.state = 'stored';

CREATE VIEW media.revision_text AS
SELECT r.id, r.post, u.handle, r.seen_at, r.title, r.caption, r.warning, p.title AS title_now, p.caption AS caption_now,
  p.warning AS warning_now
FROM media.revision r JOIN media.post p ON p.id = r.post LEFT JOIN media.author u ON u.id = p.author;

CREATE VIEW media.gap AS
SELECT f.id AS feed, f.name, u.oldest AS above, l.newest AS below,
  (SELECT created_at FROM media.feed_post WHERE feed = f.id AND remote_id = u.oldest) AS above_at,
  (SELECT created_at FROM media.feed_post WHERE feed = f.id AND remote_id = l.newest) AS below_at
FROM media.coverage u JOIN media.feed f ON f.id = u.feed
  JOIN media.coverage l ON l.id = (
    SELECT max(id) FROM media.coverage WHERE feed = u.feed AND id < u.id AND heir_place IS NULL)
WHERE u.heir_place IS NULL AND u.heir IS DISTINCT FROM l.id AND l.heir IS DISTINCT FROM u.id;
