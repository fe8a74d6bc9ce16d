-- Ids in order of time go to the end of an index, where the page is at hand; random ones touch a page each. PostgreSQL
-- makes them from version 18 on.
DO $$
BEGIN
  IF to_regprocedure('uuidv7()') IS NULL THEN
    CREATE OR REPLACE FUNCTION new_id() RETURNS uuid LANGUAGE sql VOLATILE AS 'SELECT gen_random_uuid()';
  ELSE
    CREATE OR REPLACE FUNCTION new_id() RETURNS uuid LANGUAGE sql VOLATILE AS 'SELECT uuidv7()';
  END IF;
END $$;
