-- The code of the country of the nearest town (ISO 3166-1).
ALTER TABLE media.file_facts ADD COLUMN country text COLLATE "C";
CREATE INDEX file_facts_country ON media.file_facts (country) WHERE country IS NOT NULL;
