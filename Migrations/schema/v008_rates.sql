-- How much may still be asked of whom, so that all processes together ask no more than a server allows.
CREATE TABLE rate (
  id INTEGER PRIMARY KEY,
  -- Only hosts that tell a limit stand here; with the port where that is not the usual one.
  host TEXT NOT NULL,
  -- The beginning of the token's SHA-256, empty for nobody: a token itself never stands here.
  login TEXT NOT NULL,
  class TEXT NOT NULL CHECK (class IN ('page', 'media')),
  -- Requests of a whole window; 100 where the server counts per cents.
  quota INTEGER NOT NULL CHECK (quota >= 0),
  is_share INTEGER NOT NULL CHECK (is_share IN (0, 1)),
  -- Requests that nobody has taken yet; those that processes have taken and not told the end of; those ever taken.
  remaining INTEGER NOT NULL CHECK (remaining >= 0),
  held INTEGER NOT NULL CHECK (held >= 0),
  taken INTEGER NOT NULL CHECK (taken >= 0),
  ends_at TEXT NOT NULL CHECK (length(ends_at) = 24),
  -- Until when the server wants to be left alone.
  closed_until TEXT CHECK (length(closed_until) = 24),
  -- When the first requests after the window's end went out, as long as no answer tells the next one.
  probed_at TEXT CHECK (length(probed_at) = 24),
  UNIQUE (host, login, class)
) STRICT;
