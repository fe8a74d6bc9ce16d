-- Files of sound, what is said in them, and who is told when it is known.

CREATE TABLE speech_files (
  file_id      uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  filename     text,
  media_type   text NOT NULL,           -- by its content, not by what it was called
  bytes        bigint NOT NULL,
  duration     double precision,        -- seconds; null: the file does not say
  created_at   timestamptz NOT NULL DEFAULT now(),
  expires_at   timestamptz NOT NULL
);
CREATE INDEX speech_files_expiry ON speech_files (expires_at);

CREATE TABLE transcripts (
  transcript_id       uuid PRIMARY KEY,
  workspace_id        uuid NOT NULL,
  file_id             uuid,             -- either this, while the file is there,
  audio_url           text,             -- or this
  options             json NOT NULL,    -- what was asked for, as in the contract
  metadata            json,
  callback_url        text,
  status              text NOT NULL DEFAULT 'queued'
                      CHECK (status IN ('queued', 'processing', 'completed', 'failed')),
  due_at              timestamptz DEFAULT now(), -- when it may be taken; null: it does not wait
  claimed_by          integer,          -- the claimant that works on it, see platform/claim.ts
  tries               integer NOT NULL DEFAULT 0, -- begun, also when the process died over it
  progress            real NOT NULL DEFAULT 0,
  language            text,
  language_confidence real,
  duration            double precision,
  findings            json,             -- text, speakers, segments, translation
  error               text,
  created_at          timestamptz NOT NULL DEFAULT now(),
  completed_at        timestamptz
);
CREATE INDEX transcripts_newest ON transcripts (workspace_id, created_at DESC, transcript_id DESC);
CREATE INDEX transcripts_age ON transcripts USING brin (created_at);
-- Whose turn it is: workspace by workspace.
CREATE INDEX transcripts_waiting ON transcripts (workspace_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX transcripts_claimed ON transcripts (workspace_id) INCLUDE (claimed_by, tries) WHERE claimed_by IS NOT NULL;
CREATE INDEX transcripts_of_file ON transcripts (file_id) WHERE file_id IS NOT NULL;
ALTER TABLE transcripts ALTER COLUMN findings SET STATISTICS 0, ALTER COLUMN options SET STATISTICS 0,
  ALTER COLUMN metadata SET STATISTICS 0;

-- What an attempt has found so far, so that the next one can go on from there. Gone with the end.
CREATE TABLE transcript_notes (
  transcript_id uuid NOT NULL REFERENCES transcripts ON DELETE CASCADE,
  name          text NOT NULL,
  content       text NOT NULL,
  PRIMARY KEY (transcript_id, name)
);

-- Callbacks that are still to be made. The row is the job; it goes when there is nothing more to try.
CREATE TABLE transcript_callbacks (
  delivery_id   uuid PRIMARY KEY,
  transcript_id uuid NOT NULL,
  workspace_id  uuid NOT NULL,
  url           text NOT NULL,
  lane          text NOT NULL,          -- the workspace and whom it tells: a slow receiver is slow for itself alone
  payload       text NOT NULL,          -- the exact body of every attempt
  due_at        timestamptz NOT NULL DEFAULT now(),
  claimed_by    integer,
  attempts      integer NOT NULL DEFAULT 0
);
CREATE INDEX transcript_callbacks_lane ON transcript_callbacks (lane, due_at, delivery_id);
ALTER TABLE transcript_callbacks ALTER COLUMN payload SET STATISTICS 0;

-- Signs the callbacks of a workspace.
CREATE TABLE callback_secrets (
  workspace_id uuid PRIMARY KEY REFERENCES workspaces ON DELETE CASCADE,
  secret       bytea NOT NULL           -- sealed, with the workspace as its place
);

CREATE TRIGGER transcripts_tell AFTER INSERT ON transcripts FOR EACH STATEMENT EXECUTE FUNCTION tell_waiting();
CREATE TRIGGER transcript_callbacks_tell AFTER INSERT ON transcript_callbacks
  FOR EACH STATEMENT EXECUTE FUNCTION tell_waiting();

-- Whoever waits for a transcript is told that it has ended, or is gone.
CREATE FUNCTION tell_transcript_end() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('transcript_ends', OLD.transcript_id::text);
  RETURN NULL;
END $$;
CREATE TRIGGER transcripts_end AFTER UPDATE OF completed_at ON transcripts FOR EACH ROW
  WHEN (NEW.completed_at IS NOT NULL AND OLD.completed_at IS NULL) EXECUTE FUNCTION tell_transcript_end();
CREATE TRIGGER transcripts_gone AFTER DELETE ON transcripts FOR EACH ROW EXECUTE FUNCTION tell_transcript_end();
