-- As in SQLite.
CREATE INDEX blob_bytes ON media.blob (bytes);
