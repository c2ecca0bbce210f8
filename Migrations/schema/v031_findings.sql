-- What is found in stored files beside hashes and facts: text, countries, and what a model of the person says.

-- The text that stands in pictures, as a program read it. It can be read anew.

-- The languages in which text was looked for. A picture that was read in others is read anew.
ALTER TABLE inspection ADD COLUMN languages TEXT;

CREATE TABLE picture_text (
  blob INTEGER PRIMARY KEY REFERENCES blob (id) ON DELETE CASCADE,
  engine TEXT NOT NULL,
  -- One line of the picture a line.
  text TEXT NOT NULL,
  -- A JSON array: of each line the left edge, the upper edge, the width and the height.
  boxes TEXT NOT NULL
) STRICT;

-- A search finds a post by the text in its pictures. It stands in the index with the names of files, so that no library is
-- indexed anew for it.

CREATE TRIGGER picture_text_added AFTER INSERT ON picture_text BEGIN
  INSERT OR IGNORE INTO stale_text (post)
  SELECT a.post FROM attachment a JOIN searched_text s ON s.post = a.post WHERE a.blob = new.blob;
END;

CREATE TRIGGER picture_text_removed AFTER DELETE ON picture_text BEGIN
  INSERT OR IGNORE INTO stale_text (post)
  SELECT a.post FROM attachment a JOIN searched_text s ON s.post = a.post WHERE a.blob = old.blob;
END;

-- A picture may have been read for another post before.
CREATE TRIGGER attachment_stored_text AFTER UPDATE OF blob ON attachment
WHEN old.blob IS NOT new.blob AND EXISTS (SELECT 1 FROM picture_text t WHERE t.blob IN (old.blob, new.blob))
  AND EXISTS (SELECT 1 FROM searched_text s WHERE s.post = new.post)
BEGIN
  INSERT OR IGNORE INTO stale_text (post) VALUES (new.post);
END;

-- The code of the country of the nearest town (ISO 3166-1).
ALTER TABLE file_facts ADD COLUMN country TEXT;
CREATE INDEX file_facts_country ON file_facts (country) WHERE country IS NOT NULL;

-- What a model of the person's choice finds in pictures and texts. All of it can be found anew, but what the person says of it.

CREATE TABLE model (
  id INTEGER PRIMARY KEY,
  -- Its name and the hash of its weights: clip-vit-b32@0a1b2c3d.
  name TEXT NOT NULL,
  -- The numbers of an embedding; 0 if it makes none.
  dimensions INTEGER NOT NULL,
  -- The one that was used last is the current one.
  used_at TEXT NOT NULL,
  UNIQUE (name, dimensions)
) STRICT;

-- What pictures mean. A file keeps what an earlier model found until the current one has looked at it.
CREATE TABLE picture_vector (
  blob INTEGER PRIMARY KEY REFERENCES blob (id) ON DELETE CASCADE,
  model INTEGER NOT NULL REFERENCES model (id),
  -- The length of one step, in a direction of length 1.
  scale REAL NOT NULL,
  -- The steps along each dimension, a signed byte each.
  vector BLOB NOT NULL
) STRICT;

-- What the texts of posts mean, of a model that knows texts alone.
CREATE TABLE text_vector (
  post INTEGER PRIMARY KEY REFERENCES post (id) ON DELETE CASCADE,
  model INTEGER NOT NULL REFERENCES model (id),
  -- Of the text. Another text is looked at anew.
  digest INTEGER NOT NULL,
  -- NULL if the post has no text, or one that the model cannot read.
  scale REAL,
  vector BLOB
) STRICT;

-- Tags that a model gave. They are nobody's, and count nowhere else.
CREATE TABLE machine_tag (
  blob INTEGER NOT NULL REFERENCES blob (id) ON DELETE CASCADE,
  tag TEXT NOT NULL,
  -- From 0 to 1.
  score REAL NOT NULL,
  PRIMARY KEY (blob, tag)
) STRICT, WITHOUT ROWID;

CREATE INDEX machine_tag_tag ON machine_tag (tag, blob);

-- What else a model says of a file.
CREATE TABLE machine_text (
  blob INTEGER PRIMARY KEY REFERENCES blob (id) ON DELETE CASCADE,
  caption TEXT,
  -- How sure it is that not everybody wants to see it, from 0 to 1.
  sensitive REAL
) STRICT;

-- What the person says of a model's tag. It is about the bytes of the file, so it lasts whatever a model finds.
CREATE TABLE machine_verdict (
  -- SHA-256 of the file.
  file TEXT NOT NULL,
  tag TEXT NOT NULL,
  verdict TEXT NOT NULL CHECK (verdict IN ('wrong', 'none')),
  stamp TEXT NOT NULL,
  PRIMARY KEY (file, tag)
) STRICT, WITHOUT ROWID;
