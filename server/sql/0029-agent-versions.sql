-- The versions of agents. The current one is the agent's own row; functions/keep-version.sql copies it when it is replaced.

ALTER TABLE agents
  ADD COLUMN version       integer NOT NULL DEFAULT 1,
  ADD COLUMN saved_at      timestamptz,
  ADD COLUMN author_type   text,    -- key, user or operator; null: from before versions were kept
  ADD COLUMN author_id     uuid,
  ADD COLUMN restored_from integer, -- the version that was brought back
  ADD COLUMN graph_layout  json;    -- where an editor draws the nodes of a graph; not part of a version
UPDATE agents SET saved_at = updated_at;
ALTER TABLE agents ALTER COLUMN saved_at SET DEFAULT now(), ALTER COLUMN saved_at SET NOT NULL;

CREATE TABLE agent_versions (
  agent_id      uuid NOT NULL REFERENCES agents ON DELETE CASCADE,
  version       integer NOT NULL,
  status        text NOT NULL,
  config        json NOT NULL,
  secrets       bytea, -- sealed for the agent, as in its own row
  author_type   text,
  author_id     uuid,
  restored_from integer,
  saved_at      timestamptz NOT NULL,
  PRIMARY KEY (agent_id, version)
);

ALTER TABLE calls ADD COLUMN agent_version integer; -- what it was made with; null: not begun, or from before
-- Which versions calls still name.
CREATE INDEX calls_of_version ON calls (agent_id, agent_version) WHERE agent_version IS NOT NULL;
CALL analyse_lightly('calls');
