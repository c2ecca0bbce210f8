-- What few posts have: that they are gone from their server, and that somebody repeated them. A list of posts asks for both,
-- and finds them without the rows of the posts that have neither.
CREATE INDEX recheck_gone ON recheck (post) WHERE gone_at IS NOT NULL;
CREATE INDEX feed_post_repeat ON feed_post (post) WHERE repeated_by IS NOT NULL;
