-- What stored files are found to be: how a picture looks, and what its metadata says. All of it can be found anew, but what
-- the person says of two pictures.

-- How far the inspection of stored files came. A file without a row was not inspected.
CREATE TABLE inspection (
  blob INTEGER NOT NULL REFERENCES blob (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  -- What was found by an earlier version of the program is found anew.
  version INTEGER NOT NULL,
  inspected_at TEXT NOT NULL,
  -- Why nothing was found.
  failure TEXT,
  PRIMARY KEY (blob, kind)
) STRICT, WITHOUT ROWID;

CREATE TABLE picture_hash (
  blob INTEGER PRIMARY KEY REFERENCES blob (id) ON DELETE CASCADE,
  difference INTEGER NOT NULL,
  mirrored INTEGER NOT NULL,
  frequencies INTEGER NOT NULL,
  -- 32 rows of 32 shades of grey.
  thumbnail BLOB NOT NULL,
  width INTEGER NOT NULL,
  height INTEGER NOT NULL,
  -- SHA-256 of the decoded pixels, where another file has the same hash and size.
  pixels TEXT,
  -- The file that shows the same picture and was found first; this file itself where there is none. NULL until it is known.
  same_as INTEGER REFERENCES blob (id) ON DELETE SET NULL
) STRICT;

CREATE INDEX picture_hash_same ON picture_hash (same_as);
CREATE INDEX picture_hash_twin ON picture_hash (difference, width, height);

-- Of hashes that differ in at most four bits, one of five parts is equal.
CREATE INDEX picture_hash_part1 ON picture_hash ((difference & 8191), difference, same_as) WHERE same_as = blob;
CREATE INDEX picture_hash_part2 ON picture_hash (((difference >> 13) & 8191), difference, same_as) WHERE same_as = blob;
CREATE INDEX picture_hash_part3 ON picture_hash (((difference >> 26) & 8191), difference, same_as) WHERE same_as = blob;
CREATE INDEX picture_hash_part4 ON picture_hash (((difference >> 39) & 8191), difference, same_as) WHERE same_as = blob;
CREATE INDEX picture_hash_part5 ON picture_hash (((difference >> 52) & 4095), difference, same_as) WHERE same_as = blob;

-- What the person says of two pictures. It is about their bytes, so it lasts whatever becomes of their hashes.
CREATE TABLE same_verdict (
  -- SHA-256 of the files, the smaller one first.
  one TEXT NOT NULL,
  other TEXT NOT NULL,
  verdict TEXT NOT NULL CHECK (verdict IN ('same', 'different', 'none')),
  stamp TEXT NOT NULL,
  PRIMARY KEY (one, other)
) STRICT, WITHOUT ROWID;

CREATE INDEX same_verdict_other ON same_verdict (other);

-- What a file says of itself, where it says anything.
CREATE TABLE file_facts (
  blob INTEGER PRIMARY KEY REFERENCES blob (id) ON DELETE CASCADE,
  -- By the clock of the camera.
  taken_at TEXT,
  -- Minutes that this clock was ahead of UTC.
  taken_offset INTEGER,
  latitude REAL,
  longitude REAL,
  camera TEXT,
  artist TEXT,
  copyright TEXT,
  caption TEXT,
  -- A JSON array.
  keywords TEXT,
  origin TEXT,
  -- Milliseconds.
  duration INTEGER,
  -- A JSON array.
  codecs TEXT,
  has_sound INTEGER CHECK (has_sound IN (0, 1))
) STRICT;

CREATE INDEX file_facts_taken ON file_facts (taken_at) WHERE taken_at IS NOT NULL;
CREATE INDEX file_facts_camera ON file_facts (camera) WHERE camera IS NOT NULL;
CREATE INDEX file_facts_place ON file_facts (latitude, longitude) WHERE latitude IS NOT NULL;
CREATE INDEX file_facts_duration ON file_facts (duration) WHERE duration IS NOT NULL;
