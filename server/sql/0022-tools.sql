-- Tools that agents name in tool_definition_ids.

CREATE TABLE tools (
  tool_id      uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  type         text NOT NULL CHECK (type IN ('http', 'mcp', 'built_in')),
  config       json NOT NULL,               -- secrets are masked in it
  secrets      bytea,                       -- sealed; null: it has none
  created_at   timestamptz NOT NULL DEFAULT now(),
  updated_at   timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX tools_newest ON tools (workspace_id, created_at DESC, tool_id DESC);
