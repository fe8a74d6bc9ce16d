-- Who the person in a call is: who was called, who called, or who the client says is in the browser. A telephone number in
-- one spelling, or a name. The index calls_of_caller is made of it: never change what it returns, and use only functions of
-- PostgreSQL itself, because an index is built without a search path.
CREATE OR REPLACE FUNCTION caller_of(direction text, from_number text, to_number text, metadata json) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN written ~ '^[+0-9][0-9 ().-]*$'
    THEN left('+' || regexp_replace(regexp_replace(written, '[^0-9]', '', 'g'), '^00', ''), 320)
    ELSE nullif(left(lower(btrim(written)), 320), '') END
  FROM (SELECT CASE direction
    WHEN 'inbound' THEN from_number
    WHEN 'web' THEN metadata ->> 'caller_id'
    ELSE to_number END) AS person(written)
$$;

-- The same for a number or name that somebody wrote.
CREATE OR REPLACE FUNCTION caller_key(written text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT caller_of('outbound', NULL, written, NULL)
$$;
