-- What the analysis of a call says besides what the event has: the score by the rubric of its agent, and why values are null.
ALTER TABLE calls
  ADD COLUMN analysis_reasons json,
  ADD COLUMN qa json,
  ADD COLUMN qa_score real; -- from 0 to 100; null: there is none

-- For the averages by day and the filters of the list.
CREATE INDEX calls_scored ON calls (workspace_id, created_at) INCLUDE (agent_id, qa_score) WHERE qa_score IS NOT NULL;
CALL analyse_lightly('calls');
