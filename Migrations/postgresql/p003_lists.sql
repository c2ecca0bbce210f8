-- Triggers of the lists of tags and feeds, of attachments, and of what harvests find out.

-- Tags: both tables together are a tag's list.

CREATE FUNCTION media.after_tagging() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO media.total_delta (kind, ref, posts)
  SELECT 'tag', tag, count(*) FROM new_rows WHERE NOT media.is_deleted(post) GROUP BY tag
  UNION ALL SELECT 'tags', 0, count(*) FROM new_rows WHERE NOT media.is_deleted(post) HAVING count(*) > 0;
  IF TG_TABLE_NAME = 'post_tag' THEN
    DELETE FROM media.tag_extra e USING new_rows n WHERE e.post = n.post AND e.tag = n.tag;
  END IF;
  INSERT INTO media.change (post) SELECT DISTINCT post FROM new_rows;
  RETURN NULL;
END $$;

CREATE TRIGGER post_tagged AFTER INSERT ON media.post_tag REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION media.after_tagging();
CREATE TRIGGER post_extra_tagged AFTER INSERT ON media.tag_extra REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION media.after_tagging();

CREATE FUNCTION media.after_untagging() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO media.total_delta (kind, ref, posts)
  SELECT 'tag', tag, -count(*) FROM old_rows WHERE NOT media.is_deleted(post) GROUP BY tag
  UNION ALL SELECT 'tags', 0, -count(*) FROM old_rows WHERE NOT media.is_deleted(post) HAVING count(*) > 0;
  IF TG_TABLE_NAME = 'post_tag' THEN
    INSERT INTO media.tag_extra (tag, post, created_at)
    SELECT o.tag, p.id, p.created_at FROM old_rows o JOIN media.post p ON p.id = o.post
    WHERE EXISTS (
      SELECT 1 FROM media.feed_post b JOIN media.feed f ON f.id = b.feed JOIN media.tag t ON t.name = f.value
      WHERE b.post = o.post AND f.kind = 'tag' AND t.id = o.tag)
    ON CONFLICT (post, tag) DO NOTHING;
  END IF;
  INSERT INTO media.change (post) SELECT DISTINCT post FROM old_rows;
  RETURN NULL;
END $$;

CREATE TRIGGER post_untagged AFTER DELETE ON media.post_tag REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION media.after_untagging();
CREATE TRIGGER post_extra_untagged AFTER DELETE ON media.tag_extra REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION media.after_untagging();

-- Feeds. A post counts once in a feed, however often the feed showed it.

-- Posts that a feed of a tag brought are in the tag's list even if they do not carry the tag.
CREATE FUNCTION media.list_brought(feeds bigint[], posts bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM media.feed f WHERE f.id = ANY (feeds) AND f.kind = 'tag') THEN RETURN; END IF;
  INSERT INTO media.tag (name)
  SELECT DISTINCT f.value FROM unnest(feeds, posts) b (feed, post) JOIN media.feed f ON f.id = b.feed
  WHERE f.kind = 'tag' AND NOT EXISTS (SELECT 1 FROM media.tag t WHERE t.name = f.value)
  ORDER BY f.value
  ON CONFLICT (name) DO NOTHING;
  INSERT INTO media.tag_extra (tag, post, created_at)
  SELECT DISTINCT t.id, p.id, p.created_at
  FROM unnest(feeds, posts) b (feed, post) JOIN media.feed f ON f.id = b.feed JOIN media.tag t ON t.name = f.value
    JOIN media.post p ON p.id = b.post
  WHERE f.kind = 'tag' AND NOT EXISTS (SELECT 1 FROM media.post_tag k WHERE k.post = p.id AND k.tag = t.id)
  ON CONFLICT (post, tag) DO NOTHING;
END $$;

-- Takes posts out of the lists of tags that no feed brings them to any more.
CREATE FUNCTION media.unlist_brought(posts bigint[]) RETURNS void LANGUAGE sql AS $$
  DELETE FROM media.tag_extra e WHERE e.post = ANY (posts) AND NOT EXISTS (
    SELECT 1 FROM media.feed_post b JOIN media.feed f ON f.id = b.feed JOIN media.tag t ON t.name = f.value
    WHERE b.post = e.post AND f.kind = 'tag' AND t.id = e.tag)
$$;

CREATE FUNCTION media.after_feed_post_insert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO media.total_delta (kind, ref, posts)
  SELECT 'feed', n.feed, count(DISTINCT n.post) FROM new_rows n
  WHERE NOT EXISTS (
      SELECT 1 FROM media.feed_post b
      WHERE b.post = n.post AND b.feed = n.feed AND b.id NOT IN (SELECT id FROM new_rows))
    AND NOT media.is_deleted(n.post)
  GROUP BY n.feed;
  PERFORM media.list_brought(array_agg(feed), array_agg(post)) FROM new_rows;
  INSERT INTO media.change (post) SELECT DISTINCT post FROM new_rows;
  RETURN NULL;
END $$;

CREATE TRIGGER post_brought AFTER INSERT ON media.feed_post REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION media.after_feed_post_insert();

