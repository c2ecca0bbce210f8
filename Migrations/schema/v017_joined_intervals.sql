-- Two coverage intervals that touch are one at once. The rows of one of them move into the other, its heir, in as many
-- short transactions as they need: until then nothing is missing between the two.
ALTER TABLE coverage ADD COLUMN heir INTEGER REFERENCES coverage (id);
-- The place in the heir that all its rows take; NULL where they keep their order, beyond the heir's end.
ALTER TABLE coverage ADD COLUMN heir_place INTEGER;
CREATE INDEX coverage_heir ON coverage (heir) WHERE heir IS NOT NULL;

DROP VIEW gap;
CREATE VIEW gap AS
SELECT f.id AS feed, f.name, u.oldest AS above, l.newest AS below,
  (SELECT created_at FROM feed_post WHERE feed = f.id AND remote_id = u.oldest) AS above_at,
  (SELECT created_at FROM feed_post WHERE feed = f.id AND remote_id = l.newest) AS below_at
FROM coverage u JOIN feed f ON f.id = u.feed
  JOIN coverage l ON l.id = (SELECT max(id) FROM coverage WHERE feed = u.feed AND id < u.id AND heir_place IS NULL)
WHERE u.heir_place IS NULL AND u.heir IS NOT l.id AND l.heir IS NOT u.id;
