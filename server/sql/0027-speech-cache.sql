-- Speech of vendors that is kept: which there is, and the agents whose sentences are to be synthesized ahead.

-- The sound itself is in storage.
CREATE TABLE cached_speech (
  workspace_id uuid NOT NULL,
  key          bytea NOT NULL,                   -- SHA-256 of everything that changes the sound
  bytes        integer NOT NULL,
  is_stored    boolean NOT NULL DEFAULT false,   -- false: it is being stored, or its process died meanwhile
  used_at      timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, key)
);
CREATE INDEX cached_speech_used ON cached_speech (used_at);

-- A row is a job while it has a due time.
CREATE TABLE speech_warm_ups (
  agent_id     uuid PRIMARY KEY REFERENCES agents ON DELETE CASCADE,
  workspace_id uuid NOT NULL,
  revision     integer NOT NULL DEFAULT 0,       -- how often it was asked for
  error        text,                             -- of the last attempt
  warmed_at    timestamptz,
  due_at       timestamptz DEFAULT now(),
  claimed_by   integer,
  tries        integer NOT NULL DEFAULT 0
);
CREATE INDEX speech_warm_ups_waiting ON speech_warm_ups (workspace_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX speech_warm_ups_claimed ON speech_warm_ups (workspace_id) INCLUDE (claimed_by, tries)
  WHERE claimed_by IS NOT NULL;
