-- What one API of a service needs to be asked again: which one it was, and Instagram's hashtags.

-- By which API of its source a feed is pulled; NULL for the usual one.
ALTER TABLE feed ADD COLUMN api TEXT;

-- The ids of hashtags: the same for everybody, for ever.
CREATE TABLE hashtag (
  id INTEGER PRIMARY KEY,
  -- The origin of the server that gave the id.
  server TEXT NOT NULL,
  name TEXT NOT NULL,
  remote_id TEXT NOT NULL,
  UNIQUE (server, name)
) STRICT;

-- Which hashtags an account has asked for of late, and when first: the server lets it ask for so many in so many days.
CREATE TABLE hashtag_asked (
  id INTEGER PRIMARY KEY,
  server TEXT NOT NULL,
  -- The server's own id of the account.
  account TEXT NOT NULL,
  name TEXT NOT NULL,
  asked_at TEXT NOT NULL,
  UNIQUE (server, account, name)
) STRICT;
