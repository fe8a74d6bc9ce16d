-- However an agent is changed, the version that it had is kept: a write that counts `version` up is all it takes.
CREATE OR REPLACE FUNCTION keep_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO agent_versions (agent_id, version, status, config, secrets, author_type, author_id, restored_from, saved_at)
  VALUES (OLD.agent_id, OLD.version, OLD.status, OLD.config, OLD.secrets, OLD.author_type, OLD.author_id,
    OLD.restored_from, OLD.saved_at);
  -- One comes, one goes, unless a call was made with it.
  DELETE FROM agent_versions v WHERE v.agent_id = NEW.agent_id AND v.version = NEW.version - 100
    AND NOT EXISTS (SELECT FROM calls c WHERE c.agent_id = v.agent_id AND c.agent_version = v.version);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER agents_keep_version AFTER UPDATE OF version ON agents FOR EACH ROW
  WHEN (NEW.version > OLD.version) EXECUTE FUNCTION keep_version();
