-- Batches whose trunk does not answer are paused, and go on by themselves when it does.

ALTER TABLE batches
  ADD COLUMN trunk_tries    integer NOT NULL DEFAULT 0, -- pauses in a row for the trunk; above 0 one call at a time tries it
  ADD COLUMN trunk_tried_at timestamptz,                -- only calls dialled since then tell whether the trunk answers again
  ADD COLUMN resume_at      timestamptz;                -- a paused batch goes on by itself then; null: it does not
CREATE INDEX batches_resuming ON batches (resume_at) WHERE resume_at IS NOT NULL;
