-- The vectors of passages as pgvector's type. Without that extension there is no table knowledge_vectors, and nothing here
-- does anything: bodies are not parsed before they run.

-- 32-bit floats in bytes, the lowest first. PostgreSQL has no cast for it; numbers below 1e-38 become 0.
CREATE OR REPLACE FUNCTION floats_of(bytes bytea) RETURNS real[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT ARRAY(
    SELECT CASE WHEN (b.bits >> 23) & 255 = 0 THEN 0
      ELSE sign(b.bits) * (1 + (b.bits & 8388607) / 8388608::float8) * power(2::float8, ((b.bits >> 23) & 255) - 127)
      END::real
    -- Read once: a value that is stored outside of its row is otherwise fetched for every byte.
    FROM (SELECT bytes || ''::bytea AS flat OFFSET 0) AS whole,
      generate_series(0, octet_length(bytes) - 4, 4) AS at,
      LATERAL (SELECT get_byte(flat, at) | (get_byte(flat, at + 1) << 8) | (get_byte(flat, at + 2) << 16)
        | (get_byte(flat, at + 3) << 24) AS bits OFFSET 0) AS b
    ORDER BY at)
$$;

-- In the transaction that replaces the passages of a document, whichever release does it. Deletion is the foreign key's.
CREATE OR REPLACE FUNCTION keep_vectors() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- The column, not the table: it is gone if the extension was dropped.
  IF EXISTS (SELECT FROM pg_attribute
             WHERE attrelid = to_regclass('knowledge_vectors') AND attname = 'embedding') THEN
    INSERT INTO knowledge_vectors (chunk_id, repository_id, embedder, embedding)
    SELECT chunk_id, repository_id, NEW.embedder, floats_of(vector)::vector
    FROM knowledge_chunks WHERE document_id = NEW.document_id AND vector IS NOT NULL
    ON CONFLICT (chunk_id) DO NOTHING;
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER knowledge_documents_vectors AFTER UPDATE OF version ON knowledge_documents FOR EACH ROW
  WHEN (NEW.version <> OLD.version AND NEW.chunk_count > 0 AND NEW.embedder IS NOT NULL) EXECUTE FUNCTION keep_vectors();

-- How similar to a question are the `most` nearest passages of a repository and some further ones. A passage may be there
-- twice. `form`: the type that the index has, such as vector(384).
CREATE OR REPLACE FUNCTION similar_passages(
  repository uuid, made_by text, question text, dimensions integer, form text, most integer, by_index boolean, further uuid[]
) RETURNS TABLE (chunk uuid, similarity double precision) LANGUAGE plpgsql AS $$
DECLARE
  -- As in the predicate of the index; a parameter would not be recognised in it.
  comparable text := format('embedder = %L AND vector_dims(embedding) = %s', made_by, dimensions);
  nearest text := 'SELECT chunk_id, 1 - (embedding <=> $2::vector) FROM knowledge_vectors
    WHERE repository_id = $1 AND ' || comparable || ' ORDER BY %s LIMIT $3';
  found_by_index integer := 0;
BEGIN
  RETURN QUERY EXECUTE 'SELECT chunk_id, 1 - (embedding <=> $2::vector) FROM knowledge_vectors
    WHERE chunk_id = ANY($1) AND ' || comparable USING further, question;
  IF by_index THEN
    -- Until the end of this transaction, which is this statement. It goes on until there are enough of the repository, and
    -- sees more than it needs, so that it seldom misses one. Sorting would mean to read the whole repository.
    PERFORM set_config('hnsw.iterative_scan', 'relaxed_order', true), set_config('hnsw.ef_search', '120', true),
      set_config('enable_sort', 'off', true);
    RETURN QUERY EXECUTE format(nearest, format('embedding::%s <=> $2::%s', form, form)) USING repository, question, most;
    GET DIAGNOSTICS found_by_index = ROW_COUNT;
  END IF;
  -- A small repository, or one that is so small a part of all that the index gave up: each of its passages is compared.
  IF found_by_index < most THEN
    RETURN QUERY EXECUTE format(nearest, 'embedding <=> $2::vector') USING repository, question, most;
  END IF;
END $$;
