-- Who may see a post, as its server says; NULL where its source does not say. What is stored already gets it from its
-- verbatim answer, in steps, after the library was opened: until then it is 'pending'. The setting tells up to which post
-- the steps came, and is gone when they are done.
ALTER TABLE media.post ADD COLUMN visibility text COLLATE "C" DEFAULT 'pending';

INSERT INTO media.setting (name, value) SELECT 'visibility-read', '0' WHERE EXISTS (SELECT 1 FROM media.post);

CREATE OR REPLACE VIEW media.live_post AS
SELECT p.id, p.source, p.created_at, p.author, u.handle, u.name, p.title, p.caption, p.warning, p.sensitive, p.language,
  p.url, p.uri, p.ends_at, p.edited_at, p.stored_at, p.updated_at,
  (SELECT 'blobs/' || substr(b.sha256, 1, 2) || '/' || substr(b.sha256, 3)
    FROM media.attachment a JOIN media.blob b ON b.id = a.blob
    WHERE a.post = p.id AND a.state = 'stored' ORDER BY a.position LIMIT 1) AS path,
  p.visibility
FROM media.post p LEFT JOIN media.author u ON u.id = p.author
WHERE NOT EXISTS (SELECT 1 FROM media.post_state s WHERE s.post = p.id AND s.deleted_at IS NOT NULL);
