-- Events of ended calls are published in turns by workspace while more are due than one statement takes.

-- Functions of an earlier release do not name it for the moment until they are replaced.
ALTER TABLE calls_to_tell ADD COLUMN workspace_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000';
UPDATE calls_to_tell t SET workspace_id = c.workspace_id FROM calls c WHERE c.session_id = t.session_id;
CREATE INDEX calls_to_tell_lane ON calls_to_tell (workspace_id, due_at);
CALL analyse_lightly('calls_to_tell');
