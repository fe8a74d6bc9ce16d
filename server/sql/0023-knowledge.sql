-- The knowledge base: repositories, their documents, and the passages that are searched.

CREATE TABLE knowledge_repositories (
  repository_id uuid PRIMARY KEY,
  workspace_id  uuid NOT NULL,
  name          text NOT NULL,
  description   text,
  language      text NOT NULL,
  chunk_size    integer NOT NULL,
  chunk_overlap integer NOT NULL,
  top_k         integer NOT NULL,
  created_at    timestamptz NOT NULL DEFAULT now(),
  updated_at    timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX knowledge_repositories_newest
  ON knowledge_repositories (workspace_id, created_at DESC, repository_id DESC);

-- A row is a job while it has a due time.
CREATE TABLE knowledge_documents (
  document_id   uuid PRIMARY KEY,
  repository_id uuid NOT NULL REFERENCES knowledge_repositories ON DELETE CASCADE,
  site_id       uuid REFERENCES knowledge_documents ON DELETE CASCADE, -- the site that a page was found on
  kind          text NOT NULL CHECK (kind IN ('file', 'text', 'page', 'site')),
  title         text NOT NULL,
  has_title     boolean NOT NULL,                -- given by the user; otherwise that of the content takes its place
  filename      text,
  media_type    text,
  url           text,
  depth         integer,
  max_pages     integer,
  bytes         integer,
  content_hash  bytea,                           -- SHA-256; null: not read yet
  duplicate_of  uuid,
  status        text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'processing', 'ready', 'failed')),
  done          integer NOT NULL DEFAULT 0,      -- passages, or pages of a site
  total         integer,
  error         text,
  chunk_count   integer NOT NULL DEFAULT 0,
  version       integer NOT NULL DEFAULT 0,      -- of its passages
  revision      integer NOT NULL DEFAULT 0,      -- how often it was asked to be indexed again
  embedder      text,                            -- made their vectors
  due_at        timestamptz DEFAULT now(),
  claimed_by    integer,
  tries         integer NOT NULL DEFAULT 0,
  created_at    timestamptz NOT NULL DEFAULT now(),
  indexed_at    timestamptz
);
CREATE INDEX knowledge_documents_newest ON knowledge_documents (repository_id, created_at DESC, document_id DESC);
CREATE INDEX knowledge_documents_waiting ON knowledge_documents (repository_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX knowledge_documents_claimed ON knowledge_documents (repository_id) INCLUDE (claimed_by, tries)
  WHERE claimed_by IS NOT NULL;
CREATE INDEX knowledge_documents_same ON knowledge_documents (repository_id, content_hash);
CREATE INDEX knowledge_documents_of_site ON knowledge_documents (site_id) WHERE site_id IS NOT NULL;
-- Two pages of a site with the same address are one.
CREATE UNIQUE INDEX knowledge_documents_once ON knowledge_documents (site_id, url) WHERE site_id IS NOT NULL;

-- What was uploaded, or last read from the address.
CREATE TABLE knowledge_contents (
  document_id uuid PRIMARY KEY REFERENCES knowledge_documents ON DELETE CASCADE,
  content     bytea NOT NULL
);
ALTER TABLE knowledge_contents ALTER COLUMN content SET STORAGE EXTERNAL, ALTER COLUMN content SET STATISTICS 0;

CREATE TABLE knowledge_chunks (
  chunk_id      uuid PRIMARY KEY,
  repository_id uuid NOT NULL,
  document_id   uuid NOT NULL REFERENCES knowledge_documents ON DELETE CASCADE,
  position      integer NOT NULL,
  heading       text,                            -- from the outermost, between angle brackets
  content       text NOT NULL,
  words         tsvector NOT NULL,
  vector        bytea                            -- 32-bit floats, unit length; null: there was no embedder
);
CREATE INDEX knowledge_chunks_of_document ON knowledge_chunks (document_id, position);
CREATE INDEX knowledge_chunks_of_repository ON knowledge_chunks (repository_id);
-- Without fast updates: a search must not have to read a list of pending entries.
CREATE INDEX knowledge_chunks_words ON knowledge_chunks USING gin (words) WITH (fastupdate = off);
-- Ranking reads the words of thousands of passages, but neither their text nor their vectors.
ALTER TABLE knowledge_chunks ALTER COLUMN words SET STORAGE MAIN, ALTER COLUMN vector SET STORAGE EXTERNAL,
  ALTER COLUMN words SET STATISTICS 0, ALTER COLUMN content SET STATISTICS 0, ALTER COLUMN vector SET STATISTICS 0;

-- Agents that wait for their knowledge base.
CREATE INDEX agents_seeding ON agents (workspace_id) WHERE status = 'seeding';
