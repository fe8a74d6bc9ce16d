-- The usage by dimension, and how entries become rollups.

-- Every entry as rows of rollups.
CREATE OR REPLACE VIEW usage_of_entries AS
  SELECT entry_id, workspace_id, dimension, at, agent, key, calls, connected, completed, busy, no_answer, failed, canceled,
    duration_ms, stt_ms, tts_characters, input_tokens, output_tokens, cost, unpriced
  FROM usage_entries CROSS JOIN LATERAL (VALUES
    ('all', '00000000-0000-0000-0000-000000000000'::uuid, ''),
    ('agent', agent_id, agent_id::text),
    ('batch', agent_id, coalesce(batch_id::text, '')),
    ('number', agent_id, coalesce(phone_number_id::text, ''))) AS by(dimension, agent, key)
  UNION ALL
  SELECT entry_id, workspace_id, 'vendor', at, agent_id, p.part || ':' || p.name, calls, calls, 0, 0, 0, 0, 0,
    calls * p.duration_ms, calls * p.stt_ms, calls * p.tts_characters, calls * p.input_tokens, calls * p.output_tokens,
    calls * coalesce(p.cost, 0), calls * (p.cost IS NULL)::integer
  FROM usage_entries CROSS JOIN LATERAL json_to_recordset(parts) AS p(
    part text, name text, duration_ms bigint, stt_ms bigint, tts_characters bigint, input_tokens bigint,
    output_tokens bigint, cost numeric);

-- All usage there is, folded or not.
CREATE OR REPLACE VIEW usage_rows AS
  SELECT workspace_id, dimension, at, agent_id, key, calls, connected, completed, busy, no_answer, failed, canceled,
    duration_ms, stt_ms, tts_characters, input_tokens, output_tokens, cost, unpriced
  FROM usage_rollups
  UNION ALL
  SELECT workspace_id, dimension, at, agent, key, calls, connected, completed, busy, no_answer, failed, canceled,
    duration_ms, stt_ms, tts_characters, input_tokens, output_tokens, cost, unpriced
  FROM usage_of_entries;

-- Moves up to so many entries into the rollups, and says how many. One process at a time: two would wait for each other's rows.
CREATE OR REPLACE FUNCTION fold_usage(most integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  folded bigint[];
BEGIN
  IF NOT pg_try_advisory_xact_lock(7270539003) THEN
    RETURN 0;
  END IF;
  folded := ARRAY(SELECT entry_id FROM usage_entries ORDER BY entry_id LIMIT most);
  INSERT INTO usage_rollups AS r
  SELECT workspace_id, dimension, at, agent, key, sum(calls), sum(connected), sum(completed), sum(busy), sum(no_answer),
    sum(failed), sum(canceled), sum(duration_ms), sum(stt_ms), sum(tts_characters), sum(input_tokens), sum(output_tokens),
    sum(cost), sum(unpriced)
  FROM usage_of_entries WHERE entry_id = ANY(folded)
  GROUP BY workspace_id, dimension, at, agent, key
  ON CONFLICT (workspace_id, dimension, at, agent_id, key) DO UPDATE SET
    calls = r.calls + EXCLUDED.calls, connected = r.connected + EXCLUDED.connected,
    completed = r.completed + EXCLUDED.completed, busy = r.busy + EXCLUDED.busy,
    no_answer = r.no_answer + EXCLUDED.no_answer, failed = r.failed + EXCLUDED.failed,
    canceled = r.canceled + EXCLUDED.canceled, duration_ms = r.duration_ms + EXCLUDED.duration_ms,
    stt_ms = r.stt_ms + EXCLUDED.stt_ms, tts_characters = r.tts_characters + EXCLUDED.tts_characters,
    input_tokens = r.input_tokens + EXCLUDED.input_tokens, output_tokens = r.output_tokens + EXCLUDED.output_tokens,
    cost = r.cost + EXCLUDED.cost, unpriced = r.unpriced + EXCLUDED.unpriced;
  DELETE FROM usage_entries WHERE entry_id = ANY(folded);
  RETURN cardinality(folded);
END $$;
