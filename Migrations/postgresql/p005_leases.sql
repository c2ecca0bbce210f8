-- What a worker holds for a while: a feed that it pulls, a picture that it fetches, a harvest that it runs. In a folder
-- kernel locks do this. A worker on another machine may sleep or lose its network, so a lease ends by itself, by this
-- server's clock. Its number rises with each taking: whoever wakes up holds an old number, and is refused.

CREATE SEQUENCE media.fence;

CREATE TABLE media.lease (
  name text COLLATE "C" PRIMARY KEY,
  fence bigint NOT NULL DEFAULT nextval('media.fence'),
  -- For people: the machine and the process.
  holder text COLLATE "C" NOT NULL,
  taken_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  until timestamptz NOT NULL
) WITH (fillfactor = 70);

-- Takes the first of these leases that nobody holds, at most so many. It waits for nobody.
CREATE FUNCTION media.take_leases(names text, most bigint, by text, milliseconds bigint)
RETURNS TABLE (name text, fence bigint) LANGUAGE plpgsql ROWS 1 AS $$
#variable_conflict use_column
DECLARE
  wanted record;
  got bigint;
  taken bigint := 0;
  life interval := milliseconds * interval '1 millisecond';
BEGIN
  FOR wanted IN SELECT j.value AS name FROM media.json_texts(names) j ORDER BY j.key LOOP
    EXIT WHEN taken >= most;
    got := NULL;
    UPDATE media.lease l SET fence = nextval('media.fence'), holder = by, taken_at = clock_timestamp(),
      until = clock_timestamp() + life
    WHERE l.name = (
      SELECT f.name FROM media.lease f WHERE f.name = wanted.name AND f.until <= clock_timestamp()
      FOR UPDATE SKIP LOCKED)
    RETURNING l.fence INTO got;
    IF got IS NULL AND NOT EXISTS (SELECT 1 FROM media.lease l WHERE l.name = wanted.name) THEN
      INSERT INTO media.lease AS l (name, holder, until) VALUES (wanted.name, by, clock_timestamp() + life)
      ON CONFLICT (name) DO NOTHING RETURNING l.fence INTO got;
    END IF;
    IF got IS NOT NULL THEN
      taken := taken + 1;
      RETURN QUERY SELECT wanted.name::text, got;
    END IF;
  END LOOP;
END $$;
