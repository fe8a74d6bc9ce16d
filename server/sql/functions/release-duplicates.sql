-- A page with the content of another one has no passages of its own. When that one is deleted, alone or with its site, or has
-- another content, the pages that it stood for are indexed themselves.
CREATE OR REPLACE FUNCTION release_duplicates_of_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE knowledge_documents d SET duplicate_of = NULL, due_at = now(), revision = d.revision + 1, tries = 0,
    status = CASE WHEN d.claimed_by IS NULL THEN 'queued' ELSE d.status END
  FROM gone WHERE d.repository_id = gone.repository_id AND d.duplicate_of = gone.document_id;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER knowledge_documents_deleted AFTER DELETE ON knowledge_documents REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION release_duplicates_of_deleted();

CREATE OR REPLACE FUNCTION release_duplicates_of_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE knowledge_documents SET duplicate_of = NULL, due_at = now(), revision = revision + 1, tries = 0,
    status = CASE WHEN claimed_by IS NULL THEN 'queued' ELSE status END
  WHERE repository_id = NEW.repository_id AND duplicate_of = NEW.document_id
    AND content_hash IS DISTINCT FROM NEW.content_hash;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER knowledge_documents_changed AFTER UPDATE OF content_hash ON knowledge_documents FOR EACH ROW
  WHEN (NEW.content_hash <> OLD.content_hash) EXECUTE FUNCTION release_duplicates_of_changed();
