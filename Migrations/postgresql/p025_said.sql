-- The source that says when or where a file was taken, as in SQLite.
ALTER TABLE media.file_facts ADD COLUMN taken_by text COLLATE "C";
ALTER TABLE media.file_facts ADD COLUMN place_by text COLLATE "C";

DELETE FROM media.inspection WHERE kind = 'facts' AND blob IN (
  SELECT a.blob FROM media.attachment a JOIN media.post p ON p.id = a.post WHERE p.source = 'flickr' AND a.blob IS NOT NULL);
