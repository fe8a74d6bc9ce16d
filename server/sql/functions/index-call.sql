-- What lists of calls are filtered and searched by, written with the end of a call and whenever that changes.

-- Facts begin with "=", which no word does: =w workspace, =a agent, =v its version, =b batch, =p number of ours,
-- =s status, =t kind, =h reason of the end, =y and =z answered or not, =d length in powers of two, =o sentiment,
-- =f matched disposition, =c id of the carrier, =n digits of a number, =m the same backwards, so that the last digits are a prefix too.
CREATE OR REPLACE FUNCTION call_facts(c calls) RETURNS tsvector LANGUAGE plpgsql STABLE AS $$
DECLARE
  facts text[] := ARRAY['=w' || c.workspace_id, '=a' || c.agent_id, '=v' || c.agent_version, '=b' || c.batch_id,
    '=p' || c.phone_number_id, '=s' || c.call_status, '=t' || c.call_type, '=h' || c.hangup_reason,
    '=c' || left(lower(c.call_sid), 300),
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
CREATE OR REPLACE FUNCTION call_words(transcript json) RETURNS tsvector LANGUAGE sql STABLE AS $$
  SELECT strip(to_tsvector('simple', left(string_agg(line ->> 'content', ' '), 100000)))
  FROM json_array_elements(CASE WHEN json_typeof(transcript) = 'array' THEN transcript END) AS line
  WHERE line ->> 'role' IN ('agent', 'user')
$$;

CREATE OR REPLACE FUNCTION call_answers(latency json) RETURNS integer[] LANGUAGE sql STABLE AS $$
  SELECT array_agg((turn ->> 'total')::double precision::integer)
  FROM json_array_elements(CASE WHEN json_typeof(latency) = 'array' THEN latency END) AS turn
  WHERE json_typeof(turn -> 'total') = 'number'
$$;

-- Nothing in a record can make the end of a call fail: what cannot be indexed is left out.
CREATE OR REPLACE FUNCTION index_call() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  terms tsvector := ''::tsvector;
  answers integer[];
BEGIN
  BEGIN
    terms := call_facts(NEW);
    answers := call_answers(NEW.latency);
    terms := terms || coalesce(call_words(NEW.transcript), ''::tsvector);
  EXCEPTION WHEN others THEN
    RAISE WARNING 'call % is not fully indexed: %', NEW.session_id, SQLERRM;
  END;
  INSERT INTO call_index (session_id, workspace_id, created_at, agent_id, phone_number_id, call_type, call_status,
    hangup_reason, duration, answers_ms, terms)
  VALUES (NEW.session_id, NEW.workspace_id, NEW.created_at, NEW.agent_id, NEW.phone_number_id, NEW.call_type,
    NEW.call_status, NEW.hangup_reason, NEW.duration, answers, terms)
  ON CONFLICT (session_id) DO UPDATE SET call_status = excluded.call_status, hangup_reason = excluded.hangup_reason,
    duration = excluded.duration, answers_ms = excluded.answers_ms, terms = excluded.terms;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER calls_index AFTER INSERT OR UPDATE OF finished, transcript, analytics, to_phone_number,
  from_phone_number, call_sid ON calls FOR EACH ROW WHEN (NEW.finished) EXECUTE FUNCTION index_call();

-- Calls that processes of an earlier release ended while this one was being installed.
INSERT INTO call_index (session_id, workspace_id, created_at, agent_id, phone_number_id, call_type, call_status,
  hangup_reason, duration, answers_ms, terms)
SELECT c.session_id, c.workspace_id, c.created_at, c.agent_id, c.phone_number_id, c.call_type, c.call_status,
  c.hangup_reason, c.duration, call_answers(c.latency), call_facts(c) || coalesce(call_words(c.transcript), ''::tsvector)
FROM calls c WHERE c.finished AND c.call_completed_time > now() - interval '1 day'
ON CONFLICT DO NOTHING;
