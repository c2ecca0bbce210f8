-- What a feed brings is a list of its own: whoever shows one is told where a post that was there before comes into it, or
-- leaves it.

CREATE TRIGGER post_listed AFTER INSERT ON feed_post BEGIN
  INSERT INTO change (post) VALUES (new.post);
END;

CREATE TRIGGER post_unlisted AFTER DELETE ON feed_post BEGIN
  INSERT INTO change (post) VALUES (old.post);
END;

CREATE TRIGGER post_listed_anew AFTER UPDATE OF feed, post ON feed_post
WHEN old.feed <> new.feed OR old.post <> new.post
BEGIN
  INSERT INTO change (post) VALUES (old.post);
  INSERT INTO change (post) VALUES (new.post);
END;
