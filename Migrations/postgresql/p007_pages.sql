-- What a page of posts costs its writer and this server, and a search its reader.

-- The dates of the posts that a search found, without reading the posts.
CREATE INDEX post_moment ON media.post (id) INCLUDE (created_at);

-- The same words as before. Most texts are so short that no word of them is cut and all of them fit.
CREATE OR REPLACE FUNCTION media.words_of(line text) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  words text[] := array_remove(string_to_array(replace(line, E'\n', ' '), ' '), '');
BEGIN
  IF octet_length(line) > 500 THEN
    SELECT array_agg(DISTINCT left(word, 500)) INTO words FROM unnest(words) w (word);
    IF (SELECT sum(octet_length(word) + 2) FROM unnest(words) f (word)) > 900000 THEN RETURN NULL; END IF;
  END IF;
  RETURN array_to_tsvector(coalesce(words, '{}'));
END $$;

-- A program that has set media.indexes to on indexes what it writes before its transaction ends. Only what others write is
-- marked.
CREATE OR REPLACE FUNCTION media.after_post_text_insert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('media.indexes', true) IS DISTINCT FROM 'on' THEN
    INSERT INTO media.caption_words (post) SELECT id FROM new_rows;
  END IF;
  PERFORM media.note_unread(ARRAY(SELECT id FROM new_rows));
  RETURN NULL;
END $$;

-- Each row is looked up by its key, whatever the server believed of the tables when it planned the statement: a plan that
-- was made while they were small would read all of them for evermore. A subquery that returns a value is never made a join.

CREATE OR REPLACE FUNCTION media.after_tagging() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO media.total_delta (kind, ref, posts)
  WITH listed AS MATERIALIZED (
    SELECT n.tag FROM new_rows n WHERE (SELECT s.deleted_at FROM media.post_state s WHERE s.post = n.post) IS NULL)
  SELECT 'tag', tag, count(*) FROM listed GROUP BY tag
  UNION ALL SELECT 'tags', 0, count(*) FROM listed HAVING count(*) > 0;
  IF TG_TABLE_NAME = 'post_tag' THEN
    DELETE FROM media.tag_extra e USING new_rows n WHERE e.post = n.post AND e.tag = n.tag;
  END IF;
  INSERT INTO media.change (post) SELECT DISTINCT post FROM new_rows;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION media.after_feed_post_insert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO media.total_delta (kind, ref, posts)
  WITH brought AS MATERIALIZED (SELECT feed, post, count(*) AS times FROM new_rows GROUP BY feed, post)
  SELECT 'feed', n.feed, count(*) FROM brought n
  WHERE (SELECT count(*) FROM media.feed_post b WHERE b.post = n.post AND b.feed = n.feed) = n.times
    AND (SELECT s.deleted_at FROM media.post_state s WHERE s.post = n.post) IS NULL
  GROUP BY n.feed;
  PERFORM media.list_brought(array_agg(feed), array_agg(post)) FROM new_rows;
  INSERT INTO media.change (post) SELECT DISTINCT post FROM new_rows;
  RETURN NULL;
END $$;
