-- What videos and animated pictures look like, so that copies of them are found.

-- The length of a video or an animated picture in milliseconds; NULL for a still one.
ALTER TABLE picture_hash ADD COLUMN duration INTEGER;

CREATE TABLE frame_hash (
  blob INTEGER NOT NULL REFERENCES picture_hash (blob) ON DELETE CASCADE,
  -- The frames after 10, 30, 50, 70 and 90 % of the length are 0 to 4.
  number INTEGER NOT NULL,
  difference INTEGER NOT NULL,
  mirrored INTEGER NOT NULL,
  frequencies INTEGER NOT NULL,
  -- 32 rows of 32 shades of grey.
  thumbnail BLOB NOT NULL,
  PRIMARY KEY (blob, number)
) STRICT;

-- These were inspected without their frames.
DELETE FROM inspection WHERE kind = 'hash' AND blob IN (
  SELECT id FROM blob WHERE media_type LIKE 'video/%' OR media_type IN ('image/gif', 'image/webp'));
