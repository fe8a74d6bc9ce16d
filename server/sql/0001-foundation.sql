-- Workspaces, who may enter them, the agents in them, and the answers that a repeated POST gets again.

CREATE TABLE workspaces (
  workspace_id uuid PRIMARY KEY,
  name         text NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE api_keys (
  api_key_id   uuid PRIMARY KEY,
  hash         bytea NOT NULL UNIQUE,                        -- SHA-256 of the key; the key itself is never stored
  prefix       text NOT NULL,                                -- enough to recognise it by
  label        text NOT NULL,
  workspace_id uuid REFERENCES workspaces ON DELETE CASCADE, -- the binding; null: unbound
  setting      text,                                         -- the environment variable that fixed it, if one did
  active       boolean NOT NULL DEFAULT true,
  created_at   timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz
);

-- The workspaces that an unbound key may name.
CREATE TABLE api_key_access (
  api_key_id   uuid NOT NULL REFERENCES api_keys ON DELETE CASCADE,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  PRIMARY KEY (api_key_id, workspace_id)
);

CREATE TABLE users (
  user_id       uuid PRIMARY KEY,
  email         text NOT NULL,
  password_hash text NOT NULL,
  role          text NOT NULL CHECK (role IN ('admin', 'member')),
  created_at    timestamptz NOT NULL DEFAULT now(),
  last_login_at timestamptz
);
CREATE UNIQUE INDEX users_email ON users (lower(email));

CREATE TABLE user_workspaces (
  user_id      uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  PRIMARY KEY (user_id, workspace_id)
);

CREATE TABLE sessions (
  token_hash bytea PRIMARY KEY,
  user_id    uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);
CREATE INDEX sessions_user ON sessions (user_id);

CREATE TABLE agents (
  agent_id     uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,  -- checked at the door; a foreign key would lock its row on every write
  status       text NOT NULL,
  config       json NOT NULL,  -- json, not jsonb: read back in the order in which it was written, never searched
  created_at   timestamptz NOT NULL DEFAULT now(),
  updated_at   timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX agents_newest ON agents (workspace_id, created_at DESC, agent_id DESC);

CREATE TABLE idempotent_answers (
  cache_key  bytea CONSTRAINT idempotent_answers_once PRIMARY KEY, -- SHA-256 of API key, path and Idempotency-Key
  answer     bytea NOT NULL,                                       -- sealed: it may hold a one-time secret
  expires_at timestamptz NOT NULL
);
-- Written in the order in which they expire, so a few ranges are enough, and a POST writes one index less.
CREATE INDEX idempotent_answers_expiry ON idempotent_answers USING brin (expires_at);

-- Kept by rate-limiter-flexible when the count is shared between processes.
CREATE UNLOGGED TABLE rate_limits (
  key    varchar(255) PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
);

-- Facts about this installation, such as the fingerprint of the secret it was made with.
CREATE TABLE installation (
  name  text PRIMARY KEY,
  value bytea NOT NULL
);
