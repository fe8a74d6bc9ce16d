-- What another process needs to go on with a running call when the one that runs it dies: sealed, written by the carrier
-- while the call lasts, deleted with its end.
CREATE TABLE call_states (
  session_id uuid PRIMARY KEY REFERENCES calls ON DELETE CASCADE,
  carrier text NOT NULL,
  state bytea NOT NULL
);
