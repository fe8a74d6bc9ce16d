-- When a call of a batch ends, its recipient is settled with it: finished, or scheduled for a retry.

-- Minutes until the recipient is called again after this outcome; null: not again.
CREATE OR REPLACE FUNCTION retry_minutes(config json, outcome text, retries integer) RETURNS float8 LANGUAGE sql IMMUTABLE AS $$
  SELECT (config->'intervals_minutes'->>least(retries, json_array_length(config->'intervals_minutes') - 1))::float8
  WHERE retries < (config->>'max_retries')::integer
    AND outcome IN (SELECT json_array_elements_text(config->'retry_on'))
$$;

CREATE OR REPLACE FUNCTION settle_recipient() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  batch batches%ROWTYPE;
  outcome text := CASE
    WHEN NEW.call_status = 'completed' AND NEW.answered_by = 'voicemail' THEN 'voicemail'
    WHEN NEW.call_status = 'canceled' THEN 'cancelled'
    ELSE NEW.call_status END;
  -- The process was lost before the call rang, so perhaps nothing was dialled: this attempt uses up no retry. The tenth
  -- such loss counts as a fault of the call itself.
  unheard boolean := NEW.hangup_reason IS NOT DISTINCT FROM 'worker_lost' AND NOT EXISTS (
    SELECT FROM call_events
    WHERE session_id = NEW.session_id AND type = 'status' AND data->>'call_status' IN ('ringing', 'in-progress'));
  -- The trunk did not answer, so nobody was called: this attempt uses up no retry either. The others of the batch come first,
  -- so that it does not stand still for one number that its trunk never answers. The tenth time counts, or the fortieth while
  -- the batch waits for its trunk.
  unreached boolean := NEW.hangup_reason IS NOT DISTINCT FROM 'trunk_unreachable';
BEGIN
  SELECT * INTO batch FROM batches WHERE batch_id = NEW.batch_id;
  IF outcome = 'cancelled' AND batch.status = 'failed' THEN
    outcome := 'skipped';
  END IF;
  UPDATE batch_recipients r SET
    status = CASE WHEN again.minutes IS NULL THEN outcome ELSE 'pending' END,
    due_at = now() + again.minutes * interval '1 minute',
    lost = r.lost + (unheard OR unreached)::integer,
    updated_at = now()
  FROM batch_recipients found CROSS JOIN LATERAL (SELECT CASE
    WHEN batch.completed_at IS NOT NULL THEN NULL
    WHEN unheard AND found.lost < 9 THEN 0
    WHEN unreached AND found.lost < CASE WHEN batch.trunk_tries > 0 THEN 39 ELSE 9 END
      THEN least(300, 10 * (found.lost + 1)) / 60.0
    ELSE retry_minutes(batch.retry_config, outcome, found.attempts - found.lost - 1) END) AS again(minutes)
  WHERE found.batch_id = NEW.batch_id AND found.place = NEW.recipient_place
    AND r.batch_id = NEW.batch_id AND r.place = NEW.recipient_place AND r.session_id = NEW.session_id;
  -- A slot is free for the next recipient.
  PERFORM pg_notify('batches', '');
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER calls_settle AFTER UPDATE OF finished ON calls FOR EACH ROW
  WHEN (NEW.finished AND NOT OLD.finished AND NEW.batch_id IS NOT NULL) EXECUTE FUNCTION settle_recipient();
