-- Waiting calls follow their batch when it is paused, cancelled or failed; a batch follows its agent.

CREATE OR REPLACE FUNCTION align_calls(batch uuid, standing text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF standing = 'paused' THEN
    -- Effectively never. After the batch is resumed, the feeder reschedules them when the calling window allows.
    UPDATE calls SET due_at = '9999-01-01Z' WHERE batch_id = batch AND NOT finished AND due_at IS NOT NULL;
  ELSIF standing IN ('cancelled', 'failed') THEN
    UPDATE calls SET call_status = 'canceled', call_terminated_by = 'api', hangup_reason = 'api_stopped', duration = 0,
      call_completed_time = now(), tell_at = now(), due_at = NULL, finished = true, updated_at = now()
    WHERE batch_id = batch AND NOT finished AND due_at IS NOT NULL;
  END IF;
END $$;

-- By trigger, because a trigger sees what was committed while we waited for the lock on the batch.
CREATE OR REPLACE FUNCTION follow_batch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM align_calls(NEW.batch_id, NEW.status);
  PERFORM pg_notify('batches', '');
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER batches_follow AFTER UPDATE OF status ON batches FOR EACH ROW
  WHEN (NEW.status <> OLD.status) EXECUTE FUNCTION follow_batch();

-- A call that was claimed and released waits again; its batch may have stopped meanwhile.
CREATE OR REPLACE FUNCTION rejoin_batch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM align_calls(batch_id, status) FROM batches WHERE batch_id = NEW.batch_id;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER calls_rejoin AFTER UPDATE OF claimed_by ON calls FOR EACH ROW
  WHEN (OLD.claimed_by IS NOT NULL AND NEW.due_at IS NOT NULL AND NEW.batch_id IS NOT NULL)
  EXECUTE FUNCTION rejoin_batch();

-- A batch cannot continue without its agent, and a telephone number is not answered by one that is gone.
CREATE OR REPLACE FUNCTION stop_batches_of_agent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE batches SET status = 'cancelled', status_reason = 'The agent was deleted.', completed_at = now(), updated_at = now()
  WHERE agent_id = OLD.agent_id AND completed_at IS NULL;
  UPDATE phone_numbers SET
    inbound_agent_id = nullif(inbound_agent_id, OLD.agent_id),
    outbound_agent_id = nullif(outbound_agent_id, OLD.agent_id),
    updated_at = now()
  WHERE workspace_id = OLD.workspace_id AND OLD.agent_id IN (inbound_agent_id, outbound_agent_id);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER agents_gone AFTER DELETE ON agents FOR EACH ROW EXECUTE FUNCTION stop_batches_of_agent();
