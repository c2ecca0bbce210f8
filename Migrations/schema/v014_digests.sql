-- What a post's title, text, HTML and warning were when they were written, as a number, so that a byte that changes on the
-- disk is found. NULL where an earlier version wrote them.
ALTER TABLE post ADD COLUMN digest INTEGER;
