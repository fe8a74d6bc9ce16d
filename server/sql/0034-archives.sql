-- Days whose records are written to files before they are deleted. A row is a job, and afterwards says what was written.
CREATE TABLE archives (
  archive_id   uuid PRIMARY KEY,
  log          text NOT NULL,               -- calls or events
  day          date NOT NULL,               -- in UTC, by the ids of the records
  file         text,                        -- null: not written yet
  records      bigint,
  bytes        bigint,
  error        text,                        -- of the last attempt
  tries        integer NOT NULL DEFAULT 0,
  due_at       timestamptz NOT NULL DEFAULT now(),
  claimed_by   integer,
  created_at   timestamptz NOT NULL DEFAULT now(),
  completed_at timestamptz,
  UNIQUE (log, day)
);
CREATE INDEX archives_waiting ON archives (log, due_at) WHERE completed_at IS NULL;
CREATE INDEX archives_newest ON archives (created_at DESC, archive_id DESC);
