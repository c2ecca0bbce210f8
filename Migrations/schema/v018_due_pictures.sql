-- What a pull of one feed asks for, without what is gone: only a person asks for that.
DROP INDEX attachment_missing;
CREATE INDEX attachment_missing ON attachment (post)
  WHERE state IN ('pending', 'failed') AND coalesce(url, alternate_url) IS NOT NULL;
CREATE INDEX author_missing ON author (id)
  WHERE avatar_state IN ('pending', 'failed') AND avatar_url IS NOT NULL;

-- Earlier versions took one answer for enough to call a picture gone. These get their second look, a day from now.
UPDATE attachment
SET state = 'failed', gone_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now'),
  next_try_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+1 day')
WHERE state = 'gone' AND gone_at IS NULL AND coalesce(url, alternate_url) IS NOT NULL;
UPDATE author
SET avatar_state = 'failed', avatar_gone_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now'),
  avatar_next_try_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+1 day')
WHERE avatar_state = 'gone' AND avatar_gone_at IS NULL AND avatar_url IS NOT NULL;
