-- The sentences of an agent with a vendor's voice are synthesized ahead whenever the agent is written, however it is written.

CREATE OR REPLACE FUNCTION caches_speech(config json) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT config -> 'synthesizer' ->> 'provider' IS NOT NULL
    AND coalesce(config -> 'synthesizer' ->> 'caching', 'true') <> 'false'
$$;

CREATE OR REPLACE FUNCTION warm_speech() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO speech_warm_ups AS w (agent_id, workspace_id) VALUES (NEW.agent_id, NEW.workspace_id)
  ON CONFLICT (agent_id) DO UPDATE SET due_at = now(), tries = 0, revision = w.revision + 1;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER agents_warm_speech AFTER INSERT OR UPDATE OF config ON agents FOR EACH ROW
  WHEN (caches_speech(NEW.config)) EXECUTE FUNCTION warm_speech();

CREATE OR REPLACE TRIGGER speech_warm_ups_tell AFTER INSERT OR UPDATE OF due_at ON speech_warm_ups
  FOR EACH STATEMENT EXECUTE FUNCTION tell_waiting();
