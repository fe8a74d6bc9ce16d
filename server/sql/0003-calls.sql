-- Calls that are asked for, wait, are run by one process, and leave a record.

ALTER TABLE calls
  ADD COLUMN from_phone_number text,
  ADD COLUMN batch_id          uuid,
  ADD COLUMN recipient_id      text,
  ADD COLUMN variables         json,
  ADD COLUMN metadata          json,
  ADD COLUMN agent_overrides   json,
  ADD COLUMN schedule_time     timestamptz,
  ADD COLUMN due_at            timestamptz, -- when it is to be dialled; null: it does not wait
  ADD COLUMN claimed_by        integer,     -- the claimant that runs it, see platform/claim.ts; null: nobody does
  ADD COLUMN stop_asked_at     timestamptz,
  ADD COLUMN provider          text,
  ADD COLUMN answered_by       text,
  ADD COLUMN hangup_reason     text,
  ADD COLUMN error_message     text,
  ADD COLUMN transfer          json,
  ADD COLUMN latency           json,
  ADD COLUMN usage             json,
  ADD COLUMN engines           json,
  ADD COLUMN tell_at           timestamptz; -- when its event is due; set with the end

CREATE INDEX calls_newest ON calls (workspace_id, created_at DESC, session_id DESC);
CREATE INDEX calls_of_agent ON calls (workspace_id, agent_id, created_at DESC, session_id DESC);
CREATE INDEX calls_of_batch ON calls (batch_id, created_at DESC, session_id DESC) WHERE batch_id IS NOT NULL;
-- Whose turn it is: workspace by workspace, in each number by number.
CREATE INDEX calls_due ON calls (workspace_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX calls_waiting ON calls (workspace_id, (coalesce(from_phone_number, '')), due_at) WHERE due_at IS NOT NULL;
CREATE INDEX calls_live ON calls (workspace_id, from_phone_number) INCLUDE (claimed_by) WHERE claimed_by IS NOT NULL;
-- Written in the order of time, so a few ranges are enough to find what is old.
CREATE INDEX calls_age ON calls USING brin (created_at);

-- What is told of a call while it lives. No foreign key: it would lock the call for every batch of news.
CREATE TABLE call_events (
  session_id uuid NOT NULL,
  seq        integer NOT NULL,
  at         timestamptz NOT NULL DEFAULT now(),
  type       text NOT NULL,
  data       json NOT NULL,
  PRIMARY KEY (session_id, seq)
);
ALTER TABLE call_events SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

-- However a call ends, its last event and the promise to tell of it come with the end, once.
CREATE FUNCTION end_call() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- What was being said is now in the transcript.
  DELETE FROM call_events WHERE session_id = NEW.session_id AND type = 'partial';
  INSERT INTO call_events (session_id, seq, type, data)
  SELECT NEW.session_id, coalesce(max(seq), 0) + 1, 'ended', json_build_object(
    'call_status', NEW.call_status,
    'call_terminated_by', NEW.call_terminated_by,
    'hangup_reason', NEW.hangup_reason,
    'duration', NEW.duration)
  FROM call_events WHERE session_id = NEW.session_id;
  INSERT INTO calls_to_tell (session_id, due_at) VALUES (NEW.session_id, coalesce(NEW.tell_at, now()));
  -- There is room for another.
  IF EXISTS (SELECT FROM calls WHERE workspace_id = NEW.workspace_id AND due_at <= now()) THEN
    PERFORM pg_notify('calls', '');
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER calls_end AFTER UPDATE OF finished ON calls FOR EACH ROW
  WHEN (NEW.finished AND NOT OLD.finished) EXECUTE FUNCTION end_call();

-- Whoever runs calls is woken by a new one, and by a wish to stop one.
CREATE TRIGGER calls_tell AFTER INSERT OR UPDATE OF stop_asked_at ON calls
  FOR EACH STATEMENT EXECUTE FUNCTION tell_waiting();

-- Whoever watches calls is told which of them have news. A notice has room for 200 ids.
CREATE FUNCTION tell_watching() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('call_events', string_agg(session_id::text, ','))
  FROM (SELECT session_id, (row_number() OVER () - 1) / 200 AS part
        FROM (SELECT DISTINCT session_id FROM added) AS told) AS parts
  GROUP BY part;
  RETURN NULL;
END $$;
CREATE TRIGGER call_events_tell AFTER INSERT ON call_events REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION tell_watching();
