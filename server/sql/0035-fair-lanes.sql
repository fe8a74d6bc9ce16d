-- Analyses and erasures take turns by workspace.

-- Functions of an earlier release do not name it for the moment until they are replaced.
ALTER TABLE calls_to_analyse ADD COLUMN workspace_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000';
UPDATE calls_to_analyse a SET workspace_id = c.workspace_id FROM calls c WHERE c.session_id = a.session_id;
DROP INDEX calls_to_analyse_due;
CREATE INDEX calls_to_analyse_due ON calls_to_analyse (workspace_id, due_at);
CALL analyse_lightly('calls_to_analyse');

DROP INDEX erasures_waiting;
CREATE INDEX erasures_waiting ON erasures (workspace_id, due_at) WHERE completed_at IS NULL;
