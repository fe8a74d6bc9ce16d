-- People: roles in workspaces and of keys, invitations, sessions that can be listed, workspaces that are deleted, and who
-- listened in to which call.

-- `users.role` says whether somebody is an owner of the installation ('admin') or not ('member').
ALTER TABLE users ADD COLUMN name text;

-- Members of earlier releases could change everything in their workspaces, and decided nothing about people.
ALTER TABLE user_workspaces
  ADD COLUMN role text NOT NULL DEFAULT 'editor' CHECK (role IN ('viewer', 'editor', 'admin'));
CREATE INDEX user_workspaces_of_workspace ON user_workspaces (workspace_id);

-- null: everything.
ALTER TABLE api_keys ADD COLUMN role text CHECK (role IN ('viewer', 'editor', 'admin'));

ALTER TABLE sessions
  ADD COLUMN session_id   uuid NOT NULL DEFAULT gen_random_uuid(),
  ADD COLUMN device       text,                                 -- as the browser names itself
  ADD COLUMN address      text,
  ADD COLUMN last_seen_at timestamptz NOT NULL DEFAULT now();
CREATE UNIQUE INDEX sessions_by_id ON sessions (session_id);

-- Links that are used once: by somebody new, or by a user who chooses a new password.
CREATE TABLE invitations (
  invitation_id uuid PRIMARY KEY,
  token_hash    bytea NOT NULL UNIQUE,                          -- SHA-256; the link itself is never stored
  email         text NOT NULL,
  user_id       uuid REFERENCES users ON DELETE CASCADE,        -- whose password it is for; null: an invitation
  owner         boolean NOT NULL DEFAULT false,
  invited_by    text NOT NULL,
  created_at    timestamptz NOT NULL DEFAULT now(),
  expires_at    timestamptz NOT NULL
);
CREATE UNIQUE INDEX invitations_email ON invitations (lower(email)) WHERE user_id IS NULL;
CREATE UNIQUE INDEX invitations_user ON invitations (user_id) WHERE user_id IS NOT NULL;

CREATE TABLE invitation_workspaces (
  invitation_id uuid NOT NULL REFERENCES invitations ON DELETE CASCADE,
  workspace_id  uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  role          text NOT NULL CHECK (role IN ('viewer', 'editor', 'admin')),
  PRIMARY KEY (invitation_id, workspace_id)
);

-- When its deletion was asked for: from then on nobody can enter it.
ALTER TABLE workspaces ADD COLUMN closed_at timestamptz;

-- A row is a job, and afterwards the proof.
CREATE TABLE workspace_deletions (
  deletion_id  uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  name         text NOT NULL,
  requested_by uuid,                                            -- null: by the command line
  requester    text NOT NULL,
  status       text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'in_progress', 'completed', 'failed')),
  error        text,
  due_at       timestamptz NOT NULL DEFAULT now(),
  claimed_by   integer,
  tries        integer NOT NULL DEFAULT 0,
  expected     bigint,                                          -- rows found when it began; null: it has not begun
  calls        integer NOT NULL DEFAULT 0,
  recordings   integer NOT NULL DEFAULT 0,
  files        integer NOT NULL DEFAULT 0,
  rows         bigint NOT NULL DEFAULT 0,
  created_at   timestamptz NOT NULL DEFAULT now(),
  completed_at timestamptz
);
CREATE INDEX workspace_deletions_waiting ON workspace_deletions (due_at) WHERE completed_at IS NULL;
CREATE INDEX workspace_deletions_newest ON workspace_deletions (created_at DESC, deletion_id DESC);

-- Who listened in to a call, from when on, and how long. null: they still do.
CREATE TABLE call_listeners (
  listening_id uuid PRIMARY KEY,
  session_id   uuid NOT NULL REFERENCES calls ON DELETE CASCADE,
  workspace_id uuid NOT NULL,
  listener     text NOT NULL,
  began_at     timestamptz NOT NULL DEFAULT now(),
  ended_at     timestamptz
);
CREATE INDEX call_listeners_of_call ON call_listeners (session_id, began_at);
