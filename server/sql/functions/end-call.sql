-- However a call ends, its last event, the scheduling of its publication and the request for its analysis are written
-- with the end, once.

-- Only text is compared: no value in a configuration can make the end of a call fail.
CREATE OR REPLACE FUNCTION wants_analysis(config json) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(config #>> '{call_analysis_config,summary}' = 'true', false)
    OR coalesce(config #>> '{call_analysis_config,sentiment}' = 'true', false)
    OR coalesce(config #>> '{call_analysis_config,data_extraction}' = 'true', false)
    OR coalesce(config #>> '{call_analysis_config,disposition_fields}' <> '[]', false)
    OR coalesce(config ->> 'api_tools' LIKE '%rubric%', false)
$$;

CREATE OR REPLACE FUNCTION end_call() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  analysed boolean := NEW.transcript IS NOT NULL AND NEW.transcript::text <> '[]' AND EXISTS (
    SELECT FROM agents WHERE agent_id = NEW.agent_id AND wants_analysis(config));
BEGIN
  INSERT INTO call_events (session_id, seq, type, data)
  SELECT NEW.session_id, coalesce(max(seq), 0) + 1, 'ended', json_build_object(
    'call_status', NEW.call_status,
    'call_terminated_by', NEW.call_terminated_by,
    'hangup_reason', NEW.hangup_reason,
    'duration', NEW.duration,
    'sandbox', NEW.provider IS NOT DISTINCT FROM 'sandbox',
    'analysis_follows', analysed)
  FROM call_events WHERE session_id = NEW.session_id;
  -- Interim transcripts are now part of the transcript. After the last event has its number: one that a watcher has seen
  -- already would hide it.
  DELETE FROM call_events WHERE session_id = NEW.session_id AND type = 'partial';
  INSERT INTO calls_to_tell (session_id, workspace_id, due_at)
  VALUES (NEW.session_id, NEW.workspace_id, coalesce(NEW.tell_at, now()));
  IF analysed THEN
    INSERT INTO calls_to_analyse (session_id, workspace_id) VALUES (NEW.session_id, NEW.workspace_id);
  END IF;
  -- A slot is free for the next call.
  IF EXISTS (SELECT FROM calls WHERE workspace_id = NEW.workspace_id AND due_at <= now()) THEN
    PERFORM pg_notify('calls', '');
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER calls_end AFTER UPDATE OF finished ON calls FOR EACH ROW
  WHEN (NEW.finished AND NOT OLD.finished) EXECUTE FUNCTION end_call();
