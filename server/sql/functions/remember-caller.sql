-- An agent that may remember callers keeps the newest summary and what was extracted. Both come with the analysis, some time
-- after the end of the call.

-- Only text is compared: no value in a configuration can make the end of a call fail.
CREATE OR REPLACE FUNCTION remembers_callers(config json) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(config #>> '{api_tools,memory,enabled}' = 'true', false)
$$;

CREATE OR REPLACE FUNCTION known_facts(extraction json) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(jsonb_object_agg(key, value) FILTER (WHERE jsonb_typeof(value) <> 'null'), '{}')
  FROM jsonb_each(CASE WHEN json_typeof(extraction) = 'object' THEN extraction::jsonb ELSE '{}' END)
$$;

CREATE OR REPLACE FUNCTION remember_caller() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  who text := caller_of(NEW.call_type, NEW.from_phone_number, NEW.to_phone_number, NEW.metadata);
  is_end boolean := NOT OLD.finished;
BEGIN
  -- Machines are no callers.
  IF who IS NULL OR coalesce(NEW.duration, 0) = 0 OR coalesce(NEW.answered_by, 'human') NOT IN ('human', 'unknown')
    OR NOT EXISTS (SELECT FROM agents WHERE agent_id = NEW.agent_id AND remembers_callers(config)) THEN
    RETURN NULL;
  END IF;
  INSERT INTO caller_memories AS m (workspace_id, caller, agent_id, calls, called_at, summary, summary_at, facts)
  VALUES (NEW.workspace_id, who, NEW.agent_id, 1, NEW.call_completed_time, NEW.analytics ->> 'summary',
    CASE WHEN NEW.analytics ->> 'summary' IS NOT NULL THEN NEW.call_completed_time END,
    known_facts(NEW.analytics -> 'data_extraction'))
  ON CONFLICT (workspace_id, caller, agent_id) DO UPDATE SET
    calls = m.calls + is_end::integer,
    called_at = greatest(m.called_at, EXCLUDED.called_at),
    summary = CASE WHEN EXCLUDED.summary_at >= coalesce(m.summary_at, '-infinity') THEN EXCLUDED.summary ELSE m.summary END,
    summary_at = greatest(m.summary_at, EXCLUDED.summary_at),
    facts = m.facts || EXCLUDED.facts,
    updated_at = now();
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER calls_remember AFTER UPDATE OF finished, analytics ON calls FOR EACH ROW
  WHEN (NEW.finished AND (NOT OLD.finished OR NEW.analytics IS NOT NULL)) EXECUTE FUNCTION remember_caller();
