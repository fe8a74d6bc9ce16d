-- One engine for all jobs: a row that is claimed stays among those that wait until it is done or given back.

-- Transcripts had no due time while they were being worked on.
UPDATE transcripts SET due_at = created_at WHERE claimed_by IS NOT NULL AND due_at IS NULL;
