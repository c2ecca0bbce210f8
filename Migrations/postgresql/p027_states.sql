-- Reads both lists of a statement once. Writers join by loops, which compared each of its rows with each other one.
CREATE OR REPLACE FUNCTION media.after_state_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  gone bigint[];
  back bigint[];
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM media.count_posts(ARRAY(SELECT post FROM new_rows WHERE deleted_at IS NOT NULL), -1);
    INSERT INTO media.change (post) SELECT n.post FROM new_rows n
    WHERE n.deleted_at IS NULL
      AND (n.seen_at IS NOT NULL OR n.favourite IS NOT NULL OR n.rating IS NOT NULL OR n.note IS NOT NULL
        OR n.hidden = 1);
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM media.count_posts(ARRAY(SELECT post FROM old_rows WHERE deleted_at IS NOT NULL), 1);
  ELSE
    gone := ARRAY(SELECT post FROM new_rows WHERE deleted_at IS NOT NULL
      EXCEPT SELECT post FROM old_rows WHERE deleted_at IS NOT NULL);
    back := ARRAY(SELECT post FROM old_rows WHERE deleted_at IS NOT NULL
      EXCEPT SELECT post FROM new_rows WHERE deleted_at IS NOT NULL);
    PERFORM media.count_posts(gone, -1);
    PERFORM media.count_posts(back, 1);
    INSERT INTO media.change (post)
    SELECT post FROM (
      SELECT post, seen_at, favourite, rating, note, hidden FROM new_rows
      EXCEPT SELECT post, seen_at, favourite, rating, note, hidden FROM old_rows) marked
    EXCEPT SELECT unnest(gone || back);
  END IF;
  RETURN NULL;
END $$;
