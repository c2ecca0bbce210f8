-- What videos and animated pictures look like, as in SQLite.

ALTER TABLE media.picture_hash ADD COLUMN duration bigint;

CREATE TABLE media.frame_hash (
  blob bigint NOT NULL REFERENCES media.picture_hash (blob) ON DELETE CASCADE,
  number bigint NOT NULL,
  difference bigint NOT NULL,
  mirrored bigint NOT NULL,
  frequencies bigint NOT NULL,
  thumbnail bytea NOT NULL,
  PRIMARY KEY (blob, number)
);

DELETE FROM media.inspection WHERE kind = 'hash' AND blob IN (
  SELECT id FROM media.blob WHERE media_type LIKE 'video/%' OR media_type IN ('image/gif', 'image/webp'));
