-- What calls use, added up; the limits of a workspace on it; what is remembered of callers, and how they are erased.

-- null: no limit. `prices`: {currency, rows[]}, as in the contract; null: nothing has a price.
ALTER TABLE workspaces
  ADD COLUMN minutes_per_day integer,
  ADD COLUMN cost_per_day    numeric,
  ADD COLUMN prices          json,
  ADD COLUMN memory_days     integer;  -- null: as long as records of calls are kept

-- Whether an ended call is in the usage. Those that ended before this release are added in the background.
ALTER TABLE calls ADD COLUMN counted boolean NOT NULL DEFAULT false;
CREATE INDEX calls_uncounted ON calls (session_id) WHERE finished AND NOT counted;

-- One row per ended call, with what its end changes; moved into the rollups soon afterwards. The usage is the sum of both
-- tables at any moment, so nothing is lost or counted twice, whoever dies.
CREATE TABLE usage_entries (
  entry_id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  workspace_id    uuid NOT NULL,
  at              timestamptz NOT NULL,  -- the quarter of an hour in which the call ended
  agent_id        uuid NOT NULL,
  batch_id        uuid,
  phone_number_id uuid,
  calls           integer NOT NULL,      -- 1, or -1 to take back what was counted before
  connected       integer NOT NULL,
  completed       integer NOT NULL,
  busy            integer NOT NULL,
  no_answer       integer NOT NULL,
  failed          integer NOT NULL,
  canceled        integer NOT NULL,
  duration_ms     bigint NOT NULL,
  stt_ms          bigint NOT NULL,
  tts_characters  bigint NOT NULL,
  input_tokens    bigint NOT NULL,
  output_tokens   bigint NOT NULL,
  cost            numeric NOT NULL,
  unpriced        integer NOT NULL,      -- connected calls of which something has no price
  parts           json NOT NULL          -- what each vendor did
);
CREATE INDEX usage_entries_of_workspace ON usage_entries (workspace_id, at);
ALTER TABLE usage_entries SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
ALTER TABLE usage_entries ALTER COLUMN parts SET STATISTICS 0;

-- By quarters of an hour, because days begin at one in every time zone.
CREATE TABLE usage_rollups (
  workspace_id    uuid NOT NULL,
  dimension       text NOT NULL CHECK (dimension IN ('all', 'agent', 'batch', 'number', 'vendor')),
  at              timestamptz NOT NULL,
  agent_id        uuid NOT NULL,         -- all zeros in the dimension `all`
  key             text NOT NULL,         -- '': without a batch, or without a number
  calls           bigint NOT NULL,
  connected       bigint NOT NULL,
  completed       bigint NOT NULL,
  busy            bigint NOT NULL,
  no_answer       bigint NOT NULL,
  failed          bigint NOT NULL,
  canceled        bigint NOT NULL,
  duration_ms     bigint NOT NULL,
  stt_ms          bigint NOT NULL,
  tts_characters  bigint NOT NULL,
  input_tokens    bigint NOT NULL,
  output_tokens   bigint NOT NULL,
  cost            numeric NOT NULL,
  unpriced        bigint NOT NULL,
  PRIMARY KEY (workspace_id, dimension, at, agent_id, key)
);

-- The most calls that a workspace had at once in a quarter of an hour.
CREATE TABLE concurrency_peaks (
  workspace_id uuid NOT NULL,
  at           timestamptz NOT NULL,
  calls        integer NOT NULL,
  PRIMARY KEY (workspace_id, at)
);

-- What people should know of their workspace, such as a limit that stops new calls. Once a day for each kind.
CREATE TABLE workspace_notices (
  notice_id    uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  workspace_id uuid NOT NULL,
  kind         text NOT NULL,
  day          date NOT NULL,
  most         numeric NOT NULL,         -- the limit
  used         numeric NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  UNIQUE (workspace_id, kind, day)
);
CREATE INDEX workspace_notices_newest ON workspace_notices (workspace_id, created_at DESC, notice_id DESC);

-- The index needs it before functions/caller-of.sql is applied.
CREATE FUNCTION caller_of(direction text, from_number text, to_number text, metadata json) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN written ~ '^[+0-9][0-9 ().-]*$'
    THEN left('+' || regexp_replace(regexp_replace(written, '[^0-9]', '', 'g'), '^00', ''), 320)
    ELSE nullif(left(lower(btrim(written)), 320), '') END
  FROM (SELECT CASE direction
    WHEN 'inbound' THEN from_number
    WHEN 'web' THEN metadata ->> 'caller_id'
    ELSE to_number END) AS person(written)
$$;

CREATE INDEX calls_of_caller
  ON calls (workspace_id, caller_of(call_type, from_phone_number, to_phone_number, metadata), created_at);
ALTER INDEX calls_of_caller ALTER COLUMN 2 SET STATISTICS 20;
CALL analyse_lightly('calls');

-- What agents that are allowed to keep of a caller: the newest summary, and facts of all calls.
CREATE TABLE caller_memories (
  workspace_id uuid NOT NULL,
  caller       text NOT NULL,
  agent_id     uuid NOT NULL,
  calls        integer NOT NULL,
  called_at    timestamptz NOT NULL,      -- the end of the newest call
  summary      text,
  summary_at   timestamptz,               -- the end of the call that it is of
  facts        jsonb NOT NULL,
  updated_at   timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, caller, agent_id)
);
CREATE INDEX caller_memories_age ON caller_memories (workspace_id, called_at);

-- Requests to erase a caller. A row is a job, and afterwards the proof, without the caller.
CREATE TABLE erasures (
  erasure_id   uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  caller       bytea,                     -- sealed; null once nothing of them is left
  status       text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'in_progress', 'completed', 'failed')),
  error        text,
  due_at       timestamptz NOT NULL DEFAULT now(),
  claimed_by   integer,
  tries        integer NOT NULL DEFAULT 0,
  expected     integer,                   -- calls found when it began; null: it has not begun
  calls        integer NOT NULL DEFAULT 0,
  recordings   integer NOT NULL DEFAULT 0,
  events       integer NOT NULL DEFAULT 0,
  deliveries   integer NOT NULL DEFAULT 0,
  recipients   integer NOT NULL DEFAULT 0,
  memories     integer NOT NULL DEFAULT 0,
  created_at   timestamptz NOT NULL DEFAULT now(),
  completed_at timestamptz
);
CREATE INDEX erasures_waiting ON erasures (due_at) WHERE completed_at IS NULL;
CREATE INDEX erasures_newest ON erasures (workspace_id, created_at DESC, erasure_id DESC);

-- Calls that were erased: their recordings may still be on the way to storage, on another machine.
CREATE TABLE erased_calls (
  session_id uuid PRIMARY KEY,
  erased_at  timestamptz NOT NULL DEFAULT now()
);

-- Which call an event is of. Those of earlier releases are found by their text.
ALTER TABLE events ADD COLUMN session_id uuid;
CREATE INDEX events_of_call ON events (session_id) WHERE session_id IS NOT NULL;
CREATE INDEX events_without_call ON events (event_id) WHERE session_id IS NULL;
CALL analyse_lightly('events');
