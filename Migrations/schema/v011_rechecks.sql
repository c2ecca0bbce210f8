-- Posts that are looked up again at their server, for edits and for what is gone there; and what harvests say of them and
-- of what wants a person's attention.
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

-- What harvests said beside what they brought: a login that ends soon, a feed that fails, a disk that is nearly full.
CREATE TABLE run_notice (
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('disk', 'login', 'feed', 'notify')),
  -- Which login, feed or disk it is about.
  about TEXT NOT NULL,
  words TEXT NOT NULL,
  -- When the person's own command was given it; NULL where it was not.
  told_at TEXT
) STRICT;

CREATE INDEX run_notice_run ON run_notice (run);
CREATE INDEX run_notice_told ON run_notice (told_at) WHERE told_at IS NOT NULL;

-- Posts that harvests looked up again, and what they found.
ALTER TABLE run ADD COLUMN looked_up INTEGER NOT NULL DEFAULT 0;
ALTER TABLE run ADD COLUMN edited INTEGER NOT NULL DEFAULT 0;
ALTER TABLE run ADD COLUMN gone INTEGER NOT NULL DEFAULT 0;
