-- What belongs to a call is deleted with it. Not by foreign keys: they would have to be checked when a partition is dropped.
CREATE OR REPLACE FUNCTION forget_calls() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE OR REPLACE TRIGGER calls_gone AFTER DELETE ON calls REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION forget_calls();
