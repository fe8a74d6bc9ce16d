-- The sentences of an agent with a vendor's voice are synthesized ahead whenever the agent is written, however it is written.

CREATE OR REPLACE FUNCTION caches_speech(config json) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(config -> 'synthesizer' ->> 'provider', 'offline') <> 'offline'
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

-- With other credentials, or other pronunciations, so are those of all agents that they may concern.
CREATE OR REPLACE FUNCTION warm_speech_of_workspace() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE speech_warm_ups w SET due_at = now(), tries = 0, revision = w.revision + 1
  FROM (SELECT DISTINCT workspace_id FROM changed) AS c WHERE w.workspace_id = c.workspace_id;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER vendor_credentials_added_warm AFTER INSERT ON vendor_credentials
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION warm_speech_of_workspace();
CREATE OR REPLACE TRIGGER vendor_credentials_changed_warm AFTER UPDATE ON vendor_credentials
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION warm_speech_of_workspace();
CREATE OR REPLACE TRIGGER pronunciations_added_warm AFTER INSERT ON pronunciations
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION warm_speech_of_workspace();
CREATE OR REPLACE TRIGGER pronunciations_changed_warm AFTER UPDATE ON pronunciations
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION warm_speech_of_workspace();
CREATE OR REPLACE TRIGGER pronunciations_removed_warm AFTER DELETE ON pronunciations
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION warm_speech_of_workspace();

CREATE OR REPLACE TRIGGER speech_warm_ups_tell AFTER INSERT OR UPDATE OF due_at ON speech_warm_ups
  FOR EACH STATEMENT EXECUTE FUNCTION tell_waiting();
