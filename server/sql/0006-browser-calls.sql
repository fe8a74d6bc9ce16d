-- Calls from a browser wait for whoever has their one-time token; the process that the browser comes to runs them.

ALTER TABLE calls
  ADD COLUMN join_token bytea,       -- SHA-256 of the token; null: it was used, or there never was one
  ADD COLUMN join_by    timestamptz; -- until when somebody may come; null: it does not wait for a browser
ALTER TABLE calls
  ALTER COLUMN join_token SET STATISTICS 0,
  ALTER COLUMN join_by SET STATISTICS 20;
CREATE UNIQUE INDEX calls_to_join ON calls (join_token) WHERE join_token IS NOT NULL;
CREATE INDEX calls_unjoined ON calls (join_by) WHERE join_by IS NOT NULL;

-- Opens the dashboard once without a password, for whoever has just started the service for the first time.
CREATE TABLE sign_in_links (
  token_hash bytea PRIMARY KEY,
  user_id    uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  expires_at timestamptz NOT NULL
);
