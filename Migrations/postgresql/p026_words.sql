-- Words of scripts without spaces between them, as in SQLite. What is new or edited is indexed as before.
INSERT INTO media.setting (name, value) SELECT 'words-separated', '9223372036854775807'
WHERE EXISTS (SELECT 1 FROM media.post);
