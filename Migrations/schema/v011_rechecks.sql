-- Posts that are looked up again at their server, for edits and for what is gone there.
CREATE TABLE recheck (
  post INTEGER PRIMARY KEY REFERENCES post ON DELETE CASCADE,
  looks INTEGER NOT NULL DEFAULT 0 CHECK (looks >= 0),
  -- When the server last said what has become of the post.
  checked_at TEXT,
  -- When it was first found gone there; NULL from when on it is seen again.
  gone_at TEXT,
  -- When harvests look it up next; NULL where they do so no more, or never did.
  due_at TEXT
) STRICT;

CREATE INDEX recheck_due ON recheck (due_at) WHERE due_at IS NOT NULL;

CREATE TRIGGER post_found_gone AFTER INSERT ON recheck WHEN new.gone_at IS NOT NULL BEGIN
  INSERT INTO change (post) VALUES (new.post);
END;

CREATE TRIGGER post_gone_or_back AFTER UPDATE OF gone_at ON recheck WHEN old.gone_at IS NOT new.gone_at BEGIN
  INSERT INTO change (post) VALUES (new.post);
END;
