-- Forgets changes that have numbers of another server. The numbers given out and the changes are read by one statement, and
-- so from one snapshot: a writer that commits meanwhile is not taken for that server. Whoever read up to an earlier number
-- reads everything again.
CREATE OR REPLACE FUNCTION media.adopt() RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM media.change WHERE xact >= pg_snapshot_xmax(pg_current_snapshot()))
    OR EXISTS (SELECT 1 FROM media.upkeep WHERE pruned > pg_snapshot_xmax(pg_current_snapshot()))
  THEN
    DELETE FROM media.change;
    UPDATE media.upkeep SET pruned = pg_snapshot_xmax(pg_current_snapshot());
    RETURN true;
  END IF;
  RETURN false;
END $$;
