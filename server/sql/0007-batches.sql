-- Batches: lists of recipients that become ordinary calls, a few at a time.

CREATE TABLE batches (
  batch_id          uuid PRIMARY KEY,
  workspace_id      uuid NOT NULL,
  agent_id          uuid NOT NULL,
  name              text NOT NULL,
  status            text NOT NULL CHECK (status IN
    ('created', 'scheduled', 'in_progress', 'paused', 'completed', 'cancelled', 'failed')),
  status_reason     text,                       -- why it was stopped, in a sentence
  schedule_id       uuid,
  schedule_time     timestamptz,
  from_phone_number text,
  max_concurrency   integer,                    -- null: as many as the workspace may have
  calling_window    json,
  retry_config      json,
  metadata          json,
  zones             text[] NOT NULL,            -- every time zone among its recipients; '' stands for the window's own
  recipient_count   integer NOT NULL,
  next_place        integer NOT NULL DEFAULT 1, -- whoever stands before it has had a first turn
  created_at        timestamptz NOT NULL DEFAULT now(),
  updated_at        timestamptz NOT NULL DEFAULT now(),
  started_at        timestamptz,
  completed_at      timestamptz                 -- set with completed, cancelled and failed
);
CREATE INDEX batches_newest ON batches (workspace_id, created_at DESC, batch_id DESC);
CREATE INDEX batches_running ON batches (batch_id) WHERE status = 'in_progress';
CREATE INDEX batches_scheduled ON batches (schedule_time) WHERE status = 'scheduled';
CREATE INDEX batches_of_agent ON batches (agent_id) WHERE completed_at IS NULL;
CREATE INDEX batches_over ON batches (completed_at) WHERE completed_at IS NOT NULL;

-- A recipient is found by its place in the list: nobody needs another index while a hundred thousand are written.
CREATE TABLE batch_recipients (
  batch_id        uuid NOT NULL,
  place           integer NOT NULL,             -- from 1, in the order of the request
  recipient_id    text NOT NULL,
  to_phone_number text NOT NULL,
  name            text,
  variables       json,
  metadata        json,
  timezone        text NOT NULL,                -- '': the calling window's own
  status          text NOT NULL DEFAULT 'pending',
  attempts        smallint NOT NULL DEFAULT 0,
  lost            smallint NOT NULL DEFAULT 0,  -- attempts whose process died before anybody's telephone is known to have rung
  due_at          timestamptz,                  -- waits for another turn since then or until then; null: it does not
  session_id      uuid,                         -- the call of the last attempt
  updated_at      timestamptz,
  PRIMARY KEY (batch_id, place)
);
CREATE INDEX batch_recipients_waiting ON batch_recipients (batch_id, timezone, due_at, place) WHERE due_at IS NOT NULL;
ALTER TABLE batch_recipients
  SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.2);
ALTER TABLE batch_recipients ALTER COLUMN variables SET STATISTICS 0;
ALTER TABLE batch_recipients ALTER COLUMN metadata SET STATISTICS 0;

ALTER TABLE calls ADD COLUMN recipient_place integer;
CREATE INDEX calls_open_of_batch ON calls (batch_id) WHERE batch_id IS NOT NULL AND NOT finished;

-- Minutes until somebody is called again after this outcome; null: not any more.
CREATE FUNCTION retry_minutes(config json, outcome text, retries integer) RETURNS float8 LANGUAGE sql IMMUTABLE AS $$
  SELECT (config->'intervals_minutes'->>least(retries, json_array_length(config->'intervals_minutes') - 1))::float8
  WHERE retries < (config->>'max_retries')::integer
    AND outcome IN (SELECT json_array_elements_text(config->'retry_on'))
$$;

