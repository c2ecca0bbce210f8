-- The beginnings of words, two and three characters long, have an index of their own: who searches as they type asks for
-- them first, and for these alone the posts of thousands of words would have to be gathered.

DROP TABLE caption_fts;

CREATE VIRTUAL TABLE caption_fts USING fts5 (
  title, caption, warning,
  content = 'post', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
);

INSERT INTO caption_fts (caption_fts) VALUES ('rebuild');
