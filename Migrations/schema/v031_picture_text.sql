-- The text that stands in pictures, as a program read it. It can be read anew.

-- The languages in which text was looked for. A picture that was read in others is read anew.
ALTER TABLE inspection ADD COLUMN languages TEXT;

CREATE TABLE picture_text (
  blob INTEGER PRIMARY KEY REFERENCES blob (id) ON DELETE CASCADE,
  engine TEXT NOT NULL,
  -- One line of the picture a line.
  text TEXT NOT NULL,
  -- A JSON array: of each line the left edge, the upper edge, the width and the height.
  boxes TEXT NOT NULL
) STRICT;

-- A search finds a post by the text in its pictures. It stands in the index with the names of files, so that no library is
-- indexed anew for it.

CREATE TRIGGER picture_text_added AFTER INSERT ON picture_text BEGIN
  INSERT OR IGNORE INTO stale_text (post)
  SELECT a.post FROM attachment a JOIN searched_text s ON s.post = a.post WHERE a.blob = new.blob;
END;

CREATE TRIGGER picture_text_removed AFTER DELETE ON picture_text BEGIN
  INSERT OR IGNORE INTO stale_text (post)
  SELECT a.post FROM attachment a JOIN searched_text s ON s.post = a.post WHERE a.blob = old.blob;
END;

-- A picture may have been read for another post before.
CREATE TRIGGER attachment_stored_text AFTER UPDATE OF blob ON attachment
WHEN old.blob IS NOT new.blob AND EXISTS (SELECT 1 FROM picture_text t WHERE t.blob IN (old.blob, new.blob))
  AND EXISTS (SELECT 1 FROM searched_text s WHERE s.post = new.post)
BEGIN
  INSERT OR IGNORE INTO stale_text (post) VALUES (new.post);
END;
