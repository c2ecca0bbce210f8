-- A search finds a post by its author, tags, alternative texts and file names, too. Posts that are there get these in steps,
-- after the library was opened: the setting tells above which number they have them, and is gone when the steps are done.

-- What a search finds a post by beside its own texts, as the index has it.
CREATE TABLE media.searched_text (
  post bigint PRIMARY KEY REFERENCES media.post (id) ON DELETE CASCADE,
  author text COLLATE "C" NOT NULL,
  alt text COLLATE "C" NOT NULL,
  tags text COLLATE "C" NOT NULL,
  files text COLLATE "C" NOT NULL
);

-- Posts of which searched_text may have other texts than the library.
CREATE TABLE media.stale_text (
  post bigint PRIMARY KEY
);

CREATE VIEW media.searched_post AS
SELECT p.id, p.title, p.caption, p.warning, s.author, s.alt, s.tags, s.files
FROM media.post p LEFT JOIN media.searched_text s ON s.post = p.id;

-- Whoever changes the author, tags or files of few posts indexes these in the same transaction. More are indexed later.
CREATE FUNCTION media.note_stale(numbers bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF cardinality(numbers) <= 200 THEN
    PERFORM media.note_unread(numbers);
  ELSE
    INSERT INTO media.stale_text (post) SELECT unnest(numbers) ON CONFLICT DO NOTHING;
  END IF;
END $$;

CREATE FUNCTION media.after_part_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    PERFORM media.note_stale(ARRAY(SELECT DISTINCT post FROM old_rows));
  ELSE
    PERFORM media.note_stale(ARRAY(SELECT DISTINCT post FROM new_rows));
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER tag_added_text AFTER INSERT ON media.post_tag REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION media.after_part_text();
CREATE TRIGGER tag_removed_text AFTER DELETE ON media.post_tag REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION media.after_part_text();
CREATE TRIGGER attachment_added_text AFTER INSERT ON media.attachment REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION media.after_part_text();
CREATE TRIGGER attachment_removed_text AFTER DELETE ON media.attachment REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION media.after_part_text();

CREATE FUNCTION media.after_attachment_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM media.note_stale(ARRAY(SELECT DISTINCT n.post FROM old_rows o JOIN new_rows n ON n.id = o.id
    WHERE (o.alt, o.name) IS DISTINCT FROM (n.alt, n.name)));
  RETURN NULL;
END $$;

CREATE TRIGGER attachment_changed_text AFTER UPDATE ON media.attachment
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION media.after_attachment_text();

CREATE FUNCTION media.after_author_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM old_rows o JOIN new_rows n ON n.id = o.id
    WHERE (o.handle, o.name) IS DISTINCT FROM (n.handle, n.name))
  THEN
    PERFORM media.note_stale(ARRAY(SELECT p.id FROM old_rows o JOIN new_rows n ON n.id = o.id
      JOIN media.post p ON p.author = n.id WHERE (o.handle, o.name) IS DISTINCT FROM (n.handle, n.name)));
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER author_renamed_text AFTER UPDATE ON media.author
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION media.after_author_text();

CREATE FUNCTION media.after_post_author_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM media.note_stale(ARRAY(SELECT n.id FROM old_rows o JOIN new_rows n ON n.id = o.id
    WHERE o.author IS DISTINCT FROM n.author));
  RETURN NULL;
END $$;

CREATE TRIGGER post_passed_on_text AFTER UPDATE ON media.post
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION media.after_post_author_text();

INSERT INTO media.setting (name, value) SELECT 'words-read', max(id) + 1 FROM media.post HAVING max(id) IS NOT NULL;
