-- What an ended call has used is added to the usage with its end, in the same transaction.

-- The price of one unit, by the first of the names that has one, else by the row for all (*). null: unknown.
CREATE OR REPLACE FUNCTION price_of(prices json, part text, names text[], unit text) RETURNS numeric
LANGUAGE sql IMMUTABLE AS $$
  SELECT (price ->> unit)::numeric FROM json_array_elements(prices -> 'rows') AS price
  WHERE price ->> 'part' = part AND price ->> 'name' = ANY(names || '*'::text) AND price ->> unit IS NOT NULL
  ORDER BY array_position(names || '*'::text, price ->> 'name') LIMIT 1
$$;

-- What did the work of a part of the call, as its record says.
CREATE OR REPLACE FUNCTION engine_of(engines json, part text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(string_agg(DISTINCT engine ->> 'used', ' + '), 'unknown')
  FROM json_array_elements(engines) AS engine WHERE engine ->> 'part' = part
$$;

-- Tokens by model: as the record lists them, else all of them by what did the work. A price may be for the model of one
-- vendor, or for the model wherever it runs.
CREATE OR REPLACE FUNCTION usage_models(usage json, engines json)
RETURNS TABLE (name text, names text[], input bigint, cached bigint, output bigint) LANGUAGE sql IMMUTABLE AS $$
  SELECT concat_ws('/', model ->> 'provider', model ->> 'model'),
    ARRAY[concat_ws('/', model ->> 'provider', model ->> 'model'), model ->> 'model'],
    coalesce((model ->> 'input_tokens')::bigint, 0), coalesce((model ->> 'cached_tokens')::bigint, 0),
    coalesce((model ->> 'output_tokens')::bigint, 0)
  FROM json_array_elements(usage -> 'models') AS model
  UNION ALL
  SELECT used, ARRAY[used], (usage ->> 'llm_input_tokens')::bigint, 0, (usage ->> 'llm_output_tokens')::bigint
  FROM engine_of(engines, 'language-model') AS used
  WHERE coalesce(json_array_length(usage -> 'models'), 0) = 0
$$;

-- Sound and text by speech engine: as the record lists them, else all of it by what did the work.
CREATE OR REPLACE FUNCTION usage_speech(usage json, engines json, wanted text)
RETURNS TABLE (name text, seconds float8, characters bigint) LANGUAGE sql IMMUTABLE AS $$
  SELECT speech ->> 'name', (speech ->> 'seconds')::float8, (speech ->> 'characters')::bigint
  FROM json_array_elements(usage -> 'speech') AS speech WHERE speech ->> 'part' = wanted
  UNION ALL
  SELECT used, (usage ->> 'stt_seconds')::float8, (usage ->> 'tts_characters')::bigint
  FROM engine_of(engines, wanted) AS used WHERE coalesce(json_array_length(usage -> 'speech'), 0) = 0
$$;

-- The parts of a call that somebody may charge for, with their cost; null: it has no price.
CREATE OR REPLACE FUNCTION usage_parts(ended calls, prices json) RETURNS TABLE (
  part text, name text, stt_ms bigint, tts_characters bigint, input_tokens bigint, output_tokens bigint,
  duration_ms bigint, cost numeric)
LANGUAGE sql STABLE AS $$
  SELECT 'transcriber', name, round(seconds * 1000)::bigint, 0::bigint, 0::bigint, 0::bigint, 0::bigint,
    seconds::numeric / 60 * price_of(prices, 'transcriber', ARRAY[name], 'per_minute')
  FROM usage_speech(ended.usage, ended.engines, 'transcriber')
  WHERE seconds > 0
  UNION ALL
  SELECT 'synthesizer', name, 0, characters, 0, 0, 0,
    characters::numeric / 1000000 * price_of(prices, 'synthesizer', ARRAY[name], 'per_million_characters')
  FROM usage_speech(ended.usage, ended.engines, 'synthesizer')
  WHERE characters > 0
  UNION ALL
  SELECT 'language-model', name, 0, 0, input, output, 0,
    ((input - cached) * price_of(prices, 'language-model', names, 'per_million_input_tokens')
      + cached * coalesce(price_of(prices, 'language-model', names, 'per_million_cached_tokens'),
        price_of(prices, 'language-model', names, 'per_million_input_tokens'))
      + output * price_of(prices, 'language-model', names, 'per_million_output_tokens')) / 1000000
  FROM usage_models(ended.usage, ended.engines) WHERE input + output > 0
  UNION ALL
  SELECT 'line', name, 0, 0, 0, 0, round(ended.duration * 1000)::bigint,
    CASE WHEN name IN ('sandbox', 'browser') THEN 0  -- no carrier charges for these
      ELSE ended.duration::numeric / 60 * price_of(prices, 'line', ARRAY[name], 'per_minute') END
  FROM (SELECT coalesce(ended.provider, 'unknown')) AS line(name)
  WHERE ended.duration > 0
$$;

-- What a call costs by the prices of this moment. amount null: some part of it has no price.
CREATE OR REPLACE FUNCTION cost_of(ended calls) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('currency', prices ->> 'currency', 'amount', amount, 'parts', parts)
  FROM (SELECT (SELECT prices FROM workspaces WHERE workspace_id = ended.workspace_id) AS prices) AS workspace
  CROSS JOIN LATERAL (
    SELECT CASE WHEN count(*) = count(p.cost) THEN coalesce(sum(p.cost), 0) END AS amount,
      coalesce(json_agg(p), '[]') AS parts
    FROM usage_parts(ended, prices) AS p
  ) AS priced
$$;

-- Adds the call, or takes it away with -1, for what it was priced at.
CREATE OR REPLACE FUNCTION add_usage(ended calls, sign integer) RETURNS void LANGUAGE sql AS $$
  INSERT INTO usage_entries (workspace_id, at, agent_id, batch_id, phone_number_id, calls, connected, completed, busy,
    no_answer, failed, canceled, duration_ms, stt_ms, tts_characters, input_tokens, output_tokens, cost, unpriced, parts)
  SELECT ended.workspace_id, date_bin('15 minutes', coalesce(ended.call_completed_time, now()), '2000-01-01Z'),
    ended.agent_id, ended.batch_id, ended.phone_number_id, sign,
    sign * (coalesce(ended.duration, 0) > 0 OR ended.call_status = 'completed')::integer,
    sign * (ended.call_status = 'completed')::integer, sign * (ended.call_status = 'busy')::integer,
    sign * (ended.call_status = 'no-answer')::integer, sign * (ended.call_status = 'failed')::integer,
    sign * (ended.call_status = 'canceled')::integer,
    sign * coalesce(round(ended.duration * 1000), 0)::bigint, sign * stt_ms, sign * tts_characters, sign * input_tokens,
    sign * output_tokens, sign * coalesce((priced.cost ->> 'amount')::numeric, 0),
    sign * (priced.cost ->> 'amount' IS NULL)::integer, priced.cost -> 'parts'
  FROM (SELECT coalesce(ended.cost, cost_of(ended)) AS cost) AS priced
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(p.stt_ms), 0)::bigint AS stt_ms, coalesce(sum(p.tts_characters), 0)::bigint AS tts_characters,
      coalesce(sum(p.input_tokens), 0)::bigint AS input_tokens, coalesce(sum(p.output_tokens), 0)::bigint AS output_tokens
    FROM json_to_recordset(priced.cost -> 'parts') AS p(
      stt_ms bigint, tts_characters bigint, input_tokens bigint, output_tokens bigint)
  ) AS used
$$;

CREATE OR REPLACE FUNCTION count_usage() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.finished AND OLD.counted THEN
    -- Its analysis has used something more.
    IF NEW.usage::text IS NOT DISTINCT FROM OLD.usage::text THEN
      RETURN NEW;
    END IF;
    PERFORM add_usage(OLD, -1);
  END IF;
  NEW.cost := cost_of(NEW);
  PERFORM add_usage(NEW, 1);
  NEW.counted := true;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER calls_count BEFORE UPDATE OF finished, counted, usage ON calls FOR EACH ROW
  WHEN (NEW.finished) EXECUTE FUNCTION count_usage();
