-- What an ended call has used is added to the usage with its end, in the same transaction. Every call passes here and holds
-- its locks meanwhile, so its record is read once and by expressions alone: a statement for each list in it would take longer
-- than all the rest of the end.
DROP FUNCTION IF EXISTS cost_of(calls), add_usage(calls, integer), usage_parts(calls, json), usage_models(json, json),
  usage_speech(json, json, text), engine_of(json, text), price_of(json, text, text[], text);

-- What did the work of a part of the call, as its record says.
CREATE OR REPLACE FUNCTION engines_of(engines jsonb, part text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  used text[] := '{}';
  engine jsonb;
BEGIN
  FOR nth IN 0 .. coalesce(jsonb_array_length(engines), 0) - 1 LOOP
    engine := engines -> nth;
    IF engine ->> 'part' = part AND NOT engine ->> 'used' = ANY (used) THEN
      used := used || (engine ->> 'used');
    END IF;
  END LOOP;
  RETURN coalesce(nullif(array_to_string(used, ' + '), ''), 'unknown');
END $$;

-- The parts of a call that somebody may charge for, as its record lists them, else all of the work by what did it.
CREATE OR REPLACE FUNCTION work_of_call(usage jsonb, engines jsonb, carrier text, seconds float8) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  speech jsonb := coalesce(usage -> 'speech', '[]');
  models jsonb := coalesce(usage -> 'models', '[]');
BEGIN
  IF speech = '[]' THEN
    speech := jsonb_build_array(
      jsonb_build_object('part', 'transcriber', 'name', engines_of(engines, 'transcriber'), 'seconds', usage -> 'stt_seconds'),
      jsonb_build_object('part', 'synthesizer', 'name', engines_of(engines, 'synthesizer'), 'characters', usage -> 'tts_characters'));
  END IF;
  IF models = '[]' THEN
    models := jsonb_build_array(jsonb_build_object('model', engines_of(engines, 'language-model'),
      'input_tokens', usage -> 'llm_input_tokens', 'output_tokens', usage -> 'llm_output_tokens'));
  END IF;
  RETURN speech || models || jsonb_build_object('part', 'line', 'name', coalesce(carrier, 'unknown'), 'seconds', seconds);
END $$;

-- The prices of a part, unit by unit: by its name, else by the model wherever it runs, else by the row for all (*). Of two
-- rows for the same, the first.
CREATE OR REPLACE FUNCTION prices_of_part(prices jsonb, part text, name text, model text) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  rows CONSTANT jsonb := coalesce(prices -> 'rows', '[]');
  price jsonb;
  by_name jsonb := '{}';
  by_model jsonb := '{}';
  by_all jsonb := '{}';
BEGIN
  FOR nth IN 0 .. jsonb_array_length(rows) - 1 LOOP
    price := rows -> nth;
    CONTINUE WHEN price ->> 'part' <> part;
    CASE price ->> 'name'
      WHEN name THEN by_name := price || by_name;
      WHEN model THEN by_model := price || by_model;
      WHEN '*' THEN by_all := price || by_all;
      ELSE
    END CASE;
  END LOOP;
  RETURN by_all || by_model || by_name;
END $$;

-- What the tokens of a model cost. `input` is all that it read: what its server had kept, and what it wrote down to keep, have
-- prices of their own, or that of the others.
CREATE OR REPLACE FUNCTION cost_of_tokens(price jsonb, input bigint, cached bigint, cache_write bigint, output bigint)
RETURNS numeric LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  fresh numeric := (price ->> 'per_million_input_tokens')::numeric;
BEGIN
  RETURN ((input - cached - cache_write) * fresh
    + cached * coalesce((price ->> 'per_million_cached_tokens')::numeric, fresh)
    + cache_write * coalesce((price ->> 'per_million_cache_write_tokens')::numeric, fresh)
    + output * (price ->> 'per_million_output_tokens')::numeric) / 1000000;
END $$;

-- What the work of a call costs, part by part as JSON, and its sums. amount null: some part of it has no price. The JSON is put
-- together as text, because json_build_object looks up the type of each argument every time.
CREATE OR REPLACE FUNCTION price_work(work jsonb, prices jsonb, OUT parts text, OUT amount numeric, OUT stt_ms bigint,
  OUT tts_characters bigint, OUT input_tokens bigint, OUT output_tokens bigint) LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  did jsonb;
  part text;
  name text;
  price jsonb;
  seconds numeric;
  ms bigint;
  characters bigint;
  input bigint;
  cached bigint;
  cache_write bigint;
  output bigint;
  cost numeric;
BEGIN
  parts := '';
  amount := 0;
  stt_ms := 0;
  tts_characters := 0;
  input_tokens := 0;
  output_tokens := 0;
  FOR nth IN 0 .. jsonb_array_length(work) - 1 LOOP
    did := work -> nth;
    seconds := coalesce((did ->> 'seconds')::numeric, 0);
    characters := coalesce((did ->> 'characters')::bigint, 0);
    input := coalesce((did ->> 'input_tokens')::bigint, 0);
    output := coalesce((did ->> 'output_tokens')::bigint, 0);
    CONTINUE WHEN seconds + characters + input + output = 0;
    cached := coalesce((did ->> 'cached_tokens')::bigint, 0);
    cache_write := coalesce((did ->> 'cache_write_tokens')::bigint, 0);
    part := coalesce(did ->> 'part', 'language-model');
    name := coalesce(did ->> 'name', concat_ws('/', did ->> 'provider', did ->> 'model'));
    price := CASE WHEN prices IS NOT NULL THEN prices_of_part(prices, part, name, did ->> 'model') END;
    cost := CASE
      WHEN name IN ('sandbox', 'browser') AND part = 'line' THEN 0  -- no carrier charges for these
      WHEN part = 'synthesizer' THEN characters * (price ->> 'per_million_characters')::numeric / 1000000
      WHEN part = 'language-model' THEN cost_of_tokens(price, input, cached, cache_write, output)
      ELSE seconds * (price ->> 'per_minute')::numeric / 60 END;
    ms := round(seconds * 1000);
    parts := concat(parts, CASE WHEN parts <> '' THEN ',' END, '{"part":"', part, '","name":', to_json(name),
      ',"stt_ms":', CASE part WHEN 'transcriber' THEN ms ELSE 0 END, ',"tts_characters":', characters,
      ',"input_tokens":', input, ',"cached_tokens":', cached, ',"cache_write_tokens":', cache_write,
      ',"output_tokens":', output, ',"duration_ms":', CASE part WHEN 'line' THEN ms ELSE 0 END,
      ',"cost":', coalesce(trim_scale(cost)::text, 'null'), '}');
    amount := amount + cost;
    stt_ms := stt_ms + CASE part WHEN 'transcriber' THEN ms ELSE 0 END;
    tts_characters := tts_characters + characters;
    input_tokens := input_tokens + input;
    output_tokens := output_tokens + output;
  END LOOP;
  parts := '[' || parts || ']';
END $$;

-- Adds a call, or takes it away with -1. By its fields, because a whole row is copied to be passed on, transcript and all.
CREATE OR REPLACE FUNCTION enter_usage(workspace uuid, agent uuid, batch uuid, number uuid, status text, duration float8,
  ended_at timestamptz, used record, sign integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO usage_entries (workspace_id, at, agent_id, batch_id, phone_number_id, calls, connected, completed, busy,
    no_answer, failed, canceled, duration_ms, stt_ms, tts_characters, input_tokens, output_tokens, cost, unpriced, parts)
  VALUES (workspace, date_bin('15 minutes', coalesce(ended_at, now()), '2000-01-01Z'), agent, batch, number, sign,
    sign * (coalesce(duration, 0) > 0 OR status = 'completed')::integer, sign * (status = 'completed')::integer,
    sign * (status = 'busy')::integer, sign * (status = 'no-answer')::integer, sign * (status = 'failed')::integer,
    sign * (status = 'canceled')::integer, sign * coalesce(round(duration * 1000), 0)::bigint, sign * used.stt_ms,
    sign * used.tts_characters, sign * used.input_tokens, sign * used.output_tokens, sign * coalesce(used.amount, 0),
    sign * (used.amount IS NULL)::integer, used.parts::json);
END $$;

CREATE OR REPLACE FUNCTION count_usage() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  prices jsonb;
  used record;
BEGIN
  -- The analysis may add to what was used; nothing else does after the end.
  IF OLD.finished AND OLD.counted AND NEW.usage::text IS NOT DISTINCT FROM OLD.usage::text THEN
    RETURN NEW;
  END IF;
  SELECT w.prices INTO prices FROM workspaces w WHERE w.workspace_id = NEW.workspace_id;
  IF OLD.finished AND OLD.counted THEN
    used := price_work(work_of_call(OLD.usage::jsonb, OLD.engines::jsonb, OLD.provider, OLD.duration), prices);
    -- Prices may have changed since.
    IF OLD.cost IS NOT NULL THEN
      used.amount := OLD.cost ->> 'amount';
      used.parts := OLD.cost ->> 'parts';
    END IF;
    PERFORM enter_usage(OLD.workspace_id, OLD.agent_id, OLD.batch_id, OLD.phone_number_id, OLD.call_status, OLD.duration,
      OLD.call_completed_time, used, -1);
  END IF;
  used := price_work(work_of_call(NEW.usage::jsonb, NEW.engines::jsonb, NEW.provider, NEW.duration), prices);
  NEW.cost := concat('{"currency":', coalesce((prices -> 'currency')::text, 'null'),
    ',"amount":', coalesce(trim_scale(used.amount)::text, 'null'), ',"parts":', used.parts, '}');
  PERFORM enter_usage(NEW.workspace_id, NEW.agent_id, NEW.batch_id, NEW.phone_number_id, NEW.call_status, NEW.duration,
    NEW.call_completed_time, used, 1);
  NEW.counted := true;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER calls_count BEFORE UPDATE OF finished, counted, usage ON calls FOR EACH ROW
  WHEN (NEW.finished) EXECUTE FUNCTION count_usage();
