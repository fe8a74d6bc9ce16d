-- Credentials of workspaces for vendors of speech and of language models.

CREATE TABLE vendor_credentials (
  workspace_id uuid NOT NULL,
  vendor       text NOT NULL,
  sealed       bytea NOT NULL,              -- JSON by name, encrypted
  shown        json NOT NULL,               -- the same, secrets by their ends
  base_url     text,                        -- null: the vendor's own host
  last_check   json,                        -- what the vendor answered; null: it was never asked
  updated_at   timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, vendor)
);
