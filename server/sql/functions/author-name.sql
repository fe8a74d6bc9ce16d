-- What whoever has changed something is called; null: the command line, or somebody who was removed.
CREATE OR REPLACE FUNCTION author_name(author_type text, author_id uuid) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE author_type
    WHEN 'key' THEN (SELECT k.label FROM api_keys k WHERE k.api_key_id = author_id)
    WHEN 'user' THEN (SELECT u.email FROM users u WHERE u.user_id = author_id)
  END
$$;
