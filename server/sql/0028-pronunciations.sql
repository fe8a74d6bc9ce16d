-- How words are pronounced: the dictionary of a workspace and of its agents.

CREATE TABLE pronunciations (
  pronunciation_id uuid PRIMARY KEY,
  workspace_id     uuid NOT NULL,
  agent_id         uuid REFERENCES agents ON DELETE CASCADE, -- null: of all agents
  language         text,                                     -- null: of all languages
  written          text NOT NULL,
  say_as           text,
  ipa              text,
  created_at       timestamptz NOT NULL DEFAULT now(),
  updated_at       timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX pronunciations_newest ON pronunciations (workspace_id, created_at DESC, pronunciation_id DESC);
CREATE INDEX pronunciations_of_agent ON pronunciations (agent_id) WHERE agent_id IS NOT NULL;
