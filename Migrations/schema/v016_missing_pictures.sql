-- A picture is gone when its server has said so twice, a day apart: when it said so first.
ALTER TABLE attachment ADD COLUMN gone_at TEXT;
ALTER TABLE author ADD COLUMN avatar_gone_at TEXT;

-- What is due, without what has no address and will never be.
DROP INDEX attachment_due;
CREATE INDEX attachment_due ON attachment (next_try_at)
  WHERE state IN ('pending', 'failed') AND coalesce(url, alternate_url) IS NOT NULL;

-- What is missing of a feed's posts.
CREATE INDEX attachment_missing ON attachment (post)
  WHERE state <> 'stored' AND state <> 'skipped' AND coalesce(url, alternate_url) IS NOT NULL;
