-- What people have corrected in transcripts, apart from the findings, which stay what the engine heard.

CREATE TABLE transcript_corrections (
  transcript_id uuid PRIMARY KEY REFERENCES transcripts ON DELETE CASCADE,
  version       integer NOT NULL,       -- goes up with every change, also when everything is taken back
  corrected     json NOT NULL,          -- speakers and segments, as in the contract
  author_type   text NOT NULL,          -- key or user
  author_id     uuid NOT NULL,
  saved_at      timestamptz NOT NULL DEFAULT now()
);
ALTER TABLE transcript_corrections ALTER COLUMN corrected SET STATISTICS 0;
