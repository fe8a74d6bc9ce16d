-- Notifies processes with call watchers which calls have new events. A notification holds up to 200 ids.
CREATE OR REPLACE FUNCTION tell_watching() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('call_events', string_agg(session_id::text, ','))
  FROM (SELECT session_id, (row_number() OVER () - 1) / 200 AS part
        FROM (SELECT DISTINCT session_id FROM added) AS told) AS parts
  GROUP BY part;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER call_events_tell AFTER INSERT ON call_events REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION tell_watching();

-- Notifies requests that wait for a transcript that it has ended or was deleted.
CREATE OR REPLACE FUNCTION tell_transcript_end() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('transcript_ends', OLD.transcript_id::text);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER transcripts_end AFTER UPDATE OF completed_at ON transcripts FOR EACH ROW
  WHEN (NEW.completed_at IS NOT NULL AND OLD.completed_at IS NULL) EXECUTE FUNCTION tell_transcript_end();
CREATE OR REPLACE TRIGGER transcripts_gone AFTER DELETE ON transcripts
  FOR EACH ROW EXECUTE FUNCTION tell_transcript_end();
