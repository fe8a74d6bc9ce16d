-- Telephone numbers of workspaces with the trunks behind them, and what a workspace may call.

CREATE TABLE phone_numbers (
  phone_number_id   uuid PRIMARY KEY,
  workspace_id      uuid NOT NULL,
  phone_number      text NOT NULL,
  country           text,                    -- ISO 3166; null: it belongs to no country
  provider          text NOT NULL,
  label             text,
  inbound_agent_id  uuid,
  outbound_agent_id uuid,
  status            text NOT NULL CHECK (status IN ('active', 'inactive')),
  max_concurrency   integer,                 -- null: only the limits of the workspace and the operator
  credentials       bytea,                   -- sealed; null: its provider has none
  host              text,                    -- of the trunk; null: it has none
  created_at        timestamptz NOT NULL DEFAULT now(),
  updated_at        timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX phone_numbers_once ON phone_numbers (workspace_id, phone_number);
CREATE INDEX phone_numbers_newest ON phone_numbers (workspace_id, created_at DESC, phone_number_id DESC);

-- The number of ours that a call goes out from or has come in by.
ALTER TABLE calls ADD COLUMN phone_number_id uuid;
-- Inbound calls have the caller's number where calls_live has ours.
CREATE INDEX calls_inbound_live ON calls (phone_number_id) WHERE claimed_by IS NOT NULL AND call_type = 'inbound';
CALL analyse_lightly('calls');
ALTER TABLE batches ADD COLUMN phone_number_id uuid;

-- What a workspace may call, and how often; null: the usual.
ALTER TABLE workspaces
  ADD COLUMN allowed_destinations text[],
  ADD COLUMN calls_per_minute     integer,
  ADD COLUMN calls_per_day        integer,
  ADD COLUMN max_concurrency      integer;

-- How many calls a workspace with such a limit has dialled, in this minute and on this day in UTC.
CREATE TABLE dialled_calls (
  workspace_id uuid PRIMARY KEY,
  minute       timestamptz NOT NULL,
  in_minute    integer NOT NULL,
  day          date NOT NULL,
  in_day       integer NOT NULL
);
