-- What is found out about a call after it has ended, and what an agent keeps secret.

-- Keys of language models, by their path in the configuration; sealed, with the agent's id as their place. The
-- configuration itself holds only what of them may be seen.
ALTER TABLE agents ADD COLUMN secrets bytea;

-- Ended calls that wait to be analysed. Written with the end of the call, removed with what was found.
CREATE TABLE calls_to_analyse (
  session_id uuid PRIMARY KEY REFERENCES calls ON DELETE CASCADE,
  due_at     timestamptz NOT NULL DEFAULT now(),
  tries      integer NOT NULL DEFAULT 0,
  claimed_by integer -- the claimant that works on it, see platform/claim.ts
);
CREATE INDEX calls_to_analyse_due ON calls_to_analyse (due_at);
CREATE TRIGGER calls_to_analyse_tell AFTER INSERT ON calls_to_analyse
  FOR EACH STATEMENT EXECUTE FUNCTION tell_waiting();

-- Only texts are compared: nothing that somebody wrote can make the end of a call fail.
CREATE FUNCTION wants_analysis(config json) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(config #>> '{call_analysis_config,summary}' = 'true', false)
    OR coalesce(config #>> '{call_analysis_config,sentiment}' = 'true', false)
    OR coalesce(config #>> '{call_analysis_config,data_extraction}' = 'true', false)
    OR coalesce(config #>> '{call_analysis_config,disposition_fields}' <> '[]', false)
$$;

-- However a call ends, its last event, the promise to tell of it and the wish for its analysis come with the end, once.
CREATE OR REPLACE FUNCTION end_call() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  analysed boolean := NEW.transcript IS NOT NULL AND NEW.transcript::text <> '[]' AND EXISTS (
    SELECT FROM agents WHERE agent_id = NEW.agent_id AND wants_analysis(config));
BEGIN
  -- What was being said is now in the transcript.
  DELETE FROM call_events WHERE session_id = NEW.session_id AND type = 'partial';
  INSERT INTO call_events (session_id, seq, type, data)
  SELECT NEW.session_id, coalesce(max(seq), 0) + 1, 'ended', json_build_object(
    'call_status', NEW.call_status,
    'call_terminated_by', NEW.call_terminated_by,
    'hangup_reason', NEW.hangup_reason,
    'duration', NEW.duration,
    'analysis_follows', analysed)
  FROM call_events WHERE session_id = NEW.session_id;
  INSERT INTO calls_to_tell (session_id, due_at) VALUES (NEW.session_id, coalesce(NEW.tell_at, now()));
  IF analysed THEN
    INSERT INTO calls_to_analyse (session_id) VALUES (NEW.session_id);
  END IF;
  -- There is room for another.
  IF EXISTS (SELECT FROM calls WHERE workspace_id = NEW.workspace_id AND due_at <= now()) THEN
    PERFORM pg_notify('calls', '');
  END IF;
  RETURN NULL;
END $$;
