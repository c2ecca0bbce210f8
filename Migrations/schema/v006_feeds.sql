-- What the last visit to a feed's document has left for the next one. Written with the page that the visit brought, so
-- that nothing passes for read that was not stored.
CREATE TABLE visit (
  feed INTEGER PRIMARY KEY REFERENCES feed ON DELETE CASCADE,
  -- Where the document is asked for: the feed's own address, until it has moved for good.
  address TEXT NOT NULL,
  -- Where it was found in the end, and ETag and Last-Modified of the answer there, verbatim.
  place TEXT NOT NULL,
  entity_tag TEXT,
  last_modified TEXT,
  -- Where it has moved for good, said once so far.
  moving TEXT,
  title TEXT,
  visited_at TEXT NOT NULL
) STRICT;
