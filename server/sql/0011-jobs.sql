-- One engine for all jobs: a row that is claimed stays among those that wait until it is done or given back.

-- Transcripts had no due time while they were being worked on.
UPDATE transcripts SET due_at = created_at WHERE claimed_by IS NOT NULL AND due_at IS NULL;

-- Ids in order of time go to the end of an index, where the page is at hand; random ones touch a page each. PostgreSQL
-- makes them from version 18 on.
DO $$
BEGIN
  IF to_regprocedure('uuidv7()') IS NULL THEN
    CREATE FUNCTION new_id() RETURNS uuid LANGUAGE sql VOLATILE AS 'SELECT gen_random_uuid()';
  ELSE
    CREATE FUNCTION new_id() RETURNS uuid LANGUAGE sql VOLATILE AS 'SELECT uuidv7()';
  END IF;
END $$;
