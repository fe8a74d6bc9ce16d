-- Tables that are written all day are analysed every minute, beside the work: look at few rows, and never at the wide columns.
DO $$
DECLARE
  found record;
BEGIN
  FOR found IN
    SELECT attrelid::regclass AS tbl, attname AS col,
      CASE WHEN atttypid IN ('json'::regtype, 'jsonb'::regtype) OR attname = 'payload' THEN 0 ELSE 20 END AS target
    FROM pg_attribute
    WHERE attrelid IN ('calls'::regclass, 'calls_to_tell'::regclass, 'call_events'::regclass, 'events'::regclass,
      'deliveries'::regclass) AND attnum > 0 AND NOT attisdropped
  LOOP
    EXECUTE format('ALTER TABLE %s ALTER COLUMN %I SET STATISTICS %s', found.tbl, found.col, found.target);
  END LOOP;
END $$;
-- An index over an expression has statistics of its own.
ALTER INDEX calls_waiting ALTER COLUMN 2 SET STATISTICS 20;

-- A body of some kilobytes is written once and read once; where the server has the quick compression, it takes that.
DO $$
BEGIN
  ALTER TABLE events ALTER COLUMN payload SET COMPRESSION lz4;
  ALTER TABLE calls ALTER COLUMN transcript SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN
  NULL;
END $$;
