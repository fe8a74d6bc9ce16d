-- Ids in order of time go to the end of an index, where the page is at hand, and to the newest partition. PostgreSQL makes
-- them from version 18 on; before that, the time takes the place of the first 48 bits of a random one.
DO $$
BEGIN
  IF to_regprocedure('uuidv7()') IS NULL THEN
    CREATE OR REPLACE FUNCTION new_id() RETURNS uuid LANGUAGE sql VOLATILE AS
      'SELECT (lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, ''0'') || ''7''
        || substring(replace(gen_random_uuid()::text, ''-'', '''') FROM 14))::uuid';
  ELSE
    CREATE OR REPLACE FUNCTION new_id() RETURNS uuid LANGUAGE sql VOLATILE AS 'SELECT uuidv7()';
  END IF;
END $$;
