-- How many posts each list holds, and what changed last. Triggers keep both, whoever writes.
--
-- A row that every writer updates would make writers wait for each other. So triggers only add differences, and
-- media.sweep() sums them up.

CREATE TABLE media.total_base (
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('library', 'tags', 'tag', 'author', 'feed', 'cache')),
  ref bigint NOT NULL,
  posts bigint NOT NULL,
  PRIMARY KEY (kind, ref)
) WITH (fillfactor = 50);

CREATE TABLE media.total_delta (
  id bigint GENERATED ALWAYS AS IDENTITY,
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('library', 'tags', 'tag', 'author', 'feed', 'cache')),
  ref bigint NOT NULL,
  posts bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

CREATE INDEX total_delta_list ON media.total_delta (kind, ref);

CREATE VIEW media.total AS
SELECT kind, ref, sum(posts)::bigint AS posts FROM (
  SELECT kind, ref, posts FROM media.total_base UNION ALL SELECT kind, ref, posts FROM media.total_delta) d
WHERE kind <> 'cache'
GROUP BY kind, ref;

-- The size of the stored avatars is counted in the same way.
CREATE VIEW media.cache_size AS
SELECT 1::bigint AS id, coalesce(sum(posts), 0)::bigint AS bytes FROM (
  SELECT posts FROM media.total_base WHERE kind = 'cache'
  UNION ALL SELECT posts FROM media.total_delta WHERE kind = 'cache') d;

INSERT INTO media.total_base VALUES ('library', 0, 0), ('author', 0, 0), ('tags', 0, 0);

