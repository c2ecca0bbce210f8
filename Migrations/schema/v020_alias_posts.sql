-- The addresses of a post: an export asks for them, and they go with a post that is removed.
CREATE INDEX post_alias_post ON post_alias (post);
