-- Avatars are a cache: those that nobody saw for the longest time go first where they take more room than they may.

-- The avatars that are kept, and the day (YYYY-MM-DD) on which each was last fetched or seen. One that is also a picture
-- of a post is never dropped, whatever stands here.
CREATE TABLE cached (
  blob INTEGER PRIMARY KEY REFERENCES blob ON DELETE CASCADE,
  bytes INTEGER NOT NULL,
  used_on TEXT NOT NULL CHECK (length(used_on) = 10)
) STRICT;

CREATE INDEX cached_oldest ON cached (used_on, blob);

-- How many bytes they are together.
CREATE TABLE cache_size (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  bytes INTEGER NOT NULL
) STRICT;

INSERT INTO cached (blob, bytes, used_on)
SELECT id, bytes, substr(stored_at, 1, 10) FROM blob
WHERE EXISTS (SELECT 1 FROM author WHERE avatar_blob = blob.id)
  AND NOT EXISTS (SELECT 1 FROM attachment WHERE blob = blob.id);

INSERT INTO cache_size (id, bytes) SELECT 1, coalesce(sum(bytes), 0) FROM cached;

CREATE TRIGGER cached_grew AFTER INSERT ON cached BEGIN
  UPDATE cache_size SET bytes = bytes + new.bytes;
END;

CREATE TRIGGER cached_shrank AFTER DELETE ON cached BEGIN
  UPDATE cache_size SET bytes = bytes - old.bytes;
END;