-- The last changes. Numbers that the server gives out are not in the order of the commits. So a reader goes by
-- transactions: those that its last snapshot did not see.
CREATE TABLE media.change (
  id bigint GENERATED ALWAYS AS IDENTITY,
  post bigint,
  author bigint,
  xact xid8 NOT NULL DEFAULT pg_current_xact_id(),
  PRIMARY KEY (xact, id),
  CHECK ((post IS NULL) <> (author IS NULL))
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- One row. Whoever sweeps locks it. Changes of transactions before pruned may be gone.
CREATE TABLE media.upkeep (
  id bigint PRIMARY KEY CHECK (id = 1),
  pruned xid8 NOT NULL
);

INSERT INTO media.upkeep VALUES (1, '0');

-- Sums up the differences, and removes all but the last changes. If another process does so, it does nothing.
CREATE FUNCTION media.sweep(kept bigint DEFAULT 10000) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  edge xid8;
  first_id bigint;
  last_id bigint;
BEGIN
  PERFORM 1 FROM media.upkeep WHERE id = 1 FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN false; END IF;
  WITH summed AS (DELETE FROM media.total_delta RETURNING kind, ref, posts)
  INSERT INTO media.total_base AS b (kind, ref, posts)
  SELECT kind, ref, sum(posts) FROM summed GROUP BY kind, ref ORDER BY kind, ref
  ON CONFLICT (kind, ref) DO UPDATE SET posts = b.posts + excluded.posts;
  SELECT id INTO first_id FROM media.change ORDER BY xact, id LIMIT 1;
  SELECT id INTO last_id FROM media.change ORDER BY xact DESC, id DESC LIMIT 1;
  IF last_id - first_id > kept + kept / 10 THEN
    SELECT xact INTO edge FROM media.change ORDER BY xact DESC, id DESC OFFSET kept LIMIT 1;
    -- A transaction that is not over may still be behind the edge.
    edge := least(edge, pg_snapshot_xmin(pg_current_snapshot()));
    UPDATE media.upkeep SET pruned = edge WHERE pruned < edge;
    DELETE FROM media.change WHERE xact < edge;
  END IF;
  RETURN true;
END $$;

-- Forgets changes that have numbers of another server, from which the library was restored. Here they would come again
-- with each commit.
CREATE FUNCTION media.adopt() RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  next xid8 := pg_snapshot_xmax(pg_current_snapshot());
BEGIN
  IF EXISTS (SELECT 1 FROM media.change WHERE xact >= next) OR EXISTS (SELECT 1 FROM media.upkeep WHERE pruned > next) THEN
    DELETE FROM media.change;
    UPDATE media.upkeep SET pruned = '0';
    RETURN true;
  END IF;
  RETURN false;
END $$;

-- A server that took over from another one may give out the same numbers of transactions again.
CREATE FUNCTION media.timeline() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT s.system_identifier || '.' || CASE WHEN pg_is_in_recovery() THEN c.timeline_id
    ELSE ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::integer END
  FROM pg_control_system() s, pg_control_checkpoint() c
$$;

-- Whether the person has deleted a post.
CREATE FUNCTION media.is_deleted(number bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT 1 FROM media.post_state s WHERE s.post = number AND s.deleted_at IS NOT NULL)
$$;

-- Adds posts to all their lists, or takes them out.
CREATE FUNCTION media.count_posts(numbers bigint[], sign bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF coalesce(cardinality(numbers), 0) = 0 THEN RETURN; END IF;
  -- Whoever adds such a post to a list holds it by its foreign key: what follows sees the list with it, and what that
  -- transaction counts next sees the post as deleted or not.
  PERFORM 1 FROM media.post WHERE id = ANY (numbers) ORDER BY id FOR UPDATE;
  INSERT INTO media.total_delta (kind, ref, posts)
  SELECT 'library', 0, sign * cardinality(numbers)
  UNION ALL SELECT 'author', coalesce(author, 0), sign * count(*) FROM media.post WHERE id = ANY (numbers) GROUP BY author
  UNION ALL SELECT 'feed', feed, sign * count(DISTINCT post) FROM media.feed_post WHERE post = ANY (numbers) GROUP BY feed;
  WITH k AS (
    SELECT tag FROM media.post_tag WHERE post = ANY (numbers)
    UNION ALL SELECT tag FROM media.tag_extra WHERE post = ANY (numbers))
  INSERT INTO media.total_delta (kind, ref, posts)
  SELECT 'tag', tag, sign * count(*) FROM k GROUP BY tag
  UNION ALL SELECT 'tags', 0, sign * count(*) FROM k HAVING count(*) > 0;
  INSERT INTO media.change (post) SELECT unnest(numbers);
END $$;

-- Authors, tags, feeds: no totals of what is gone.

CREATE FUNCTION media.after_list_delete() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM media.total_delta WHERE kind = TG_TABLE_NAME AND ref IN (SELECT id FROM old_rows);
  DELETE FROM media.total_base WHERE kind = TG_TABLE_NAME AND ref IN (SELECT id FROM old_rows);
  RETURN NULL;
END $$;

CREATE TRIGGER tag_uncounted AFTER DELETE ON media.tag REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION media.after_list_delete();
CREATE TRIGGER author_uncounted AFTER DELETE ON media.author REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION media.after_list_delete();
CREATE TRIGGER feed_uncounted AFTER DELETE ON media.feed REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION media.after_list_delete();

CREATE FUNCTION media.after_author_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO media.change (author)
  SELECT n.id FROM new_rows n JOIN old_rows o ON o.id = n.id
  WHERE (o.handle, o.name, o.url, o.avatar_url, o.avatar_blob)
    IS DISTINCT FROM (n.handle, n.name, n.url, n.avatar_url, n.avatar_blob);
  RETURN NULL;
END $$;

CREATE TRIGGER author_changed AFTER UPDATE ON media.author
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION media.after_author_update();

-- Posts. One that is new, or removed for good, has no state and so is not deleted.

CREATE FUNCTION media.after_post_insert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO media.total_delta (kind, ref, posts)
  SELECT 'library', 0, count(*) FROM new_rows HAVING count(*) > 0
  UNION ALL SELECT 'author', coalesce(author, 0), count(*) FROM new_rows GROUP BY author;
  INSERT INTO media.change (post) SELECT id FROM new_rows;
  RETURN NULL;
END $$;

CREATE TRIGGER post_counted AFTER INSERT ON media.post REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION media.after_post_insert();

CREATE FUNCTION media.after_post_delete() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO media.total_delta (kind, ref, posts)
  SELECT 'library', 0, -count(*) FROM old_rows HAVING count(*) > 0
  UNION ALL SELECT 'author', coalesce(author, 0), -count(*) FROM old_rows GROUP BY author;
  INSERT INTO media.change (post) SELECT id FROM old_rows;
  RETURN NULL;
END $$;

CREATE TRIGGER post_uncounted AFTER DELETE ON media.post REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION media.after_post_delete();

CREATE FUNCTION media.after_post_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO media.total_delta (kind, ref, posts)
  SELECT 'author', coalesce(v.author, 0), sum(v.sign)
  FROM old_rows o JOIN new_rows n ON n.id = o.id CROSS JOIN LATERAL (VALUES (o.author, -1), (n.author, 1)) v (author, sign)
  WHERE o.author IS DISTINCT FROM n.author AND NOT media.is_deleted(n.id)
  GROUP BY v.author;
  IF EXISTS (SELECT 1 FROM old_rows o JOIN new_rows n ON n.id = o.id WHERE o.created_at <> n.created_at) THEN
    UPDATE media.post_tag k SET created_at = n.created_at FROM new_rows n JOIN old_rows o ON o.id = n.id
    WHERE k.post = n.id AND o.created_at <> n.created_at;
    UPDATE media.tag_extra k SET created_at = n.created_at FROM new_rows n JOIN old_rows o ON o.id = n.id
    WHERE k.post = n.id AND o.created_at <> n.created_at;
    UPDATE media.feed_post b SET created_at = n.created_at FROM new_rows n JOIN old_rows o ON o.id = n.id
    WHERE b.post = n.id AND o.created_at <> n.created_at;
  END IF;
  INSERT INTO media.change (post) SELECT id FROM new_rows;
  RETURN NULL;
END $$;

CREATE TRIGGER post_changed AFTER UPDATE ON media.post REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION media.after_post_update();

-- What the person does.

CREATE FUNCTION media.after_state_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM media.count_posts(ARRAY(SELECT post FROM new_rows WHERE deleted_at IS NOT NULL), -1);
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM media.count_posts(ARRAY(SELECT post FROM old_rows WHERE deleted_at IS NOT NULL), 1);
  ELSE
    PERFORM media.count_posts(ARRAY(SELECT post FROM old_rows o JOIN new_rows n USING (post)
      WHERE o.deleted_at IS NULL AND n.deleted_at IS NOT NULL), -1);
    PERFORM media.count_posts(ARRAY(SELECT post FROM old_rows o JOIN new_rows n USING (post)
      WHERE o.deleted_at IS NOT NULL AND n.deleted_at IS NULL), 1);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER post_deleted AFTER INSERT ON media.post_state REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION media.after_state_change();
CREATE TRIGGER post_restored AFTER DELETE ON media.post_state REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION media.after_state_change();
CREATE TRIGGER post_deleted_or_restored AFTER UPDATE ON media.post_state
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION media.after_state_change();
