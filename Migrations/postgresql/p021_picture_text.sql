-- The text that stands in pictures, as in SQLite.

ALTER TABLE media.inspection ADD COLUMN languages text COLLATE "C";

CREATE TABLE media.picture_text (
  blob bigint PRIMARY KEY REFERENCES media.blob (id) ON DELETE CASCADE,
  engine text COLLATE "C" NOT NULL,
  text text COLLATE "C" NOT NULL,
  boxes text COLLATE "C" NOT NULL
);

CREATE FUNCTION media.after_picture_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    PERFORM media.note_stale(ARRAY(
      SELECT DISTINCT a.post FROM old_rows r JOIN media.attachment a ON a.blob = r.blob));
  ELSE
    PERFORM media.note_stale(ARRAY(
      SELECT DISTINCT a.post FROM new_rows r JOIN media.attachment a ON a.blob = r.blob));
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER picture_text_added AFTER INSERT ON media.picture_text REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION media.after_picture_text();
CREATE TRIGGER picture_text_removed AFTER DELETE ON media.picture_text REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION media.after_picture_text();

-- A picture may have been read for another post before.
CREATE OR REPLACE FUNCTION media.after_attachment_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM media.note_stale(ARRAY(SELECT DISTINCT n.post FROM old_rows o JOIN new_rows n ON n.id = o.id
    WHERE (o.alt, o.name) IS DISTINCT FROM (n.alt, n.name)
      OR o.blob IS DISTINCT FROM n.blob
        AND EXISTS (SELECT 1 FROM media.picture_text t WHERE t.blob IN (o.blob, n.blob))));
  RETURN NULL;
END $$;
