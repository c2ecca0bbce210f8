-- Which post a post quotes. What is quoted is a post of its own where the server shows it, and a name where not.
CREATE TABLE quote (
  post INTEGER PRIMARY KEY REFERENCES post (id) ON DELETE CASCADE,
  -- The quoted post, where the library has it.
  quoted INTEGER REFERENCES post (id) ON DELETE SET NULL,
  -- Its identity within the source, and where people open it.
  uri TEXT NOT NULL,
  url TEXT
) STRICT;

CREATE INDEX quote_quoted ON quote (quoted) WHERE quoted IS NOT NULL;
