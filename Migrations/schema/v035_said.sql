-- The source that says when or where a file was taken; NULL if the file itself does.
ALTER TABLE file_facts ADD COLUMN taken_by TEXT;
ALTER TABLE file_facts ADD COLUMN place_by TEXT;

-- Files of posts that are stored get what their answers say.
DELETE FROM inspection WHERE kind = 'facts' AND blob IN (
  SELECT a.blob FROM attachment a JOIN post p ON p.id = a.post WHERE p.source = 'flickr' AND a.blob IS NOT NULL);
