-- What a walk needs to go on where another one ended.

-- The source's own cursor to what lies below a stretch, as it was last given.
ALTER TABLE coverage ADD COLUMN next TEXT;

-- Whether a pull was to end where it comes to what is known, and whether it only fills a gap; how many items its pages
-- held, by which the pages that it still wants are reckoned.
ALTER TABLE cursor ADD COLUMN goal_known INTEGER NOT NULL DEFAULT 0 CHECK (goal_known IN (0, 1));
ALTER TABLE cursor ADD COLUMN kind TEXT NOT NULL DEFAULT 'pull' CHECK (kind IN ('pull', 'fill'));
ALTER TABLE cursor ADD COLUMN items INTEGER NOT NULL DEFAULT 0 CHECK (items >= 0);

CREATE INDEX cursor_left ON cursor (feed, id) WHERE state <> 'reached';
