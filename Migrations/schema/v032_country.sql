-- The code of the country of the nearest town (ISO 3166-1).
ALTER TABLE file_facts ADD COLUMN country TEXT;
CREATE INDEX file_facts_country ON file_facts (country) WHERE country IS NOT NULL;