CREATE FUNCTION media.after_feed_post_delete() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO media.total_delta (kind, ref, posts)
  SELECT 'feed', o.feed, -count(DISTINCT o.post) FROM old_rows o
  -- A feed that is deleted is counted no more. Its total went before this.
  WHERE EXISTS (SELECT 1 FROM media.feed f WHERE f.id = o.feed)
    AND NOT EXISTS (SELECT 1 FROM media.feed_post b WHERE b.post = o.post AND b.feed = o.feed)
    AND NOT media.is_deleted(o.post)
  GROUP BY o.feed;
  PERFORM media.unlist_brought(ARRAY(SELECT DISTINCT post FROM old_rows));
  INSERT INTO media.change (post) SELECT DISTINCT post FROM old_rows;
  RETURN NULL;
END $$;

CREATE TRIGGER post_unbrought AFTER DELETE ON media.feed_post REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION media.after_feed_post_delete();

CREATE FUNCTION media.after_feed_post_update() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  moved bigint[] := ARRAY(SELECT n.id FROM old_rows o JOIN new_rows n ON n.id = o.id
    WHERE (o.feed, o.post) <> (n.feed, n.post));
BEGIN
  IF cardinality(moved) = 0 THEN RETURN NULL; END IF;
  INSERT INTO media.total_delta (kind, ref, posts)
  SELECT 'feed', o.feed, -count(DISTINCT o.post) FROM old_rows o
  WHERE o.id = ANY (moved) AND NOT media.is_deleted(o.post)
    AND NOT EXISTS (SELECT 1 FROM media.feed_post b WHERE b.post = o.post AND b.feed = o.feed)
  GROUP BY o.feed
  UNION ALL
  SELECT 'feed', n.feed, count(DISTINCT n.post) FROM new_rows n
  WHERE n.id = ANY (moved) AND NOT media.is_deleted(n.post)
    AND NOT EXISTS (SELECT 1 FROM old_rows o WHERE o.post = n.post AND o.feed = n.feed)
    AND NOT EXISTS (
      SELECT 1 FROM media.feed_post b WHERE b.post = n.post AND b.feed = n.feed AND NOT b.id = ANY (moved))
  GROUP BY n.feed;
  PERFORM media.unlist_brought(ARRAY(SELECT DISTINCT post FROM old_rows WHERE id = ANY (moved)));
  PERFORM media.list_brought(array_agg(feed), array_agg(post)) FROM new_rows WHERE id = ANY (moved);
  INSERT INTO media.change (post)
  SELECT post FROM old_rows WHERE id = ANY (moved) UNION SELECT post FROM new_rows WHERE id = ANY (moved);
  RETURN NULL;
END $$;

CREATE TRIGGER post_brought_anew AFTER UPDATE ON media.feed_post
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION media.after_feed_post_update();

-- Attachments, and what has become of a post at its server.

CREATE FUNCTION media.after_part_insert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO media.change (post) SELECT DISTINCT post FROM new_rows;
  RETURN NULL;
END $$;

CREATE TRIGGER attachment_added AFTER INSERT ON media.attachment REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION media.after_part_insert();

CREATE FUNCTION media.after_part_delete() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO media.change (post) SELECT DISTINCT post FROM old_rows;
  RETURN NULL;
END $$;

CREATE TRIGGER attachment_removed AFTER DELETE ON media.attachment REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION media.after_part_delete();

CREATE FUNCTION media.after_attachment_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO media.change (post)
  SELECT DISTINCT n.post FROM old_rows o JOIN new_rows n ON n.id = o.id
  WHERE (o.post, o.position, o.kind, o.url, o.preview_url, o.alt, o.width, o.height, o.blurhash, o.blob, o.state, o.failure)
    IS DISTINCT FROM
    (n.post, n.position, n.kind, n.url, n.preview_url, n.alt, n.width, n.height, n.blurhash, n.blob, n.state, n.failure);
  RETURN NULL;
END $$;

CREATE TRIGGER attachment_changed AFTER UPDATE ON media.attachment
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION media.after_attachment_update();

CREATE FUNCTION media.after_recheck() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO media.change (post) SELECT post FROM new_rows WHERE gone_at IS NOT NULL;
  ELSE
    INSERT INTO media.change (post)
    SELECT n.post FROM old_rows o JOIN new_rows n ON n.post = o.post WHERE o.gone_at IS DISTINCT FROM n.gone_at;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER post_found_gone AFTER INSERT ON media.recheck REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION media.after_recheck();
CREATE TRIGGER post_gone_or_back AFTER UPDATE ON media.recheck
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION media.after_recheck();

-- The size of the stored avatars.

CREATE FUNCTION media.after_caching() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO media.total_delta (kind, ref, posts) SELECT 'cache', 0, sum(bytes) FROM new_rows HAVING count(*) > 0;
  RETURN NULL;
END $$;

CREATE TRIGGER cached_grew AFTER INSERT ON media.cached REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION media.after_caching();

CREATE FUNCTION media.after_uncaching() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO media.total_delta (kind, ref, posts) SELECT 'cache', 0, -sum(bytes) FROM old_rows HAVING count(*) > 0;
  RETURN NULL;
END $$;

CREATE TRIGGER cached_shrank AFTER DELETE ON media.cached REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION media.after_uncaching();
