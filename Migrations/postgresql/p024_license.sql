-- The licence of a post, as in SQLite.
ALTER TABLE media.post ADD COLUMN license text COLLATE "C";
