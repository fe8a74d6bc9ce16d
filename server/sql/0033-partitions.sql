-- Tables that grow with every call are partitioned by their ids, which are in order of time. What is there becomes the
-- first partition, as it is: only the catalogue changes. It has no bounds yet, so it takes everything; dated partitions
-- come later, beside the traffic (functions/partitions.sql).

-- A unique index would have to contain the id. Tokens are hashes, so no two are the same.
DROP INDEX calls_to_join;
CREATE INDEX calls_to_join ON calls (join_token) WHERE join_token IS NOT NULL;

-- `name` becomes a partitioned table with the same columns, indexes and triggers. Functions that take one of its rows are
-- made again, because their type is that of the table.
CREATE PROCEDURE partition_by_id(name text, id text) LANGUAGE plpgsql AS $$
DECLARE
  plain regclass := name::regclass;
  first text := name || '_first';
  row_type oid := (SELECT reltype FROM pg_class WHERE oid = plain);
  primary_key text := (SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = plain AND contype = 'p');
  made_again text[] := ARRAY(
    SELECT pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid = plain AND NOT indisprimary);
  triggers_and_functions text[] := ARRAY(
    SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = plain AND NOT tgisinternal
    UNION ALL
    SELECT pg_get_functiondef(oid) FROM pg_proc WHERE row_type = ANY(proargtypes));
  found record;
  definition text;
BEGIN
  FOR found IN SELECT conrelid::regclass AS t, conname FROM pg_constraint WHERE contype = 'f' AND plain IN (conrelid, confrelid) LOOP
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', found.t, found.conname);
  END LOOP;
  FOR found IN SELECT tgname FROM pg_trigger WHERE tgrelid = plain AND NOT tgisinternal LOOP
    EXECUTE format('DROP TRIGGER %I ON %s', found.tgname, plain);
  END LOOP;
  FOR found IN SELECT oid::regprocedure AS f FROM pg_proc WHERE row_type = ANY(proargtypes) LOOP
    EXECUTE format('DROP FUNCTION %s', found.f);
  END LOOP;
  FOR found IN SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indrelid = plain LOOP
    EXECUTE format('ALTER INDEX %I RENAME TO %I', found.relname, replace(found.relname, name, first));
  END LOOP;
  EXECUTE format('ALTER TABLE %I RENAME TO %I', name, first);
  EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL EXCLUDING INDEXES) PARTITION BY RANGE (%I)', name, first, id);
  EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I %s', name, name || '_pkey', primary_key);
  FOREACH definition IN ARRAY made_again LOOP
    EXECUTE definition;
  END LOOP;
  FOR found IN SELECT attname, coalesce(attstattarget, -1) AS target FROM pg_attribute
    WHERE attrelid = plain AND attnum > 0 AND NOT attisdropped LOOP
    EXECUTE format('ALTER TABLE %I ALTER COLUMN %I SET STATISTICS %s', name, found.attname, found.target);
  END LOOP;
  EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (MAXVALUE)', name, first);
  FOREACH definition IN ARRAY triggers_and_functions LOOP
    EXECUTE definition;
  END LOOP;
END $$;

SET LOCAL check_function_bodies = off;
CALL partition_by_id('calls', 'session_id');
CALL partition_by_id('call_events', 'session_id');
CALL partition_by_id('call_index', 'session_id');
CALL partition_by_id('call_signalling', 'session_id');
CALL partition_by_id('events', 'event_id');
CALL partition_by_id('deliveries', 'delivery_id');
DROP PROCEDURE partition_by_id;

-- What belongs to a call goes with it. Not by foreign keys: they would have to be checked when a partition is dropped.
CREATE FUNCTION forget_calls() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ids uuid[] := ARRAY(SELECT session_id FROM gone);
BEGIN
  DELETE FROM call_events WHERE session_id = ANY(ids);
  DELETE FROM call_index WHERE session_id = ANY(ids);
  DELETE FROM call_signalling WHERE session_id = ANY(ids);
  DELETE FROM call_listeners WHERE session_id = ANY(ids);
  DELETE FROM call_drafts WHERE session_id = ANY(ids);
  DELETE FROM call_states WHERE session_id = ANY(ids);
  DELETE FROM calls_to_tell WHERE session_id = ANY(ids);
  DELETE FROM calls_to_analyse WHERE session_id = ANY(ids);
  RETURN NULL;
END $$;
CREATE TRIGGER calls_gone AFTER DELETE ON calls REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION forget_calls();
