-- Tells processes that hold the vectors of a repository in memory that its passages have changed.
CREATE OR REPLACE FUNCTION tell_searching() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('knowledge_changes', OLD.repository_id::text);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER knowledge_documents_indexed AFTER UPDATE OF version ON knowledge_documents FOR EACH ROW
  WHEN (NEW.version <> OLD.version) EXECUTE FUNCTION tell_searching();
CREATE OR REPLACE TRIGGER knowledge_documents_gone AFTER DELETE ON knowledge_documents
  FOR EACH ROW EXECUTE FUNCTION tell_searching();
