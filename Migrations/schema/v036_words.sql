-- Of scripts without spaces between words, searched_text.files has each character as a word.

-- Posts of before get them later, in steps.
INSERT INTO setting (name, value) SELECT 'words-separated', '9223372036854775807' WHERE EXISTS (SELECT 1 FROM post);

CREATE TRIGGER post_reworded_text AFTER UPDATE OF title, caption, warning ON post
WHEN (old.title IS NOT new.title OR old.caption IS NOT new.caption OR old.warning IS NOT new.warning)
  AND EXISTS (SELECT 1 FROM searched_text s WHERE s.post = new.id)
BEGIN
  INSERT OR IGNORE INTO stale_text (post) VALUES (new.id);
END;
