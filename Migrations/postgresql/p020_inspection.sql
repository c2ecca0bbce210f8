-- What stored files are found to be, as in SQLite.

CREATE TABLE media.inspection (
  blob bigint NOT NULL REFERENCES media.blob (id) ON DELETE CASCADE,
  kind text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  inspected_at text COLLATE "C" NOT NULL,
  failure text COLLATE "C",
  PRIMARY KEY (blob, kind)
);

CREATE TABLE media.picture_hash (
  blob bigint PRIMARY KEY REFERENCES media.blob (id) ON DELETE CASCADE,
  difference bigint NOT NULL,
  mirrored bigint NOT NULL,
  frequencies bigint NOT NULL,
  thumbnail bytea NOT NULL,
  width bigint NOT NULL,
  height bigint NOT NULL,
  pixels text COLLATE "C",
  same_as bigint REFERENCES media.blob (id) ON DELETE SET NULL
);

CREATE INDEX picture_hash_same ON media.picture_hash (same_as);
CREATE INDEX picture_hash_twin ON media.picture_hash (difference, width, height);

CREATE INDEX picture_hash_part1 ON media.picture_hash ((difference & 8191), difference, same_as) WHERE same_as = blob;
CREATE INDEX picture_hash_part2 ON media.picture_hash (((difference >> 13) & 8191), difference, same_as) WHERE same_as = blob;
CREATE INDEX picture_hash_part3 ON media.picture_hash (((difference >> 26) & 8191), difference, same_as) WHERE same_as = blob;
CREATE INDEX picture_hash_part4 ON media.picture_hash (((difference >> 39) & 8191), difference, same_as) WHERE same_as = blob;
CREATE INDEX picture_hash_part5 ON media.picture_hash (((difference >> 52) & 4095), difference, same_as) WHERE same_as = blob;

CREATE TABLE media.same_verdict (
  one text COLLATE "C" NOT NULL,
  other text COLLATE "C" NOT NULL,
  verdict text COLLATE "C" NOT NULL CHECK (verdict IN ('same', 'different', 'none')),
  stamp text COLLATE "C" NOT NULL,
  PRIMARY KEY (one, other)
);

CREATE INDEX same_verdict_other ON media.same_verdict (other);

CREATE TABLE media.file_facts (
  blob bigint PRIMARY KEY REFERENCES media.blob (id) ON DELETE CASCADE,
  taken_at text COLLATE "C",
  taken_offset bigint,
  latitude double precision,
  longitude double precision,
  camera text COLLATE "C",
  artist text COLLATE "C",
  copyright text COLLATE "C",
  caption text COLLATE "C",
  keywords text COLLATE "C",
  origin text COLLATE "C",
  duration bigint,
  codecs text COLLATE "C",
  has_sound bigint CHECK (has_sound IN (0, 1))
);

CREATE INDEX file_facts_taken ON media.file_facts (taken_at) WHERE taken_at IS NOT NULL;
CREATE INDEX file_facts_camera ON media.file_facts (camera) WHERE camera IS NOT NULL;
CREATE INDEX file_facts_place ON media.file_facts (latitude, longitude) WHERE latitude IS NOT NULL;
CREATE INDEX file_facts_duration ON media.file_facts (duration) WHERE duration IS NOT NULL;
