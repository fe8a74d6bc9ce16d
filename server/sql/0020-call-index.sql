-- What lists of calls are filtered and searched by: a row for each ended call, in a table of its own so that a running
-- call, whose status changes many times, stays cheap to update.
CREATE TABLE call_index (
  session_id      uuid PRIMARY KEY REFERENCES calls ON DELETE CASCADE,
  workspace_id    uuid NOT NULL,
  created_at      timestamptz NOT NULL,
  agent_id        uuid NOT NULL,
  phone_number_id uuid,
  call_type       text,
  call_status     text,
  hangup_reason   text,
  duration        double precision,
  answers_ms      integer[],        -- how long each answer of the agent took
  terms           tsvector NOT NULL -- facts and words, see functions/index-call.sql
);
CREATE INDEX call_index_newest ON call_index (workspace_id, created_at DESC, session_id DESC);
CREATE INDEX call_index_terms ON call_index USING gin (terms);
CALL analyse_lightly('call_index');
ALTER TABLE call_index ALTER COLUMN terms SET STATISTICS 0;
ALTER TABLE call_index ALTER COLUMN answers_ms SET STATISTICS 0;

-- Calls that wait or run are few, and are looked at as they are.
CREATE INDEX calls_unfinished ON calls (workspace_id, created_at DESC, session_id DESC) WHERE NOT finished;

-- Facts begin with "=", which no word does: =w workspace, =a agent, =b batch, =p number of ours, =s status, =t kind,
-- =h reason of the end, =y and =z answered or not, =d length in powers of two, =o sentiment, =f matched disposition,
-- =c id of the carrier, =n digits of a number, =m the same backwards, so that the last digits are a prefix too.
CREATE FUNCTION call_facts(c calls) RETURNS tsvector LANGUAGE plpgsql STABLE AS $$
DECLARE
  facts text[] := ARRAY['=w' || c.workspace_id, '=a' || c.agent_id, '=b' || c.batch_id, '=p' || c.phone_number_id,
    '=s' || c.call_status, '=t' || c.call_type, '=h' || c.hangup_reason, '=c' || left(lower(c.call_sid), 300),
    CASE WHEN c.duration > 0 THEN '=y' ELSE '=z' END,
    '=d' || floor(ln(1 + least(greatest(c.duration, 0), 1e6)) / ln(2::double precision)),
    '=o' || left(c.analytics #>> '{sentiment,label}', 300)];
  number text;
BEGIN
  FOREACH number IN ARRAY ARRAY[c.to_phone_number, c.from_phone_number] LOOP
    number := left(lower(regexp_replace(number, '^(\+|sips?:)', '')), 300);
    facts := facts || ARRAY['=n' || number, '=m' || reverse(number)];
  END LOOP;
  IF json_typeof(c.analytics -> 'disposition') = 'object' THEN
    facts := facts || ARRAY(
      SELECT '=f' || left(found.key, 300) FROM json_each(c.analytics -> 'disposition') AS found
      WHERE json_typeof(found.value) = 'object' AND found.value ->> 'matched' = 'true');
  END IF;
  RETURN array_to_tsvector(array_remove(facts, NULL));
END $$;

-- The words that both sides said. No more than fits: a tsvector holds a megabyte.
CREATE FUNCTION call_words(transcript json) RETURNS tsvector LANGUAGE sql STABLE AS $$
  SELECT strip(to_tsvector('simple', left(string_agg(line ->> 'content', ' '), 100000)))
  FROM json_array_elements(CASE WHEN json_typeof(transcript) = 'array' THEN transcript END) AS line
  WHERE line ->> 'role' IN ('agent', 'user')
$$;

CREATE FUNCTION call_answers(latency json) RETURNS integer[] LANGUAGE sql STABLE AS $$
  SELECT array_agg((turn ->> 'total')::double precision::integer)
  FROM json_array_elements(CASE WHEN json_typeof(latency) = 'array' THEN latency END) AS turn
  WHERE json_typeof(turn -> 'total') = 'number'
$$;

INSERT INTO call_index (session_id, workspace_id, created_at, agent_id, phone_number_id, call_type, call_status,
  hangup_reason, duration, answers_ms, terms)
SELECT c.session_id, c.workspace_id, c.created_at, c.agent_id, c.phone_number_id, c.call_type, c.call_status,
  c.hangup_reason, c.duration, call_answers(c.latency), call_facts(c) || coalesce(call_words(c.transcript), ''::tsvector)
FROM calls c WHERE c.finished;

-- The deliveries of an event are shown with its call. Ids grow with time, so the index does at its end.
CREATE INDEX deliveries_of_event ON deliveries (event_id);
