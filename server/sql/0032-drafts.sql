-- Calls that try a configuration of an agent before it is saved. The call remembers that it was one; the configuration
-- itself is deleted when it has been used.
ALTER TABLE calls ADD COLUMN draft boolean NOT NULL DEFAULT false;

CREATE TABLE call_drafts (
  session_id uuid PRIMARY KEY REFERENCES calls ON DELETE CASCADE,
  config     json NOT NULL,
  secrets    bytea,
  created_at timestamptz NOT NULL DEFAULT now()
);
CALL analyse_lightly('calls');
