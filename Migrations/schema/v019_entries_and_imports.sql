-- A file keeps the name that it had where it was attached.
ALTER TABLE attachment ADD COLUMN name TEXT;

-- The few posts with an end, for the hours that they cover.
CREATE INDEX post_ends ON post (ends_at, created_at) WHERE ends_at IS NOT NULL;

-- The posts made by hand, for those that are still to come.
CREATE INDEX post_manual ON post (created_at, id) WHERE source = 'manual';

-- An import is a feed of its own. The check is edited as https://www.sqlite.org/lang_altertable.html describes for
-- changes that do not touch the content.
PRAGMA writable_schema = ON;

UPDATE sqlite_schema SET sql = replace(sql,
  'CHECK (kind IN (''tag'', ''user'', ''search'', ''url''))',
  'CHECK (kind IN (''tag'', ''user'', ''search'', ''url'', ''import''))')
WHERE type = 'table' AND name = 'feed';

PRAGMA writable_schema = RESET;
