-- Wakes the workers of a table, on the channel of the same name, when it has new rows.
CREATE OR REPLACE FUNCTION tell_waiting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify(TG_TABLE_NAME, '');
  RETURN NULL;
END $$;

-- Deliveries that were inserted by their own worker are claimed already.
CREATE OR REPLACE FUNCTION tell_unclaimed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM added WHERE claimed_by IS NULL) THEN
    PERFORM pg_notify(TG_TABLE_NAME, '');
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER deliveries_tell AFTER INSERT ON deliveries REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION tell_unclaimed();

CREATE OR REPLACE TRIGGER calls_to_tell_tell AFTER INSERT ON calls_to_tell
  FOR EACH STATEMENT EXECUTE FUNCTION tell_waiting();
CREATE OR REPLACE TRIGGER calls_to_analyse_tell AFTER INSERT ON calls_to_analyse
  FOR EACH STATEMENT EXECUTE FUNCTION tell_waiting();
CREATE OR REPLACE TRIGGER transcripts_tell AFTER INSERT ON transcripts
  FOR EACH STATEMENT EXECUTE FUNCTION tell_waiting();
CREATE OR REPLACE TRIGGER transcript_callbacks_tell AFTER INSERT ON transcript_callbacks
  FOR EACH STATEMENT EXECUTE FUNCTION tell_waiting();
-- A request to stop a call wakes them too.
CREATE OR REPLACE TRIGGER calls_tell AFTER INSERT OR UPDATE OF stop_asked_at ON calls
  FOR EACH STATEMENT EXECUTE FUNCTION tell_waiting();
-- Every process keeps the trunks in memory.
CREATE OR REPLACE TRIGGER phone_numbers_tell AFTER INSERT OR UPDATE OR DELETE ON phone_numbers
  FOR EACH STATEMENT EXECUTE FUNCTION tell_waiting();
-- Documents are also indexed again.
CREATE OR REPLACE TRIGGER knowledge_documents_tell AFTER INSERT OR UPDATE OF due_at ON knowledge_documents
  FOR EACH STATEMENT EXECUTE FUNCTION tell_waiting();
CREATE OR REPLACE TRIGGER erasures_tell AFTER INSERT ON erasures
  FOR EACH STATEMENT EXECUTE FUNCTION tell_waiting();
CREATE OR REPLACE TRIGGER workspace_deletions_tell AFTER INSERT ON workspace_deletions
  FOR EACH STATEMENT EXECUTE FUNCTION tell_waiting();
CREATE OR REPLACE TRIGGER archives_tell AFTER INSERT ON archives
  FOR EACH STATEMENT EXECUTE FUNCTION tell_waiting();
