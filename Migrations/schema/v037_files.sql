-- The largest files first, for lists of posts by the size of their files.
CREATE INDEX blob_bytes ON blob (bytes);
