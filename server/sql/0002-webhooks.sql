-- Calls as far as their event needs them, the event of a finished call, and its deliveries.

CREATE TABLE calls (
  session_id          uuid PRIMARY KEY,
  workspace_id        uuid NOT NULL,
  agent_id            uuid NOT NULL,
  call_status         text,
  call_type           text,
  to_phone_number     text,
  duration            double precision,
  call_sid            text,
  call_initiated_time timestamptz,
  call_completed_time timestamptz,
  call_terminated_by  text,
  transcript          json,
  recording           json,
  analytics           json,
  finished            boolean NOT NULL DEFAULT false,
  created_at          timestamptz NOT NULL DEFAULT now(),
  updated_at          timestamptz NOT NULL DEFAULT now()
);

-- Finished calls whose event is not prepared yet. Written with the end of the call, removed with the event.
CREATE TABLE calls_to_tell (
  session_id uuid PRIMARY KEY REFERENCES calls ON DELETE CASCADE,
  due_at     timestamptz NOT NULL
);
CREATE INDEX calls_to_tell_due ON calls_to_tell (due_at);

CREATE TABLE webhooks (
  webhook_id        uuid PRIMARY KEY,
  workspace_id      uuid NOT NULL,
  url               text NOT NULL,
  events            text[] NOT NULL,
  agent_id          uuid,             -- null: every agent of the workspace
  description       text,
  status            text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'disabled')),
  secret            bytea NOT NULL,   -- sealed, with the id as its place
  secret_rotated_at timestamptz NOT NULL DEFAULT now(),
  created_at        timestamptz NOT NULL DEFAULT now(),
  updated_at        timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX webhooks_newest ON webhooks (workspace_id, created_at DESC, webhook_id DESC);

CREATE TABLE events (
  event_id     uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  agent_id     uuid NOT NULL,
  type         text NOT NULL,
  payload      text NOT NULL,         -- the exact body of every delivery
  created_at   timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX events_age ON events USING brin (created_at);

CREATE TABLE deliveries (
  delivery_id  uuid PRIMARY KEY,
  event_id     uuid NOT NULL,
  lane         uuid NOT NULL,         -- whose turn it takes: the webhook, or the agent of a legacy address
  webhook_id   uuid,                  -- null: the agent's legacy address
  legacy_url   text,
  test         boolean NOT NULL DEFAULT false,
  status       text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'delivered', 'failed', 'cancelled')),
  attempts     jsonb NOT NULL DEFAULT '[]',
  due_at       timestamptz NOT NULL DEFAULT now(),
  claimed_by   integer,               -- the claimant that is sending it, see platform/claim.ts; in no index, so a claim
                                      -- is written beside the row and nowhere else
  created_at   timestamptz NOT NULL DEFAULT now(),
  completed_at timestamptz
);
CREATE INDEX deliveries_lane ON deliveries (lane, due_at) WHERE status = 'queued';
CREATE INDEX deliveries_newest ON deliveries (webhook_id, created_at DESC, delivery_id DESC);
CREATE INDEX deliveries_age ON deliveries USING brin (created_at);
-- Queues are rewritten all day long: leave room for a claim beside its row, and vacuum often.
ALTER TABLE deliveries SET (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
ALTER TABLE calls_to_tell SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

-- A claim on an idempotency key whose operation acts outside the database has no answer yet.
ALTER TABLE idempotent_answers ALTER COLUMN answer DROP NOT NULL;

-- Whoever waits for work is woken when there is some.
CREATE FUNCTION tell_waiting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify(TG_TABLE_NAME, '');
  RETURN NULL;
END $$;
CREATE TRIGGER deliveries_tell AFTER INSERT ON deliveries FOR EACH STATEMENT EXECUTE FUNCTION tell_waiting();
CREATE TRIGGER calls_to_tell_tell AFTER INSERT ON calls_to_tell FOR EACH STATEMENT EXECUTE FUNCTION tell_waiting();