-- However a call ends, its recipient is settled with it: over, or to be called again.
CREATE FUNCTION settle_recipient() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  batch batches%ROWTYPE;
  outcome text := CASE
    WHEN NEW.call_status = 'completed' AND NEW.answered_by = 'voicemail' THEN 'voicemail'
    WHEN NEW.call_status = 'canceled' THEN 'cancelled'
    ELSE NEW.call_status END;
  -- Perhaps nobody was dialled at all, so this attempt costs no retry. The tenth of these is believed to be our fault.
  unheard boolean := NEW.hangup_reason IS NOT DISTINCT FROM 'worker_lost' AND NOT EXISTS (
    SELECT FROM call_events
    WHERE session_id = NEW.session_id AND type = 'status' AND data->>'call_status' IN ('ringing', 'in-progress'));
BEGIN
  SELECT * INTO batch FROM batches WHERE batch_id = NEW.batch_id;
  IF outcome = 'cancelled' AND batch.status = 'failed' THEN
    outcome := 'skipped';
  END IF;
  UPDATE batch_recipients r SET
    status = CASE WHEN again.minutes IS NULL THEN outcome ELSE 'pending' END,
    due_at = now() + again.minutes * interval '1 minute',
    lost = r.lost + unheard::integer,
    updated_at = now()
  FROM batch_recipients found CROSS JOIN LATERAL (SELECT CASE
    WHEN batch.completed_at IS NOT NULL THEN NULL
    WHEN unheard AND found.lost < 9 THEN 0
    ELSE retry_minutes(batch.retry_config, outcome, found.attempts - found.lost - 1) END) AS again(minutes)
  WHERE found.batch_id = NEW.batch_id AND found.place = NEW.recipient_place
    AND r.batch_id = NEW.batch_id AND r.place = NEW.recipient_place AND r.session_id = NEW.session_id;
  -- There is room for the next.
  PERFORM pg_notify('batches', '');
  RETURN NULL;
END $$;
CREATE TRIGGER calls_settle AFTER UPDATE OF finished ON calls FOR EACH ROW
  WHEN (NEW.finished AND NOT OLD.finished AND NEW.batch_id IS NOT NULL) EXECUTE FUNCTION settle_recipient();

-- Calls that wait follow their batch.
CREATE FUNCTION align_calls(batch uuid, standing text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF standing = 'paused' THEN
    -- Beyond every calendar. Whoever feeds the batch takes them up again after the resumption, if the hour allows it.
    UPDATE calls SET due_at = '9999-01-01Z' WHERE batch_id = batch AND NOT finished AND due_at IS NOT NULL;
  ELSIF standing IN ('cancelled', 'failed') THEN
    UPDATE calls SET call_status = 'canceled', call_terminated_by = 'api', hangup_reason = 'api_stopped', duration = 0,
      call_completed_time = now(), tell_at = now(), due_at = NULL, finished = true, updated_at = now()
    WHERE batch_id = batch AND NOT finished AND due_at IS NOT NULL;
  END IF;
END $$;

-- By trigger, because a trigger sees what was committed while we waited for the batch.
CREATE FUNCTION follow_batch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM align_calls(NEW.batch_id, NEW.status);
  PERFORM pg_notify('batches', '');
  RETURN NULL;
END $$;
CREATE TRIGGER batches_follow AFTER UPDATE OF status ON batches FOR EACH ROW
  WHEN (NEW.status <> OLD.status) EXECUTE FUNCTION follow_batch();

-- A call that was claimed and given back waits again; its batch may have stopped meanwhile.
CREATE FUNCTION rejoin_batch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM align_calls(batch_id, status) FROM batches WHERE batch_id = NEW.batch_id;
  RETURN NULL;
END $$;
CREATE TRIGGER calls_rejoin AFTER UPDATE OF claimed_by ON calls FOR EACH ROW
  WHEN (OLD.claimed_by IS NOT NULL AND NEW.due_at IS NOT NULL AND NEW.batch_id IS NOT NULL)
  EXECUTE FUNCTION rejoin_batch();

-- Without its agent a batch cannot go on.
CREATE FUNCTION stop_batches_of_agent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE batches SET status = 'cancelled', status_reason = 'The agent was deleted.', completed_at = now(), updated_at = now()
  WHERE agent_id = OLD.agent_id AND completed_at IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER agents_gone AFTER DELETE ON agents FOR EACH ROW EXECUTE FUNCTION stop_batches_of_agent();
