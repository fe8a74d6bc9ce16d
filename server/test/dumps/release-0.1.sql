-- A database of release 0.1 in the middle of its work: migrations 0001 to 0009, functions still inside them.
-- Made at commit 54fbe42 by server/test/dumps/make-dump.ts with pg_dump 15; never edited by hand. Restored by
-- migrate.test.ts. Secrets are sealed with the secret of the tests.
--
-- PostgreSQL database dump
--


-- Dumped from database version 15.19 (Debian 15.19-0+deb12u1)
-- Dumped by pg_dump version 15.19 (Debian 15.19-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: align_calls(uuid, text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.align_calls(batch uuid, standing text) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF standing = 'paused' THEN
    -- Beyond every calendar. Whoever feeds the batch takes them up again after the resumption, if the hour allows it.
    UPDATE calls SET due_at = '9999-01-01Z' WHERE batch_id = batch AND NOT finished AND due_at IS NOT NULL;
  ELSIF standing IN ('cancelled', 'failed') THEN
    UPDATE calls SET call_status = 'canceled', call_terminated_by = 'api', hangup_reason = 'api_stopped', duration = 0,
      call_completed_time = now(), tell_at = now(), due_at = NULL, finished = true, updated_at = now()
    WHERE batch_id = batch AND NOT finished AND due_at IS NOT NULL;
  END IF;
END $$;


--
-- Name: analyse_lightly(regclass); Type: PROCEDURE; Schema: public; Owner: -
--

CREATE PROCEDURE public.analyse_lightly(IN busy regclass)
    LANGUAGE plpgsql
    AS $$
DECLARE
  found record;
BEGIN
  FOR found IN
    SELECT attname AS col, CASE WHEN atttypid IN ('json'::regtype, 'jsonb'::regtype, 'bytea'::regtype)
      OR attname = 'payload' THEN 0 ELSE 20 END AS target
    FROM pg_attribute WHERE attrelid = busy AND attnum > 0 AND NOT attisdropped
  LOOP
    EXECUTE format('ALTER TABLE %s ALTER COLUMN %I SET STATISTICS %s', busy, found.col, found.target);
  END LOOP;
END $$;


--
-- Name: end_call(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.end_call() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
  analysed boolean := NEW.transcript IS NOT NULL AND NEW.transcript::text <> '[]' AND EXISTS (
    SELECT FROM agents WHERE agent_id = NEW.agent_id AND wants_analysis(config));
BEGIN
  -- What was being said is now in the transcript.
  DELETE FROM call_events WHERE session_id = NEW.session_id AND type = 'partial';
  INSERT INTO call_events (session_id, seq, type, data)
  SELECT NEW.session_id, coalesce(max(seq), 0) + 1, 'ended', json_build_object(
    'call_status', NEW.call_status,
    'call_terminated_by', NEW.call_terminated_by,
    'hangup_reason', NEW.hangup_reason,
    'duration', NEW.duration,
    'analysis_follows', analysed)
  FROM call_events WHERE session_id = NEW.session_id;
  INSERT INTO calls_to_tell (session_id, due_at) VALUES (NEW.session_id, coalesce(NEW.tell_at, now()));
  IF analysed THEN
    INSERT INTO calls_to_analyse (session_id) VALUES (NEW.session_id);
  END IF;
  -- There is room for another.
  IF EXISTS (SELECT FROM calls WHERE workspace_id = NEW.workspace_id AND due_at <= now()) THEN
    PERFORM pg_notify('calls', '');
  END IF;
  RETURN NULL;
END $$;


--
-- Name: follow_batch(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.follow_batch() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  PERFORM align_calls(NEW.batch_id, NEW.status);
  PERFORM pg_notify('batches', '');
  RETURN NULL;
END $$;


--
-- Name: rejoin_batch(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.rejoin_batch() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  PERFORM align_calls(batch_id, status) FROM batches WHERE batch_id = NEW.batch_id;
  RETURN NULL;
END $$;


--
-- Name: retry_minutes(json, text, integer); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.retry_minutes(config json, outcome text, retries integer) RETURNS double precision
    LANGUAGE sql IMMUTABLE
    AS $$
  SELECT (config->'intervals_minutes'->>least(retries, json_array_length(config->'intervals_minutes') - 1))::float8
  WHERE retries < (config->>'max_retries')::integer
    AND outcome IN (SELECT json_array_elements_text(config->'retry_on'))
$$;


--
-- Name: settle_recipient(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.settle_recipient() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
  batch batches%ROWTYPE;
  outcome text := CASE
    WHEN NEW.call_status = 'completed' AND NEW.answered_by = 'voicemail' THEN 'voicemail'
    WHEN NEW.call_status = 'canceled' THEN 'cancelled'
    ELSE NEW.call_status END;
  -- Perhaps nobody was dialled at all, so this attempt costs no retry. The tenth of these is believed to be our fault.
  unheard boolean := NEW.hangup_reason IS NOT DISTINCT FROM 'worker_lost' AND NOT EXISTS (
    SELECT FROM call_events
    WHERE session_id = NEW.session_id AND type = 'status' AND data->>'call_status' IN ('ringing', 'in-progress'));
BEGIN
  SELECT * INTO batch FROM batches WHERE batch_id = NEW.batch_id;
  IF outcome = 'cancelled' AND batch.status = 'failed' THEN
    outcome := 'skipped';
  END IF;
  UPDATE batch_recipients r SET
    status = CASE WHEN again.minutes IS NULL THEN outcome ELSE 'pending' END,
    due_at = now() + again.minutes * interval '1 minute',
    lost = r.lost + unheard::integer,
    updated_at = now()
  FROM batch_recipients found CROSS JOIN LATERAL (SELECT CASE
    WHEN batch.completed_at IS NOT NULL THEN NULL
    WHEN unheard AND found.lost < 9 THEN 0
    ELSE retry_minutes(batch.retry_config, outcome, found.attempts - found.lost - 1) END) AS again(minutes)
  WHERE found.batch_id = NEW.batch_id AND found.place = NEW.recipient_place
    AND r.batch_id = NEW.batch_id AND r.place = NEW.recipient_place AND r.session_id = NEW.session_id;
  -- There is room for the next.
  PERFORM pg_notify('batches', '');
  RETURN NULL;
END $$;


--
-- Name: stop_batches_of_agent(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.stop_batches_of_agent() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  UPDATE batches SET status = 'cancelled', status_reason = 'The agent was deleted.', completed_at = now(), updated_at = now()
  WHERE agent_id = OLD.agent_id AND completed_at IS NULL;
  RETURN NULL;
END $$;


--
-- Name: tell_transcript_end(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.tell_transcript_end() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  PERFORM pg_notify('transcript_ends', OLD.transcript_id::text);
  RETURN NULL;
END $$;


--
-- Name: tell_waiting(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.tell_waiting() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  PERFORM pg_notify(TG_TABLE_NAME, '');
  RETURN NULL;
END $$;


--
-- Name: tell_watching(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.tell_watching() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  PERFORM pg_notify('call_events', string_agg(session_id::text, ','))
  FROM (SELECT session_id, (row_number() OVER () - 1) / 200 AS part
        FROM (SELECT DISTINCT session_id FROM added) AS told) AS parts
  GROUP BY part;
  RETURN NULL;
END $$;


--
-- Name: wants_analysis(json); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.wants_analysis(config json) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    AS $$
  SELECT coalesce(config #>> '{call_analysis_config,summary}' = 'true', false)
    OR coalesce(config #>> '{call_analysis_config,sentiment}' = 'true', false)
    OR coalesce(config #>> '{call_analysis_config,data_extraction}' = 'true', false)
    OR coalesce(config #>> '{call_analysis_config,disposition_fields}' <> '[]', false)
$$;


SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: agents; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.agents (
    agent_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    status text NOT NULL,
    config json NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    secrets bytea
);


--
-- Name: api_key_access; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.api_key_access (
    api_key_id uuid NOT NULL,
    workspace_id uuid NOT NULL
);


--
-- Name: api_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.api_keys (
    api_key_id uuid NOT NULL,
    hash bytea NOT NULL,
    prefix text NOT NULL,
    label text NOT NULL,
    workspace_id uuid,
    setting text,
    active boolean DEFAULT true NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    last_used_at timestamp with time zone
);


--
-- Name: batch_recipients; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.batch_recipients (
    batch_id uuid NOT NULL,
    place integer NOT NULL,
    recipient_id text NOT NULL,
    to_phone_number text NOT NULL,
    name text,
    variables json,
    metadata json,
    timezone text NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    attempts smallint DEFAULT 0 NOT NULL,
    lost smallint DEFAULT 0 NOT NULL,
    due_at timestamp with time zone,
    session_id uuid,
    updated_at timestamp with time zone
)
WITH (autovacuum_vacuum_scale_factor='0.05', autovacuum_analyze_scale_factor='0.2');
ALTER TABLE ONLY public.batch_recipients ALTER COLUMN batch_id SET STATISTICS 20;
ALTER TABLE ONLY public.batch_recipients ALTER COLUMN place SET STATISTICS 20;
ALTER TABLE ONLY public.batch_recipients ALTER COLUMN recipient_id SET STATISTICS 20;
ALTER TABLE ONLY public.batch_recipients ALTER COLUMN to_phone_number SET STATISTICS 20;
ALTER TABLE ONLY public.batch_recipients ALTER COLUMN name SET STATISTICS 20;
ALTER TABLE ONLY public.batch_recipients ALTER COLUMN variables SET STATISTICS 0;
ALTER TABLE ONLY public.batch_recipients ALTER COLUMN metadata SET STATISTICS 0;
ALTER TABLE ONLY public.batch_recipients ALTER COLUMN timezone SET STATISTICS 20;
ALTER TABLE ONLY public.batch_recipients ALTER COLUMN status SET STATISTICS 20;
ALTER TABLE ONLY public.batch_recipients ALTER COLUMN attempts SET STATISTICS 20;
ALTER TABLE ONLY public.batch_recipients ALTER COLUMN lost SET STATISTICS 20;
ALTER TABLE ONLY public.batch_recipients ALTER COLUMN due_at SET STATISTICS 20;
ALTER TABLE ONLY public.batch_recipients ALTER COLUMN session_id SET STATISTICS 20;
ALTER TABLE ONLY public.batch_recipients ALTER COLUMN updated_at SET STATISTICS 20;


--
-- Name: batches; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.batches (
    batch_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    agent_id uuid NOT NULL,
    name text NOT NULL,
    status text NOT NULL,
    status_reason text,
    schedule_id uuid,
    schedule_time timestamp with time zone,
    from_phone_number text,
    max_concurrency integer,
    calling_window json,
    retry_config json,
    metadata json,
    zones text[] NOT NULL,
    recipient_count integer NOT NULL,
    next_place integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    started_at timestamp with time zone,
    completed_at timestamp with time zone,
    CONSTRAINT batches_status_check CHECK ((status = ANY (ARRAY['created'::text, 'scheduled'::text, 'in_progress'::text, 'paused'::text, 'completed'::text, 'cancelled'::text, 'failed'::text])))
);


--
-- Name: call_events; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.call_events (
    session_id uuid NOT NULL,
    seq integer NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    type text NOT NULL,
    data json NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='1000');
ALTER TABLE ONLY public.call_events ALTER COLUMN session_id SET STATISTICS 20;
ALTER TABLE ONLY public.call_events ALTER COLUMN seq SET STATISTICS 20;
ALTER TABLE ONLY public.call_events ALTER COLUMN at SET STATISTICS 20;
ALTER TABLE ONLY public.call_events ALTER COLUMN type SET STATISTICS 20;
ALTER TABLE ONLY public.call_events ALTER COLUMN data SET STATISTICS 0;


--
-- Name: callback_secrets; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.callback_secrets (
    workspace_id uuid NOT NULL,
    secret bytea NOT NULL
);


--
-- Name: calls; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.calls (
    session_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    agent_id uuid NOT NULL,
    call_status text,
    call_type text,
    to_phone_number text,
    duration double precision,
    call_sid text,
    call_initiated_time timestamp with time zone,
    call_completed_time timestamp with time zone,
    call_terminated_by text,
    transcript json,
    recording json,
    analytics json,
    finished boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    from_phone_number text,
    batch_id uuid,
    recipient_id text,
    variables json,
    metadata json,
    agent_overrides json,
    schedule_time timestamp with time zone,
    due_at timestamp with time zone,
    claimed_by integer,
    stop_asked_at timestamp with time zone,
    provider text,
    answered_by text,
    hangup_reason text,
    error_message text,
    transfer json,
    latency json,
    usage json,
    engines json,
    tell_at timestamp with time zone,
    join_token bytea,
    join_by timestamp with time zone,
    recipient_place integer
);
ALTER TABLE ONLY public.calls ALTER COLUMN session_id SET STATISTICS 20;
ALTER TABLE ONLY public.calls ALTER COLUMN workspace_id SET STATISTICS 20;
ALTER TABLE ONLY public.calls ALTER COLUMN agent_id SET STATISTICS 20;
ALTER TABLE ONLY public.calls ALTER COLUMN call_status SET STATISTICS 20;
ALTER TABLE ONLY public.calls ALTER COLUMN call_type SET STATISTICS 20;
ALTER TABLE ONLY public.calls ALTER COLUMN to_phone_number SET STATISTICS 20;
ALTER TABLE ONLY public.calls ALTER COLUMN duration SET STATISTICS 20;
ALTER TABLE ONLY public.calls ALTER COLUMN call_sid SET STATISTICS 20;
ALTER TABLE ONLY public.calls ALTER COLUMN call_initiated_time SET STATISTICS 20;
ALTER TABLE ONLY public.calls ALTER COLUMN call_completed_time SET STATISTICS 20;
ALTER TABLE ONLY public.calls ALTER COLUMN call_terminated_by SET STATISTICS 20;
ALTER TABLE ONLY public.calls ALTER COLUMN transcript SET STATISTICS 0;
ALTER TABLE ONLY public.calls ALTER COLUMN recording SET STATISTICS 0;
ALTER TABLE ONLY public.calls ALTER COLUMN analytics SET STATISTICS 0;
ALTER TABLE ONLY public.calls ALTER COLUMN finished SET STATISTICS 20;
ALTER TABLE ONLY public.calls ALTER COLUMN created_at SET STATISTICS 20;
ALTER TABLE ONLY public.calls ALTER COLUMN updated_at SET STATISTICS 20;
ALTER TABLE ONLY public.calls ALTER COLUMN from_phone_number SET STATISTICS 20;
ALTER TABLE ONLY public.calls ALTER COLUMN batch_id SET STATISTICS 20;
ALTER TABLE ONLY public.calls ALTER COLUMN recipient_id SET STATISTICS 20;
ALTER TABLE ONLY public.calls ALTER COLUMN variables SET STATISTICS 0;
ALTER TABLE ONLY public.calls ALTER COLUMN metadata SET STATISTICS 0;
ALTER TABLE ONLY public.calls ALTER COLUMN agent_overrides SET STATISTICS 0;
ALTER TABLE ONLY public.calls ALTER COLUMN schedule_time SET STATISTICS 20;
ALTER TABLE ONLY public.calls ALTER COLUMN due_at SET STATISTICS 20;
ALTER TABLE ONLY public.calls ALTER COLUMN claimed_by SET STATISTICS 20;
ALTER TABLE ONLY public.calls ALTER COLUMN stop_asked_at SET STATISTICS 20;
ALTER TABLE ONLY public.calls ALTER COLUMN provider SET STATISTICS 20;
ALTER TABLE ONLY public.calls ALTER COLUMN answered_by SET STATISTICS 20;
ALTER TABLE ONLY public.calls ALTER COLUMN hangup_reason SET STATISTICS 20;
ALTER TABLE ONLY public.calls ALTER COLUMN error_message SET STATISTICS 20;
ALTER TABLE ONLY public.calls ALTER COLUMN transfer SET STATISTICS 0;
ALTER TABLE ONLY public.calls ALTER COLUMN latency SET STATISTICS 0;
ALTER TABLE ONLY public.calls ALTER COLUMN usage SET STATISTICS 0;
ALTER TABLE ONLY public.calls ALTER COLUMN engines SET STATISTICS 0;
ALTER TABLE ONLY public.calls ALTER COLUMN tell_at SET STATISTICS 20;
ALTER TABLE ONLY public.calls ALTER COLUMN join_token SET STATISTICS 0;
ALTER TABLE ONLY public.calls ALTER COLUMN join_by SET STATISTICS 20;
ALTER TABLE ONLY public.calls ALTER COLUMN recipient_place SET STATISTICS 20;


--
-- Name: calls_to_analyse; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.calls_to_analyse (
    session_id uuid NOT NULL,
    due_at timestamp with time zone DEFAULT now() NOT NULL,
    tries integer DEFAULT 0 NOT NULL,
    claimed_by integer
);
ALTER TABLE ONLY public.calls_to_analyse ALTER COLUMN session_id SET STATISTICS 20;
ALTER TABLE ONLY public.calls_to_analyse ALTER COLUMN due_at SET STATISTICS 20;
ALTER TABLE ONLY public.calls_to_analyse ALTER COLUMN tries SET STATISTICS 20;
ALTER TABLE ONLY public.calls_to_analyse ALTER COLUMN claimed_by SET STATISTICS 20;


--
-- Name: calls_to_tell; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.calls_to_tell (
    session_id uuid NOT NULL,
    due_at timestamp with time zone NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='1000');
ALTER TABLE ONLY public.calls_to_tell ALTER COLUMN session_id SET STATISTICS 20;
ALTER TABLE ONLY public.calls_to_tell ALTER COLUMN due_at SET STATISTICS 20;


--
-- Name: deliveries; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.deliveries (
    delivery_id uuid NOT NULL,
    event_id uuid NOT NULL,
    lane uuid NOT NULL,
    webhook_id uuid,
    legacy_url text,
    test boolean DEFAULT false NOT NULL,
    status text DEFAULT 'queued'::text NOT NULL,
    attempts jsonb DEFAULT '[]'::jsonb NOT NULL,
    due_at timestamp with time zone DEFAULT now() NOT NULL,
    claimed_by integer,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    completed_at timestamp with time zone,
    CONSTRAINT deliveries_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'delivered'::text, 'failed'::text, 'cancelled'::text])))
)
WITH (fillfactor='60', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='1000');
ALTER TABLE ONLY public.deliveries ALTER COLUMN delivery_id SET STATISTICS 20;
ALTER TABLE ONLY public.deliveries ALTER COLUMN event_id SET STATISTICS 20;
ALTER TABLE ONLY public.deliveries ALTER COLUMN lane SET STATISTICS 20;
ALTER TABLE ONLY public.deliveries ALTER COLUMN webhook_id SET STATISTICS 20;
ALTER TABLE ONLY public.deliveries ALTER COLUMN legacy_url SET STATISTICS 20;
ALTER TABLE ONLY public.deliveries ALTER COLUMN test SET STATISTICS 20;
ALTER TABLE ONLY public.deliveries ALTER COLUMN status SET STATISTICS 20;
ALTER TABLE ONLY public.deliveries ALTER COLUMN attempts SET STATISTICS 0;
ALTER TABLE ONLY public.deliveries ALTER COLUMN due_at SET STATISTICS 20;
ALTER TABLE ONLY public.deliveries ALTER COLUMN claimed_by SET STATISTICS 20;
ALTER TABLE ONLY public.deliveries ALTER COLUMN created_at SET STATISTICS 20;
ALTER TABLE ONLY public.deliveries ALTER COLUMN completed_at SET STATISTICS 20;


--
-- Name: events; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.events (
    event_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    agent_id uuid NOT NULL,
    type text NOT NULL,
    payload text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE ONLY public.events ALTER COLUMN event_id SET STATISTICS 20;
ALTER TABLE ONLY public.events ALTER COLUMN workspace_id SET STATISTICS 20;
ALTER TABLE ONLY public.events ALTER COLUMN agent_id SET STATISTICS 20;
ALTER TABLE ONLY public.events ALTER COLUMN type SET STATISTICS 20;
ALTER TABLE ONLY public.events ALTER COLUMN payload SET STATISTICS 0;
ALTER TABLE ONLY public.events ALTER COLUMN created_at SET STATISTICS 20;


--
-- Name: idempotent_answers; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.idempotent_answers (
    cache_key bytea NOT NULL,
    answer bytea,
    expires_at timestamp with time zone NOT NULL
);


--
-- Name: installation; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.installation (
    name text NOT NULL,
    value bytea NOT NULL
);


--
-- Name: rate_limits; Type: TABLE; Schema: public; Owner: -
--

CREATE UNLOGGED TABLE public.rate_limits (
    key character varying(255) NOT NULL,
    points integer DEFAULT 0 NOT NULL,
    expire bigint
);


--
-- Name: schema_migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.schema_migrations (
    name text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: sessions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sessions (
    token_hash bytea NOT NULL,
    user_id uuid NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL
);


--
-- Name: sign_in_links; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sign_in_links (
    token_hash bytea NOT NULL,
    user_id uuid NOT NULL,
    expires_at timestamp with time zone NOT NULL
);


--
-- Name: speech_files; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.speech_files (
    file_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    filename text,
    media_type text NOT NULL,
    bytes bigint NOT NULL,
    duration double precision,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL
);


--
-- Name: transcript_callbacks; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.transcript_callbacks (
    delivery_id uuid NOT NULL,
    transcript_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    url text NOT NULL,
    lane text NOT NULL,
    payload text NOT NULL,
    due_at timestamp with time zone DEFAULT now() NOT NULL,
    claimed_by integer,
    attempts integer DEFAULT 0 NOT NULL
);
ALTER TABLE ONLY public.transcript_callbacks ALTER COLUMN payload SET STATISTICS 0;


--
-- Name: transcript_notes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.transcript_notes (
    transcript_id uuid NOT NULL,
    name text NOT NULL,
    content text NOT NULL
);


--
-- Name: transcripts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.transcripts (
    transcript_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    file_id uuid,
    audio_url text,
    options json NOT NULL,
    metadata json,
    callback_url text,
    status text DEFAULT 'queued'::text NOT NULL,
    due_at timestamp with time zone DEFAULT now(),
    claimed_by integer,
    tries integer DEFAULT 0 NOT NULL,
    progress real DEFAULT 0 NOT NULL,
    language text,
    language_confidence real,
    duration double precision,
    findings json,
    error text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    completed_at timestamp with time zone,
    CONSTRAINT transcripts_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'processing'::text, 'completed'::text, 'failed'::text])))
);
ALTER TABLE ONLY public.transcripts ALTER COLUMN options SET STATISTICS 0;
ALTER TABLE ONLY public.transcripts ALTER COLUMN metadata SET STATISTICS 0;
ALTER TABLE ONLY public.transcripts ALTER COLUMN findings SET STATISTICS 0;


--
-- Name: user_workspaces; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.user_workspaces (
    user_id uuid NOT NULL,
    workspace_id uuid NOT NULL
);


--
-- Name: users; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.users (
    user_id uuid NOT NULL,
    email text NOT NULL,
    password_hash text NOT NULL,
    role text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    last_login_at timestamp with time zone,
    CONSTRAINT users_role_check CHECK ((role = ANY (ARRAY['admin'::text, 'member'::text])))
);


--
-- Name: webhooks; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.webhooks (
    webhook_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    url text NOT NULL,
    events text[] NOT NULL,
    agent_id uuid,
    description text,
    status text DEFAULT 'active'::text NOT NULL,
    secret bytea NOT NULL,
    secret_rotated_at timestamp with time zone DEFAULT now() NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT webhooks_status_check CHECK ((status = ANY (ARRAY['active'::text, 'disabled'::text])))
);


--
-- Name: workspaces; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.workspaces (
    workspace_id uuid NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Data for Name: agents; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.agents VALUES ('01a1e317-56ca-717e-bf96-7839d9516bf5', '11111111-1111-4111-8111-111111111111', 'active', '{"agent_name":"Keyed","llm_agent":{"llm_config":{"model":"m","api_key":"sk-…cdef"}},"agent_type":"other","agent_prompt":"","task_config":{"optimize_latency":true,"hangup_after_silence":20,"incremental_delay":900,"number_of_words_for_interruption":1,"interruption_backoff_period":100,"hangup_after_LLMCall":false,"backchanneling":false,"backchanneling_message_gap":5,"backchanneling_start_delay":5,"ambient_noise":false,"ambient_noise_track":"convention_hall","call_terminate":300,"use_fillers":false,"trigger_user_online_message_after":10,"check_user_online_message":"Hey, are you still there","check_if_user_online":true,"generate_precise_transcript":false}}', '2026-11-16 06:42:00.013791+00', '2026-11-16 06:42:00.013791+00', '\x91782117ea07065202b53bc20705594e704c275441e91425122e83d5853763969eb02fb52aa8b84bef47392a74bc1d6408ba40c11c047a98ed0eca2d266cd18d2c68c74d3426619c8ed6ace093');
INSERT INTO public.agents VALUES ('01a1e317-5721-7371-96b6-0dbabee1bb6f', '11111111-1111-4111-8111-111111111111', 'active', '{"agent_name":"Analysed","llm_agent":{},"agent_type":"other","agent_prompt":"","task_config":{"optimize_latency":true,"hangup_after_silence":20,"incremental_delay":900,"number_of_words_for_interruption":1,"interruption_backoff_period":100,"hangup_after_LLMCall":false,"backchanneling":false,"backchanneling_message_gap":5,"backchanneling_start_delay":5,"ambient_noise":false,"ambient_noise_track":"convention_hall","call_terminate":300,"use_fillers":false,"trigger_user_online_message_after":10,"check_user_online_message":"Hey, are you still there","check_if_user_online":true,"generate_precise_transcript":false},"call_analysis_config":{"summary":true,"data_extraction":false,"sentiment":false}}', '2026-11-16 06:42:00.098272+00', '2026-11-16 06:42:00.098272+00', NULL);
INSERT INTO public.agents VALUES ('01a1e317-5783-7c1c-9bec-cf86b7753c8b', '11111111-1111-4111-8111-111111111111', 'inactive', '{"agent_name":"Resting","llm_agent":{},"agent_type":"other","agent_prompt":"","task_config":{"optimize_latency":true,"hangup_after_silence":20,"incremental_delay":900,"number_of_words_for_interruption":1,"interruption_backoff_period":100,"hangup_after_LLMCall":false,"backchanneling":false,"backchanneling_message_gap":5,"backchanneling_start_delay":5,"ambient_noise":false,"ambient_noise_track":"convention_hall","call_terminate":300,"use_fillers":false,"trigger_user_online_message_after":10,"check_user_online_message":"Hey, are you still there","check_if_user_online":true,"generate_precise_transcript":false}}', '2026-11-16 06:42:00.197206+00', '2026-11-16 06:42:04.8508+00', NULL);


--
-- Data for Name: api_key_access; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.api_key_access VALUES ('01a1e317-331f-7a23-bf0d-8e2736911f45', '11111111-1111-4111-8111-111111111111');


--
-- Data for Name: api_keys; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.api_keys VALUES ('01a1e317-331f-7a23-bf0d-8e2736911f45', '\x28cb5f61fe6e684231dc0bf5bc2bb2c7a726db13d4a12ae0a63e8d0f3829591c', 'svc_unbo', 'First unbound key', NULL, 'PARLEY_API_KEY', true, '2026-11-16 06:41:50.359452+00', NULL);
INSERT INTO public.api_keys VALUES ('01a1e317-343d-7e39-852e-8538cd71cf6d', '\xec4ab3c947823bc7d321effa7cfd61bac52f67322ec0a27e68bd0cc77255f435', 'svc_boun', 'First bound key', '11111111-1111-4111-8111-111111111111', 'PARLEY_WORKSPACE_API_KEY', true, '2026-11-16 06:41:50.359452+00', '2026-11-16 06:42:02.985+00');


--
-- Data for Name: batch_recipients; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.batch_recipients VALUES ('01a1e317-5e47-7d03-98fe-af7c600e8d25', 1, 'r0', '+15550100', NULL, NULL, '{"script":[{"type":"status","status":"in-progress"},{"type":"transcript","entry":{"turn":1,"role":"user","content":"I would like a table for two.","startSeconds":1,"endSeconds":2,"interrupted":false}},{"type":"outcome","outcome":{"transcript":[{"turn":1,"role":"user","content":"I would like a table for two.","startSeconds":1,"endSeconds":2,"interrupted":false}]}}]}', '', 'pending', 0, 0, NULL, NULL, NULL);
INSERT INTO public.batch_recipients VALUES ('01a1e317-5e47-7d03-98fe-af7c600e8d25', 2, 'r1', '+15550101', NULL, NULL, '{"script":[{"type":"status","status":"in-progress"},{"type":"transcript","entry":{"turn":1,"role":"user","content":"I would like a table for two.","startSeconds":1,"endSeconds":2,"interrupted":false}},{"type":"outcome","outcome":{"transcript":[{"turn":1,"role":"user","content":"I would like a table for two.","startSeconds":1,"endSeconds":2,"interrupted":false}]}}]}', '', 'pending', 0, 0, NULL, NULL, NULL);
INSERT INTO public.batch_recipients VALUES ('01a1e317-5f87-76a5-ac46-5e619ff2c525', 1, 'r0', '+15550100', NULL, NULL, '{"script":[{"type":"status","status":"in-progress"},{"type":"transcript","entry":{"turn":1,"role":"user","content":"I would like a table for two.","startSeconds":1,"endSeconds":2,"interrupted":false}},{"type":"outcome","outcome":{"transcript":[{"turn":1,"role":"user","content":"I would like a table for two.","startSeconds":1,"endSeconds":2,"interrupted":false}]}}]}', '', 'pending', 0, 0, NULL, NULL, NULL);
INSERT INTO public.batch_recipients VALUES ('01a1e317-5f87-76a5-ac46-5e619ff2c525', 2, 'r1', '+15550101', NULL, NULL, '{"script":[{"type":"status","status":"in-progress"},{"type":"transcript","entry":{"turn":1,"role":"user","content":"I would like a table for two.","startSeconds":1,"endSeconds":2,"interrupted":false}},{"type":"outcome","outcome":{"transcript":[{"turn":1,"role":"user","content":"I would like a table for two.","startSeconds":1,"endSeconds":2,"interrupted":false}]}}]}', '', 'pending', 0, 0, NULL, NULL, NULL);
INSERT INTO public.batch_recipients VALUES ('01a1e317-6151-7dcf-93fe-822d91da9182', 1, 'r0', '+15550100', NULL, NULL, '{"script":[{"type":"status","status":"in-progress"},{"type":"transcript","entry":{"turn":1,"role":"user","content":"I would like a table for two.","startSeconds":1,"endSeconds":2,"interrupted":false}},{"type":"outcome","outcome":{"transcript":[{"turn":1,"role":"user","content":"I would like a table for two.","startSeconds":1,"endSeconds":2,"interrupted":false}]}}]}', '', 'pending', 0, 0, NULL, NULL, NULL);
INSERT INTO public.batch_recipients VALUES ('01a1e317-6151-7dcf-93fe-822d91da9182', 2, 'r1', '+15550101', NULL, NULL, '{"script":[{"type":"status","status":"in-progress"},{"type":"transcript","entry":{"turn":1,"role":"user","content":"I would like a table for two.","startSeconds":1,"endSeconds":2,"interrupted":false}},{"type":"outcome","outcome":{"transcript":[{"turn":1,"role":"user","content":"I would like a table for two.","startSeconds":1,"endSeconds":2,"interrupted":false}]}}]}', '', 'pending', 0, 0, NULL, NULL, NULL);
INSERT INTO public.batch_recipients VALUES ('01a1e317-6704-7ac3-81e5-d54bc540fef0', 1, 'r0', '+15550100', NULL, NULL, '{"script":[{"type":"outcome","outcome":{"status":"no-answer","hangupReason":"dial_no_answer","answeredBy":null}}]}', '', 'pending', 1, 0, '2026-11-16 06:43:04.713267+00', '01a1e317-6883-7dff-8102-b639d8f1cbbe', '2026-11-16 06:42:04.713267+00');
INSERT INTO public.batch_recipients VALUES ('01a1e317-61df-7c91-aa90-5b6e0f800478', 2, 'r1', '+15550101', NULL, NULL, '{"script":[{"type":"status","status":"in-progress"},{"type":"transcript","entry":{"turn":1,"role":"user","content":"I would like a table for two.","startSeconds":1,"endSeconds":2,"interrupted":false}},{"type":"outcome","outcome":{"transcript":[{"turn":1,"role":"user","content":"I would like a table for two.","startSeconds":1,"endSeconds":2,"interrupted":false}]}}]}', '', 'completed', 1, 0, NULL, '01a1e317-62a0-74b0-8f94-3a7216082751', '2026-11-16 06:42:03.339581+00');
INSERT INTO public.batch_recipients VALUES ('01a1e317-61df-7c91-aa90-5b6e0f800478', 1, 'r0', '+15550100', NULL, NULL, '{"script":[{"type":"status","status":"in-progress"},{"type":"transcript","entry":{"turn":1,"role":"user","content":"I would like a table for two.","startSeconds":1,"endSeconds":2,"interrupted":false}},{"type":"outcome","outcome":{"transcript":[{"turn":1,"role":"user","content":"I would like a table for two.","startSeconds":1,"endSeconds":2,"interrupted":false}]}}]}', '', 'completed', 1, 0, NULL, '01a1e317-62a0-7f01-bce3-2d420401474b', '2026-11-16 06:42:03.339581+00');
INSERT INTO public.batch_recipients VALUES ('01a1e317-64e3-762d-afdb-8f37d0c4fc7e', 2, 'r1', '+15550101', NULL, NULL, '{"script":[{"type":"status","status":"in-progress"},{"type":"transcript","entry":{"turn":1,"role":"user","content":"I would like a table for two.","startSeconds":1,"endSeconds":2,"interrupted":false}},{"type":"outcome","outcome":{"transcript":[{"turn":1,"role":"user","content":"I would like a table for two.","startSeconds":1,"endSeconds":2,"interrupted":false}]}}]}', '', 'pending', 0, 0, NULL, NULL, NULL);
INSERT INTO public.batch_recipients VALUES ('01a1e317-64e3-762d-afdb-8f37d0c4fc7e', 3, 'r2', '+15550102', NULL, NULL, '{"script":[{"type":"status","status":"in-progress"},{"type":"transcript","entry":{"turn":1,"role":"user","content":"I would like a table for two.","startSeconds":1,"endSeconds":2,"interrupted":false}},{"type":"outcome","outcome":{"transcript":[{"turn":1,"role":"user","content":"I would like a table for two.","startSeconds":1,"endSeconds":2,"interrupted":false}]}}]}', '', 'pending', 0, 0, NULL, NULL, NULL);
INSERT INTO public.batch_recipients VALUES ('01a1e317-64e3-762d-afdb-8f37d0c4fc7e', 4, 'r3', '+15550103', NULL, NULL, '{"script":[{"type":"status","status":"in-progress"},{"type":"transcript","entry":{"turn":1,"role":"user","content":"I would like a table for two.","startSeconds":1,"endSeconds":2,"interrupted":false}},{"type":"outcome","outcome":{"transcript":[{"turn":1,"role":"user","content":"I would like a table for two.","startSeconds":1,"endSeconds":2,"interrupted":false}]}}]}', '', 'pending', 0, 0, NULL, NULL, NULL);
INSERT INTO public.batch_recipients VALUES ('01a1e317-64e3-762d-afdb-8f37d0c4fc7e', 1, 'r0', '+15550100', NULL, NULL, '{"script":[{"type":"status","status":"in-progress"},{"type":"until-stopped"}]}', '', 'in_progress', 1, 0, NULL, '01a1e317-65b6-7ea5-9f8e-e800b2492efa', '2026-11-16 06:42:03.818205+00');
INSERT INTO public.batch_recipients VALUES ('01a1e317-6704-7ac3-81e5-d54bc540fef0', 2, 'r1', '+15550101', NULL, NULL, '{"script":[{"type":"status","status":"in-progress"},{"type":"until-stopped"}]}', '', 'in_progress', 1, 0, NULL, '01a1e317-695e-7b3d-84bd-39a298870548', '2026-11-16 06:42:04.76283+00');
INSERT INTO public.batch_recipients VALUES ('01a1e317-6704-7ac3-81e5-d54bc540fef0', 3, 'r2', '+15550102', NULL, NULL, '{"script":[{"type":"status","status":"in-progress"},{"type":"transcript","entry":{"turn":1,"role":"user","content":"I would like a table for two.","startSeconds":1,"endSeconds":2,"interrupted":false}},{"type":"outcome","outcome":{"transcript":[{"turn":1,"role":"user","content":"I would like a table for two.","startSeconds":1,"endSeconds":2,"interrupted":false}]}}]}', '', 'pending', 0, 0, NULL, NULL, NULL);
INSERT INTO public.batch_recipients VALUES ('01a1e317-6704-7ac3-81e5-d54bc540fef0', 4, 'r3', '+15550103', NULL, NULL, '{"script":[{"type":"status","status":"in-progress"},{"type":"transcript","entry":{"turn":1,"role":"user","content":"I would like a table for two.","startSeconds":1,"endSeconds":2,"interrupted":false}},{"type":"outcome","outcome":{"transcript":[{"turn":1,"role":"user","content":"I would like a table for two.","startSeconds":1,"endSeconds":2,"interrupted":false}]}}]}', '', 'pending', 0, 0, NULL, NULL, NULL);


--
-- Data for Name: batches; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.batches VALUES ('01a1e317-5e47-7d03-98fe-af7c600e8d25', '11111111-1111-4111-8111-111111111111', '01a1e317-56ca-717e-bf96-7839d9516bf5', 'created', 'created', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{""}', 2, 1, '2026-11-16 06:42:01.975905+00', '2026-11-16 06:42:01.975905+00', NULL, NULL);
INSERT INTO public.batches VALUES ('01a1e317-5f87-76a5-ac46-5e619ff2c525', '11111111-1111-4111-8111-111111111111', '01a1e317-56ca-717e-bf96-7839d9516bf5', 'scheduled', 'scheduled', NULL, '01a1e317-6014-7879-8dde-584269a1bca0', '2026-11-17 06:42:00.397+00', NULL, NULL, NULL, NULL, NULL, '{""}', 2, 1, '2026-11-16 06:42:02.314546+00', '2026-11-16 06:42:02.314546+00', NULL, NULL);
INSERT INTO public.batches VALUES ('01a1e317-6151-7dcf-93fe-822d91da9182', '11111111-1111-4111-8111-111111111111', '01a1e317-56ca-717e-bf96-7839d9516bf5', 'cancelled', 'cancelled', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{""}', 2, 1, '2026-11-16 06:42:02.719653+00', '2026-11-16 06:42:02.794448+00', NULL, '2026-11-16 06:42:02.794448+00');
INSERT INTO public.batches VALUES ('01a1e317-61df-7c91-aa90-5b6e0f800478', '11111111-1111-4111-8111-111111111111', '01a1e317-56ca-717e-bf96-7839d9516bf5', 'completed', 'completed', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{""}', 2, 3, '2026-11-16 06:42:02.869723+00', '2026-11-16 06:42:03.431292+00', '2026-11-16 06:42:03.006529+00', '2026-11-16 06:42:03.431292+00');
INSERT INTO public.batches VALUES ('01a1e317-64e3-762d-afdb-8f37d0c4fc7e', '11111111-1111-4111-8111-111111111111', '01a1e317-56ca-717e-bf96-7839d9516bf5', 'paused', 'paused', NULL, NULL, NULL, NULL, 1, NULL, NULL, NULL, '{""}', 4, 2, '2026-11-16 06:42:03.631204+00', '2026-11-16 06:42:04.146849+00', '2026-11-16 06:42:03.791051+00', NULL);
INSERT INTO public.batches VALUES ('01a1e317-6704-7ac3-81e5-d54bc540fef0', '11111111-1111-4111-8111-111111111111', '01a1e317-56ca-717e-bf96-7839d9516bf5', 'in progress', 'in_progress', NULL, NULL, NULL, NULL, 1, NULL, '{"max_retries":2,"retry_on":["no-answer"],"intervals_minutes":[1]}', NULL, '{""}', 4, 3, '2026-11-16 06:42:04.205852+00', '2026-11-16 06:42:04.30955+00', '2026-11-16 06:42:04.30955+00', NULL);


--
-- Data for Name: call_events; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.call_events VALUES ('01a1e317-585b-75f2-b0ef-b75e073c1a36', 1, '2026-11-16 06:42:00.415123+00', 'status', '{"call_status" : "queued"}');
INSERT INTO public.call_events VALUES ('01a1e317-585b-75f2-b0ef-b75e073c1a36', 2, '2026-11-16 06:42:00.506841+00', 'status', '{"call_status":"initiated"}');
INSERT INTO public.call_events VALUES ('01a1e317-585b-75f2-b0ef-b75e073c1a36', 3, '2026-11-16 06:42:00.598+00', 'status', '{"call_status":"in-progress"}');
INSERT INTO public.call_events VALUES ('01a1e317-585b-75f2-b0ef-b75e073c1a36', 4, '2026-11-16 06:42:00.598+00', 'transcript', '{"turn":1,"role":"user","content":"I would like a table for two.","start_time":1,"end_time":2,"interrupted":false}');
INSERT INTO public.call_events VALUES ('01a1e317-585b-75f2-b0ef-b75e073c1a36', 5, '2026-11-16 06:42:00.7078+00', 'ended', '{"call_status" : "completed", "call_terminated_by" : "user", "hangup_reason" : "user_hangup", "duration" : 1.5, "analysis_follows" : true}');
INSERT INTO public.call_events VALUES ('01a1e317-5a5a-746c-87b8-7722db7ab20d', 1, '2026-11-16 06:42:00.924007+00', 'status', '{"call_status" : "queued"}');
INSERT INTO public.call_events VALUES ('01a1e317-5a5a-746c-87b8-7722db7ab20d', 2, '2026-11-16 06:42:00.964458+00', 'status', '{"call_status":"initiated"}');
INSERT INTO public.call_events VALUES ('01a1e317-5a5a-746c-87b8-7722db7ab20d', 3, '2026-11-16 06:42:00.984642+00', 'ended', '{"call_status" : "busy", "call_terminated_by" : "user", "hangup_reason" : "dial_busy", "duration" : 1.5, "analysis_follows" : false}');
INSERT INTO public.call_events VALUES ('01a1e317-5b3f-7e8a-8974-e5eb598045b7', 1, '2026-11-16 06:42:01.1528+00', 'status', '{"call_status" : "queued"}');
INSERT INTO public.call_events VALUES ('01a1e317-5b3f-7e8a-8974-e5eb598045b7', 2, '2026-11-16 06:42:01.287393+00', 'status', '{"call_status":"initiated"}');
INSERT INTO public.call_events VALUES ('01a1e317-5b3f-7e8a-8974-e5eb598045b7', 3, '2026-11-16 06:42:01.341+00', 'status', '{"call_status":"in-progress"}');
INSERT INTO public.call_events VALUES ('01a1e317-5c68-7011-b72a-5b5159b9c18b', 1, '2026-11-16 06:42:01.455458+00', 'status', '{"call_status" : "scheduled"}');
INSERT INTO public.call_events VALUES ('01a1e317-5ce1-7956-921e-a659c0474d64', 1, '2026-11-16 06:42:01.570666+00', 'status', '{"call_status" : "queued"}');
INSERT INTO public.call_events VALUES ('01a1e317-5d5e-7014-a445-b3ba74badba8', 1, '2026-11-16 06:42:01.69555+00', 'status', '{"call_status" : "scheduled"}');
INSERT INTO public.call_events VALUES ('01a1e317-5d5e-7014-a445-b3ba74badba8', 2, '2026-11-16 06:42:01.816396+00', 'ended', '{"call_status" : "canceled", "call_terminated_by" : "api", "hangup_reason" : "api_stopped", "duration" : 0, "analysis_follows" : false}');
INSERT INTO public.call_events VALUES ('01a1e317-585b-75f2-b0ef-b75e073c1a36', 6, '2026-11-16 06:42:02.580521+00', 'analysis', '{"summary":"The caller said: “I would like a table for two.”","sentiment":null,"disposition":null,"data_extraction":null}');
INSERT INTO public.call_events VALUES ('01a1e317-62a0-7f01-bce3-2d420401474b', 1, '2026-11-16 06:42:03.026544+00', 'status', '{"call_status":"queued"}');
INSERT INTO public.call_events VALUES ('01a1e317-62a0-74b0-8f94-3a7216082751', 1, '2026-11-16 06:42:03.026544+00', 'status', '{"call_status":"queued"}');
INSERT INTO public.call_events VALUES ('01a1e317-62a0-74b0-8f94-3a7216082751', 2, '2026-11-16 06:42:03.22687+00', 'status', '{"call_status":"initiated"}');
INSERT INTO public.call_events VALUES ('01a1e317-62a0-7f01-bce3-2d420401474b', 2, '2026-11-16 06:42:03.22687+00', 'status', '{"call_status":"initiated"}');
INSERT INTO public.call_events VALUES ('01a1e317-62a0-74b0-8f94-3a7216082751', 3, '2026-11-16 06:42:03.238+00', 'status', '{"call_status":"in-progress"}');
INSERT INTO public.call_events VALUES ('01a1e317-62a0-74b0-8f94-3a7216082751', 4, '2026-11-16 06:42:03.238+00', 'transcript', '{"turn":1,"role":"user","content":"I would like a table for two.","start_time":1,"end_time":2,"interrupted":false}');
INSERT INTO public.call_events VALUES ('01a1e317-62a0-7f01-bce3-2d420401474b', 3, '2026-11-16 06:42:03.238+00', 'status', '{"call_status":"in-progress"}');
INSERT INTO public.call_events VALUES ('01a1e317-62a0-7f01-bce3-2d420401474b', 4, '2026-11-16 06:42:03.238+00', 'transcript', '{"turn":1,"role":"user","content":"I would like a table for two.","start_time":1,"end_time":2,"interrupted":false}');
INSERT INTO public.call_events VALUES ('01a1e317-62a0-74b0-8f94-3a7216082751', 5, '2026-11-16 06:42:03.339581+00', 'ended', '{"call_status" : "completed", "call_terminated_by" : "user", "hangup_reason" : "user_hangup", "duration" : 1.5, "analysis_follows" : false}');
INSERT INTO public.call_events VALUES ('01a1e317-62a0-7f01-bce3-2d420401474b', 5, '2026-11-16 06:42:03.339581+00', 'ended', '{"call_status" : "completed", "call_terminated_by" : "user", "hangup_reason" : "user_hangup", "duration" : 1.5, "analysis_follows" : false}');
INSERT INTO public.call_events VALUES ('01a1e317-65b6-7ea5-9f8e-e800b2492efa', 1, '2026-11-16 06:42:03.818205+00', 'status', '{"call_status":"queued"}');
INSERT INTO public.call_events VALUES ('01a1e317-65b6-7ea5-9f8e-e800b2492efa', 2, '2026-11-16 06:42:03.847322+00', 'status', '{"call_status":"initiated"}');
INSERT INTO public.call_events VALUES ('01a1e317-65b6-7ea5-9f8e-e800b2492efa', 3, '2026-11-16 06:42:03.904+00', 'status', '{"call_status":"in-progress"}');
INSERT INTO public.call_events VALUES ('01a1e317-6883-7dff-8102-b639d8f1cbbe', 1, '2026-11-16 06:42:04.459132+00', 'status', '{"call_status":"queued"}');
INSERT INTO public.call_events VALUES ('01a1e317-6883-7dff-8102-b639d8f1cbbe', 2, '2026-11-16 06:42:04.665535+00', 'status', '{"call_status":"initiated"}');
INSERT INTO public.call_events VALUES ('01a1e317-6883-7dff-8102-b639d8f1cbbe', 3, '2026-11-16 06:42:04.713267+00', 'ended', '{"call_status" : "no-answer", "call_terminated_by" : "user", "hangup_reason" : "dial_no_answer", "duration" : 1.5, "analysis_follows" : false}');
INSERT INTO public.call_events VALUES ('01a1e317-695e-7b3d-84bd-39a298870548', 1, '2026-11-16 06:42:04.76283+00', 'status', '{"call_status":"queued"}');
INSERT INTO public.call_events VALUES ('01a1e317-695e-7b3d-84bd-39a298870548', 2, '2026-11-16 06:42:04.785358+00', 'status', '{"call_status":"initiated"}');
INSERT INTO public.call_events VALUES ('01a1e317-695e-7b3d-84bd-39a298870548', 3, '2026-11-16 06:42:04.823+00', 'status', '{"call_status":"in-progress"}');


--
-- Data for Name: callback_secrets; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.callback_secrets VALUES ('11111111-1111-4111-8111-111111111111', '\xaa432075d59a6dd10b1879dc8c95bddc7e4148fab5ee5bf45ddab039b3cac672d6009764d7eac3ec37e8c12245d310262af3c369846b18af762dcf1bfd4ad3fe79bbb433f536eee88aa85b8fa1a1');


--
-- Data for Name: calls; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.calls VALUES ('01a1e317-5a5a-746c-87b8-7722db7ab20d', '11111111-1111-4111-8111-111111111111', '01a1e317-56ca-717e-bf96-7839d9516bf5', 'busy', 'outbound', '+15550100', 1.5, 'SB1', '2026-11-16 06:42:00.964458+00', '2026-11-16 06:42:00.982+00', 'user', '[]', NULL, NULL, true, '2026-11-16 06:42:00.921+00', '2026-11-16 06:42:00.984642+00', NULL, NULL, NULL, NULL, '{"script":[{"type":"outcome","outcome":{"status":"busy","hangupReason":"dial_busy","answeredBy":null}}]}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'dial_busy', NULL, NULL, '[]', '{"stt_seconds":1,"llm_input_tokens":2,"llm_output_tokens":3,"tts_characters":4}', '[]', '2026-11-16 06:42:00.984642+00', NULL, NULL, NULL);
INSERT INTO public.calls VALUES ('01a1e317-5b3f-7e8a-8974-e5eb598045b7', '11111111-1111-4111-8111-111111111111', '01a1e317-56ca-717e-bf96-7839d9516bf5', 'in-progress', 'outbound', '+15550100', NULL, NULL, '2026-11-16 06:42:01.287393+00', NULL, NULL, NULL, NULL, NULL, false, '2026-11-16 06:42:01.142+00', '2026-11-16 06:42:01.344444+00', NULL, NULL, NULL, NULL, '{"script":[{"type":"status","status":"in-progress"},{"type":"until-stopped"}]}', NULL, NULL, NULL, 1612291232, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.calls VALUES ('01a1e317-5c68-7011-b72a-5b5159b9c18b', '11111111-1111-4111-8111-111111111111', '01a1e317-56ca-717e-bf96-7839d9516bf5', 'scheduled', 'outbound', '+15550100', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, '2026-11-16 06:42:01.446+00', '2026-11-16 06:42:01.446+00', NULL, NULL, NULL, NULL, '{"script":[{"type":"status","status":"in-progress"},{"type":"transcript","entry":{"turn":1,"role":"user","content":"I would like a table for two.","startSeconds":1,"endSeconds":2,"interrupted":false}},{"type":"outcome","outcome":{"transcript":[{"turn":1,"role":"user","content":"I would like a table for two.","startSeconds":1,"endSeconds":2,"interrupted":false}]}}]}', NULL, '2026-11-17 06:42:00.397+00', '2026-11-17 06:42:00.397+00', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.calls VALUES ('01a1e317-5ce1-7956-921e-a659c0474d64', '11111111-1111-4111-8111-111111111111', '01a1e317-56ca-717e-bf96-7839d9516bf5', 'queued', 'web', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, '2026-11-16 06:42:01.541+00', '2026-11-16 06:42:01.541+00', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '\x4fde98b8d43fd7518ebdab79b3c07ecbfaa2658e96f9ac31ee11a2fc3f0789d6', '2026-11-16 06:44:01.541+00', NULL);
INSERT INTO public.calls VALUES ('01a1e317-5d5e-7014-a445-b3ba74badba8', '11111111-1111-4111-8111-111111111111', '01a1e317-56ca-717e-bf96-7839d9516bf5', 'canceled', 'outbound', '+15550100', 0, NULL, NULL, '2026-11-16 06:42:01.816396+00', 'api', NULL, NULL, NULL, true, '2026-11-16 06:42:01.692+00', '2026-11-16 06:42:01.816396+00', NULL, NULL, NULL, NULL, '{"script":[{"type":"status","status":"in-progress"},{"type":"transcript","entry":{"turn":1,"role":"user","content":"I would like a table for two.","startSeconds":1,"endSeconds":2,"interrupted":false}},{"type":"outcome","outcome":{"transcript":[{"turn":1,"role":"user","content":"I would like a table for two.","startSeconds":1,"endSeconds":2,"interrupted":false}]}}]}', NULL, '2026-11-17 06:42:00.397+00', NULL, NULL, '2026-11-16 06:42:01.816396+00', NULL, NULL, 'api_stopped', NULL, NULL, NULL, NULL, NULL, '2026-11-16 06:43:01.816396+00', NULL, NULL, NULL);
INSERT INTO public.calls VALUES ('01a1e317-585b-75f2-b0ef-b75e073c1a36', '11111111-1111-4111-8111-111111111111', '01a1e317-5721-7371-96b6-0dbabee1bb6f', 'completed', 'outbound', '+15550100', 1.5, 'SB1', '2026-11-16 06:42:00.506841+00', '2026-11-16 06:42:00.604+00', 'user', '[{"turn":1,"role":"user","content":"I would like a table for two.","start_time":1,"end_time":2,"interrupted":false}]', NULL, '{"summary":"The caller said: “I would like a table for two.”","sentiment":null,"disposition":null,"data_extraction":null}', true, '2026-11-16 06:42:00.41+00', '2026-11-16 06:42:02.580521+00', NULL, NULL, NULL, '{"name":"Ada"}', '{"script":[{"type":"status","status":"in-progress"},{"type":"transcript","entry":{"turn":1,"role":"user","content":"I would like a table for two.","startSeconds":1,"endSeconds":2,"interrupted":false}},{"type":"outcome","outcome":{"transcript":[{"turn":1,"role":"user","content":"I would like a table for two.","startSeconds":1,"endSeconds":2,"interrupted":false}]}}]}', NULL, NULL, NULL, NULL, NULL, NULL, 'human', 'user_hangup', NULL, NULL, '[]', '{"stt_seconds":1,"llm_input_tokens":2,"llm_output_tokens":3,"tts_characters":4}', '[{"why": "no language model is configured: set PARLEY_LLM_BASE_URL and PARLEY_LLM_MODEL, or base_url and model in the llm_config of the agent", "part": "analysis", "used": "built-in analysis, not a language model", "asked": null}]', '2026-11-16 06:42:00.7078+00', NULL, NULL, NULL);
INSERT INTO public.calls VALUES ('01a1e317-62a0-74b0-8f94-3a7216082751', '11111111-1111-4111-8111-111111111111', '01a1e317-56ca-717e-bf96-7839d9516bf5', 'completed', 'outbound', '+15550101', 1.5, 'SB1', '2026-11-16 06:42:03.22687+00', '2026-11-16 06:42:03.238+00', 'user', '[{"turn":1,"role":"user","content":"I would like a table for two.","start_time":1,"end_time":2,"interrupted":false}]', NULL, NULL, true, '2026-11-16 06:42:03.026544+00', '2026-11-16 06:42:03.339581+00', NULL, '01a1e317-61df-7c91-aa90-5b6e0f800478', 'r1', NULL, '{"script":[{"type":"status","status":"in-progress"},{"type":"transcript","entry":{"turn":1,"role":"user","content":"I would like a table for two.","startSeconds":1,"endSeconds":2,"interrupted":false}},{"type":"outcome","outcome":{"transcript":[{"turn":1,"role":"user","content":"I would like a table for two.","startSeconds":1,"endSeconds":2,"interrupted":false}]}}]}', NULL, NULL, NULL, NULL, NULL, NULL, 'human', 'user_hangup', NULL, NULL, '[]', '{"stt_seconds":1,"llm_input_tokens":2,"llm_output_tokens":3,"tts_characters":4}', '[]', '2026-11-16 06:42:03.339581+00', NULL, NULL, 2);
INSERT INTO public.calls VALUES ('01a1e317-62a0-7f01-bce3-2d420401474b', '11111111-1111-4111-8111-111111111111', '01a1e317-56ca-717e-bf96-7839d9516bf5', 'completed', 'outbound', '+15550100', 1.5, 'SB1', '2026-11-16 06:42:03.22687+00', '2026-11-16 06:42:03.238+00', 'user', '[{"turn":1,"role":"user","content":"I would like a table for two.","start_time":1,"end_time":2,"interrupted":false}]', NULL, NULL, true, '2026-11-16 06:42:03.026544+00', '2026-11-16 06:42:03.339581+00', NULL, '01a1e317-61df-7c91-aa90-5b6e0f800478', 'r0', NULL, '{"script":[{"type":"status","status":"in-progress"},{"type":"transcript","entry":{"turn":1,"role":"user","content":"I would like a table for two.","startSeconds":1,"endSeconds":2,"interrupted":false}},{"type":"outcome","outcome":{"transcript":[{"turn":1,"role":"user","content":"I would like a table for two.","startSeconds":1,"endSeconds":2,"interrupted":false}]}}]}', NULL, NULL, NULL, NULL, NULL, NULL, 'human', 'user_hangup', NULL, NULL, '[]', '{"stt_seconds":1,"llm_input_tokens":2,"llm_output_tokens":3,"tts_characters":4}', '[]', '2026-11-16 06:42:03.339581+00', NULL, NULL, 1);
INSERT INTO public.calls VALUES ('01a1e317-65b6-7ea5-9f8e-e800b2492efa', '11111111-1111-4111-8111-111111111111', '01a1e317-56ca-717e-bf96-7839d9516bf5', 'in-progress', 'outbound', '+15550100', NULL, NULL, '2026-11-16 06:42:03.847322+00', NULL, NULL, NULL, NULL, NULL, false, '2026-11-16 06:42:03.818205+00', '2026-11-16 06:42:03.905169+00', NULL, '01a1e317-64e3-762d-afdb-8f37d0c4fc7e', 'r0', NULL, '{"script":[{"type":"status","status":"in-progress"},{"type":"until-stopped"}]}', NULL, NULL, NULL, 1612291232, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1);
INSERT INTO public.calls VALUES ('01a1e317-6883-7dff-8102-b639d8f1cbbe', '11111111-1111-4111-8111-111111111111', '01a1e317-56ca-717e-bf96-7839d9516bf5', 'no-answer', 'outbound', '+15550100', 1.5, 'SB1', '2026-11-16 06:42:04.665535+00', '2026-11-16 06:42:04.694+00', 'user', '[]', NULL, NULL, true, '2026-11-16 06:42:04.459132+00', '2026-11-16 06:42:04.713267+00', NULL, '01a1e317-6704-7ac3-81e5-d54bc540fef0', 'r0', NULL, '{"script":[{"type":"outcome","outcome":{"status":"no-answer","hangupReason":"dial_no_answer","answeredBy":null}}]}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'dial_no_answer', NULL, NULL, '[]', '{"stt_seconds":1,"llm_input_tokens":2,"llm_output_tokens":3,"tts_characters":4}', '[]', '2026-11-16 06:42:04.713267+00', NULL, NULL, 1);
INSERT INTO public.calls VALUES ('01a1e317-695e-7b3d-84bd-39a298870548', '11111111-1111-4111-8111-111111111111', '01a1e317-56ca-717e-bf96-7839d9516bf5', 'in-progress', 'outbound', '+15550101', NULL, NULL, '2026-11-16 06:42:04.785358+00', NULL, NULL, NULL, NULL, NULL, false, '2026-11-16 06:42:04.76283+00', '2026-11-16 06:42:04.826863+00', NULL, '01a1e317-6704-7ac3-81e5-d54bc540fef0', 'r1', NULL, '{"script":[{"type":"status","status":"in-progress"},{"type":"until-stopped"}]}', NULL, NULL, NULL, 1612291232, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 2);


--
-- Data for Name: calls_to_analyse; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.calls_to_analyse VALUES ('01a1e317-585b-75f2-b0ef-b75e073c1a36', '2026-11-16 06:43:10.181017+00', 0, NULL);


--
-- Data for Name: calls_to_tell; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.calls_to_tell VALUES ('01a1e317-5d5e-7014-a445-b3ba74badba8', '2026-11-16 06:43:01.816396+00');


--
-- Data for Name: deliveries; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.deliveries VALUES ('5ae23afe-c46e-4d69-b7f9-71a58b90b5e3', '1ac6f863-ddbc-4d5b-bf04-fb4171c12bcd', '01a1e317-57b8-7160-9d76-e48062a22bac', '01a1e317-57b8-7160-9d76-e48062a22bac', NULL, false, 'delivered', '[{"error": null, "attempt": 1, "latency_ms": 21, "http_status": 200, "attempted_at": "2026-11-16T06:42:00.850Z"}]', '2026-11-16 06:42:00.762507+00', NULL, '2026-11-16 06:42:00.762507+00', '2026-11-16 06:42:00.876102+00');
INSERT INTO public.deliveries VALUES ('fa7b3b1c-fda4-4144-9ac8-d4a13be5431e', '3d8249b8-a18d-4b1d-b6f9-b8080ee34853', '01a1e317-57b8-7160-9d76-e48062a22bac', '01a1e317-57b8-7160-9d76-e48062a22bac', NULL, false, 'queued', '[{"error": "answered 500", "attempt": 1, "latency_ms": 15, "http_status": 500, "attempted_at": "2026-11-16T06:42:01.063Z"}]', '2026-11-16 07:42:01.166712+00', NULL, '2026-11-16 06:42:01.023279+00', NULL);
INSERT INTO public.deliveries VALUES ('87f0b14f-b15d-4936-862c-db3ada458be2', '5cdbad39-d15b-45ae-864e-1f3c1a1ceff6', '01a1e317-57b8-7160-9d76-e48062a22bac', '01a1e317-57b8-7160-9d76-e48062a22bac', NULL, false, 'queued', '[{"error": "answered 500", "attempt": 1, "latency_ms": 43, "http_status": 500, "attempted_at": "2026-11-16T06:42:03.414Z"}]', '2026-11-16 07:42:03.478561+00', NULL, '2026-11-16 06:42:03.373808+00', NULL);
INSERT INTO public.deliveries VALUES ('ef33df23-d465-4aab-9425-ddf531651bc8', '6f2d2e92-f0c6-4226-b6a4-95200f6be934', '01a1e317-57b8-7160-9d76-e48062a22bac', '01a1e317-57b8-7160-9d76-e48062a22bac', NULL, false, 'queued', '[{"error": "answered 500", "attempt": 1, "latency_ms": 137, "http_status": 500, "attempted_at": "2026-11-16T06:42:03.414Z"}]', '2026-11-16 07:42:03.609484+00', NULL, '2026-11-16 06:42:03.373808+00', NULL);
INSERT INTO public.deliveries VALUES ('a84ca694-998a-42e0-a9a8-80be6551ee26', 'a4797ddf-4e6a-4080-a634-b93805f9001c', '01a1e317-57b8-7160-9d76-e48062a22bac', '01a1e317-57b8-7160-9d76-e48062a22bac', NULL, false, 'queued', '[{"error": "answered 500", "attempt": 1, "latency_ms": 1, "http_status": 500, "attempted_at": "2026-11-16T06:42:04.767Z"}]', '2026-11-16 07:42:04.824666+00', NULL, '2026-11-16 06:42:04.722839+00', NULL);


--
-- Data for Name: events; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.events VALUES ('1ac6f863-ddbc-4d5b-bf04-fb4171c12bcd', '11111111-1111-4111-8111-111111111111', '01a1e317-5721-7371-96b6-0dbabee1bb6f', 'call.completed', '{"id" : "1ac6f863-ddbc-4d5b-bf04-fb4171c12bcd", "type" : "call.completed", "created_at" : "2026-11-16T06:42:00.762Z", "data" : {"session_id" : "01a1e317-585b-75f2-b0ef-b75e073c1a36", "agent_id" : "01a1e317-5721-7371-96b6-0dbabee1bb6f", "call_status" : "completed", "to_phone_number" : "+15550100", "call_type" : "outbound", "duration" : 1.5, "call_sid" : "SB1", "call_initiated_time" : "2026-11-16T06:42:00.506Z", "call_completed_time" : "2026-11-16T06:42:00.604Z", "call_terminated_by" : "user", "transcript" : [{"turn":1,"role":"user","content":"I would like a table for two.","start_time":1,"end_time":2,"interrupted":false}], "recording" : {"url" : null, "expiry" : null}, "analytics" : {"summary" : null, "sentiment" : null, "disposition" : null, "data_extraction" : null}}}', '2026-11-16 06:42:00.762507+00');
INSERT INTO public.events VALUES ('3d8249b8-a18d-4b1d-b6f9-b8080ee34853', '11111111-1111-4111-8111-111111111111', '01a1e317-56ca-717e-bf96-7839d9516bf5', 'call.completed', '{"id" : "3d8249b8-a18d-4b1d-b6f9-b8080ee34853", "type" : "call.completed", "created_at" : "2026-11-16T06:42:01.023Z", "data" : {"session_id" : "01a1e317-5a5a-746c-87b8-7722db7ab20d", "agent_id" : "01a1e317-56ca-717e-bf96-7839d9516bf5", "call_status" : "busy", "to_phone_number" : "+15550100", "call_type" : "outbound", "duration" : 1.5, "call_sid" : "SB1", "call_initiated_time" : "2026-11-16T06:42:00.964Z", "call_completed_time" : "2026-11-16T06:42:00.982Z", "call_terminated_by" : "user", "transcript" : [], "recording" : {"url" : null, "expiry" : null}, "analytics" : {"summary" : null, "sentiment" : null, "disposition" : null, "data_extraction" : null}}}', '2026-11-16 06:42:01.023279+00');
INSERT INTO public.events VALUES ('5cdbad39-d15b-45ae-864e-1f3c1a1ceff6', '11111111-1111-4111-8111-111111111111', '01a1e317-56ca-717e-bf96-7839d9516bf5', 'call.completed', '{"id" : "5cdbad39-d15b-45ae-864e-1f3c1a1ceff6", "type" : "call.completed", "created_at" : "2026-11-16T06:42:03.373Z", "data" : {"session_id" : "01a1e317-62a0-74b0-8f94-3a7216082751", "agent_id" : "01a1e317-56ca-717e-bf96-7839d9516bf5", "call_status" : "completed", "to_phone_number" : "+15550101", "call_type" : "outbound", "duration" : 1.5, "call_sid" : "SB1", "call_initiated_time" : "2026-11-16T06:42:03.226Z", "call_completed_time" : "2026-11-16T06:42:03.238Z", "call_terminated_by" : "user", "transcript" : [{"turn":1,"role":"user","content":"I would like a table for two.","start_time":1,"end_time":2,"interrupted":false}], "recording" : {"url" : null, "expiry" : null}, "analytics" : {"summary" : null, "sentiment" : null, "disposition" : null, "data_extraction" : null}}}', '2026-11-16 06:42:03.373808+00');
INSERT INTO public.events VALUES ('6f2d2e92-f0c6-4226-b6a4-95200f6be934', '11111111-1111-4111-8111-111111111111', '01a1e317-56ca-717e-bf96-7839d9516bf5', 'call.completed', '{"id" : "6f2d2e92-f0c6-4226-b6a4-95200f6be934", "type" : "call.completed", "created_at" : "2026-11-16T06:42:03.373Z", "data" : {"session_id" : "01a1e317-62a0-7f01-bce3-2d420401474b", "agent_id" : "01a1e317-56ca-717e-bf96-7839d9516bf5", "call_status" : "completed", "to_phone_number" : "+15550100", "call_type" : "outbound", "duration" : 1.5, "call_sid" : "SB1", "call_initiated_time" : "2026-11-16T06:42:03.226Z", "call_completed_time" : "2026-11-16T06:42:03.238Z", "call_terminated_by" : "user", "transcript" : [{"turn":1,"role":"user","content":"I would like a table for two.","start_time":1,"end_time":2,"interrupted":false}], "recording" : {"url" : null, "expiry" : null}, "analytics" : {"summary" : null, "sentiment" : null, "disposition" : null, "data_extraction" : null}}}', '2026-11-16 06:42:03.373808+00');
INSERT INTO public.events VALUES ('a4797ddf-4e6a-4080-a634-b93805f9001c', '11111111-1111-4111-8111-111111111111', '01a1e317-56ca-717e-bf96-7839d9516bf5', 'call.completed', '{"id" : "a4797ddf-4e6a-4080-a634-b93805f9001c", "type" : "call.completed", "created_at" : "2026-11-16T06:42:04.722Z", "data" : {"session_id" : "01a1e317-6883-7dff-8102-b639d8f1cbbe", "agent_id" : "01a1e317-56ca-717e-bf96-7839d9516bf5", "call_status" : "no-answer", "to_phone_number" : "+15550100", "call_type" : "outbound", "duration" : 1.5, "call_sid" : "SB1", "call_initiated_time" : "2026-11-16T06:42:04.665Z", "call_completed_time" : "2026-11-16T06:42:04.694Z", "call_terminated_by" : "user", "transcript" : [], "recording" : {"url" : null, "expiry" : null}, "analytics" : {"summary" : null, "sentiment" : null, "disposition" : null, "data_extraction" : null}}}', '2026-11-16 06:42:04.722839+00');


--
-- Data for Name: idempotent_answers; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.idempotent_answers VALUES ('\xef13eaeb74c18bbb41f36d9143a0d73423f37ce8bc087e293cfe51caec94320b', '\x517f9389a2a1967fc45a1dfd430e8664d9ab5588ac4ad753edb18a74eaa2195c5dd767bbc5660e0441ce44ae43eae1fb95bee972ab460f60e85e1bcd4a6b7a9edd45bbf8f39b1a3f7511edd1c4b97b4e5d4103ca1e87f4a8ef456de63640c5bbae985bd4c4b1203475e361013a50af0a8dfcd3532bbffe3d0fcbcf5af12133b85a77da', '2026-11-17 06:42:00.013791+00');
INSERT INTO public.idempotent_answers VALUES ('\x280505fb0da0c7de76fd7d6f953a92692242afcadf583e5673e07f4a54321379', '\x0e32b7d230d51a15c8449514bf479d06d9aa131fc4d10f7fbf8868d3a0b51948261c8847fc63193810520d68738acf8986471476d36172542b8594238d980b05cd88f7de9ac09e08c23f9f8c587a011b6755a97fbb5f15767a708eada7dfca39269e170540d9cea9883a291d02ae0d759c98b294c26adbe769a731969517882f004153e51d04', '2026-11-17 06:42:00.098272+00');
INSERT INTO public.idempotent_answers VALUES ('\x182db7cc3e09b42115150fd5a60a13878c89bfcb3b954e4c2a1a465c01b903f6', '\x07d16e9e9dcf1ca4b6d5c2dc96e053d34ba614782744c03e353223c16c17bdcaab0dc865b04e6793159b2fd5eb27c7d0478b4b98a519418da6b4a4a1004838e9b98804810c1ce502cb9c142ca1a25b1af620586e14f1b17cb3a144897ea2e9167336a7eb53427d6ebf5511c0ab6f7549a9ec80cbe978fb2f7158bb14c54f86db685e6ac4be', '2026-11-17 06:42:00.197206+00');
INSERT INTO public.idempotent_answers VALUES ('\xbf6e10b38de1730e8e88fe38142923075c631c35690bfff5060751ae76ac557a', '\x22ebae002d12bf419092e106bb275fcc19d726495584ad49e99e40b93bf512b52a29e5ad989b82e02f63569219b3d2ebcad2e738df94f5576ca2e7d9e2973db2f409636f90f324156661d19e978d5b347878706bfd478729481f0a62cc6da1410dce4fb35f8da3b3b2183de8254c29a3eafb2dbafca22de7216e797ef2616d545dcca41bb080ad12c558a11699a91e38e33261fea9b30661cb18b4976f2b2de56ae497cfeed22016a983d016f3d5aabe8948fedb26bd9a29832b1222f14549b247cd6febdbb8575688bbb5d55d0fbb4ab35ef59e4e1c04354dc5f3a0674a40071820ee93dfb9212aae41378d0d09ba962551e81e2dcec45e9ca8efe9482e306c2b539758be455e63cc2896cd5cbf4cfd9231e86a0be24c1118605062bdcb8a6ca93554004496952313027f56cc055216abc31a93c5c728d330201206a2cb4d09f5c49429fd031e5680b1a0ae7d3b41944fc7cede378e9a4b20f4273dcba65cad780d117c95b799b81b78cb47a9e76d0a7b35d2e5983f70cb8221009eb6e8bb83227c2c29ed586db122bfd34807a13e4e86a5548b0b24e0415e736562b6850820cf2a81fd143008f1bddd139e51db4b9a3394cb36d50302', '2026-11-17 06:42:00.307022+00');
INSERT INTO public.idempotent_answers VALUES ('\xbc61562fbd157815e1e6803124150bf73bca11f71a8415eebb065a9400aa39c1', '\x776f161fb11ce697be16785d90bc5ea07e8e8d19f1b5872b04df8a1c6de2414c92eda55e7fd32678ec047e0682bc6b1c2fe182f52df40851ae3580baea8550b1c40432e184412089bc956d6f3c796de200f58b0c161179ad419f7bc901b0726aae2a3c67c79d8316c0ea22e6bd10b8f290a6d594b789e9ec5166ebca0a65f78fec703ce6afb7e4003ea85285dc426ad7c53a106632fdf57b49639acd7182539359d7270740b4821745cf517b6284ce09868a9712c6cb69be38ec4dd8341b0a27fd493430ceb02c12051ac72978ab6e4e9c4bff90d4b88e62293f804c30d1b24d707ef3142cb13911394c90dd57c50e1984881430febe96311ec26614879c5905b458d4cc4a4c161b77740da046353eccbe802e0dc990f1f179dc1a35040a57f62135d289158da374294ed5dbddbb517e39836742f26cd6f75fd6a1e1accc9f19741461b2ae25b5d5bdde13c2f8c738f50d398b0bfda18d4421de479282a56c29f64f670322596a44ae5aa60c4f9b457c6e81b6f4e96bda1e94acbfaed3353dc7324e668390d1c2611f87efd61c2277f8e8a30d73ffeba7902cfe8ea95c53fcf6ce52afe49c28090f490b81850bfc3b67e63f8dd121c977c710f1ead9e4c9e046e911aecb16526e87c957d3ad3f8325b64a5679adc8e37a5613', '2026-11-17 06:42:00.340708+00');
INSERT INTO public.idempotent_answers VALUES ('\x4fa8a5699f60c7c3b3dfcd35556a725eb93d185d3fbca8e72966d87efcc56b52', '\xedb834cb66b6489ca3716cc6ecc101e41dcdbb6fc75eb15c8b97d5fd22fd7457fbb72cae73eee3252d8275faa987f04c3ab81751c9f7ba2e3a527577613bac7ba5e4940ab66146f2c074d72acd1c445d71e3648eb9867346ad699ceec2109b4e61f734080a05420c58dbf483e9da2736f307238cdb05dcb5237fe11f9f99d25af26848d9842532e04cc3bb2cac40cfcffe8cbc31c528b7714db1c0aa03468df250474bbeb4e55c240b983e079bd626dfba4bcd0aaabd9feb70bebb4e2d187e731c7b58fc967af4f222043cefa85fb96fc9577df3fed91ca02940ecd7740cce4bea8f0cedd4eb4fd0470a5a7d70c66572157e0afba26052085a50c5144496f9d2f9c5886ea18caeae22a4a3e3d0d917a6ef01c71430d9ad00f7171bd2', '2026-11-17 06:42:00.415123+00');
INSERT INTO public.idempotent_answers VALUES ('\x401973f0c86670f41822d57cf1d36a20514e49a6ba9d8968f2506200dffc8987', '\xa2f210371f2a730f11c97f1204d6c0a18403a4bf35a883e8c8b4c81649fb6455189ae7c3957c1fdb0f0b6edcce3766ecb10bb3889e390118a853253f5a87336bff9c43b2b24a01badc8da8ec2e7993e1571ccd707c841d1b3f49e48cf1f5aa4de615bc39276325f5caad2aa5a93954b6199775621e393cb0760d3d6c7339d472ac273166e312e1d4e6e64e84e034891a961946e7bab70be69fa93757291adf8ae62f5f624679fb9991b6d0f3e4c0e42f79e26914134b74209836c8886d1a1ec74b5e0f051b243fba82cdc500ddfef95fa184bcf7972e983bc20018d264224b15b138b80dc45008cf352f8e51cf95c099a3b91b1308287dc15161c76a8dd4b768de18f7cba87a8736725343fc9efc3f0b16219fc4e055abb1f74d7b00', '2026-11-17 06:42:00.924007+00');
INSERT INTO public.idempotent_answers VALUES ('\xc444293def55562f595c8853c00f0eb4d3cff727a7d575e847a279ccf447d522', '\xea74288443bb5fe5ec2273e475352e80c0396eb50abde27c7cc3b3eb5b432cc03b9a3e33829a47062cea54a7f3985520be4f935cbb119bf04dc8e41be251bd41eb8a3d1573dcfcb5545b40797663639c9409d94f439ae55359e5958a181efbe6cbec923688c4baf29e650d17008dcbd3e90f22362ddc51868f77db54e8a6346ed369075619ae93ccd5bae57421caa59a60b32f436acf89b79d18098d973959eeb91cc47d443b8869be384f5654267e8e486c1bfb20ea7d359d0181510422f577cbd4f94cac1e4922767d144044f5336600fea5482b4d27dfb1abed624cd6a1e5adcebba6c3a1bfe41f2d1678d37b509edba2a06da91d037e1a9579c3f77250f5d698871344806d5c626524c8699b041bd76e4bde9fa02d66c87468d6', '2026-11-17 06:42:01.1528+00');
INSERT INTO public.idempotent_answers VALUES ('\xdd91d3be2f664604bfc0df7f54ced27c7bd315dffd0bd61b2eb8c89d76827acc', '\xa8a680f40e189a12992f0fbec6fe0d2e61ab037645253096ee7ccf048dccc68055a278ef79125de2169577cebe7b4e2133bfdc5b96fb0677282a66040b9ed394cb6fa14b57cf8787ccc757df6a66618957a8e5cd7c812423903004957fd5889cb6a7cb1679a808954e2c0eff73a0418b4d9f3c72ccdc763143cf32a2865c2b34a53d856ae70d6c6f090f0094b4beb42be3ee6e6d5c23269b27fd012389875fd55700b6c2d4f4d1a2a9ac346c090c3cf83ef2f56530b8f9b02bafc378c094dce8cebf339cbc245e8ea8bb2d1dc8813c7e27870e0c3ae08c48620274eee74317cc66626e9ae7a690842c443830c7110707ba3cf84a028fa8966f07d2e0230c5030011de73d80fc1454eebb85d4c34abcd8f0a9033079bbfff8e2b72b58c303de5c1e63850390fd5632ae9942c44661f83c7c6f175713', '2026-11-17 06:42:01.455458+00');
INSERT INTO public.idempotent_answers VALUES ('\x80020b9f2f4421ef04f3dab10c5050d662ef4d3a5d491f0a4681c807c6fa27b7', '\x0973e6a1e37f06d14124f6c88ecccb7ebac0b9d5467d5c4d9406be3b5bef61e0b51301efee31b6885d8b0fafa04df8a73054dec38048e849172cf95bb6e601ebd42df101ab3dfd3447365481f05eb0b1ae8b30ade8b916e12cfd1486a2daf7866bb21cd8480893003b863192b4ef787b7a972119cf64fdef687ccd16258a5f7002583260f6f3e154ca028b60e0e65dd395134a663781583f456922eb94aa3ac2372eea65244812e23773f5a174f581d3d301a8b1ee2dd030b0eff97d84633290d7fc71c17d0a6a2cd1b5509ab4fd30e03cc515fe031a0bc28fd4899a27eb53f4077bb532c83a9d55b11b5d35206058d83b0f1bb807a5', '2026-11-17 06:42:01.570666+00');
INSERT INTO public.idempotent_answers VALUES ('\xf5ee88c8e443f66410a2c8fa3656469d126e8c2cc7499591fafc3d21c2cbdaaa', '\xc8e920b24d43c08587df869c08377a9a5a6902615f764a7e301c5b7d078fdfb27558bc7be680d4f5a0d80d5509e32ae7c5fb7589a894af4c3ca0ad9cd7534ce2d8012d570b2be6447a4c52c16853bf2af0381880be115280b1537dadbf3c504fac829f26cd4fb4f0e858ce6cd7c0f50ca01df9ded2ed3ad3cf1c38125e4a83181f23d593887713c4369f4239c03b92dd0ca6d51d69a50137ed0bb0f2f93dc6667be6651fadad3854788f6cdaa316898fe227b92dfda7cea9bb67eb0be75a3bd99203aff9d0e47144df8a5c1919242b48b003b3aa2aa7956aae39bd6ec8c1fda514d10e7a9d2627a9c753978689730350a14d3228b59af9cc09fcb985f460fc7dad7dfe164a5bd173043e279506886aeff0014e263176ecdc2982148dcb1b2f5b1aa03ee2908f9b8c609c41ff9b23c7324d0cba7f21', '2026-11-17 06:42:01.69555+00');
INSERT INTO public.idempotent_answers VALUES ('\x46da4a2414324c909af7e5b8e36e7ceac1a3d44f8e07e9b7bea8729a2d0142c4', '\xe8a7fe383701564e099d90c92b3ffb5b6fea213e0d025f04dcdc7233842db495a66e252a3c46535e9194e59bb3c54293199f4760f63c9229d14351d601ccab1414f14717b64eaac56401c640307ac6df269868c57c9ae729090969b5b66d507e6de7cd84ff8f38a540f353c11f8513a9e6a85f291c3a9dafdb2a439696bf8b2539ac66728d65af0017a66e815131b3c84f0f2052a8e55031d7b1b47e39a38e26953b45af51b4074d92b376245b438f54587b98793a3a76e11c6af740c6de5179a0acbb5ded0b87b293da446740bcf066c17b2e6978b5931344ba15a753cbeddb73488ebcc2ead370a433e7d2a66c98f8aaa8b473865ded7e695893f80d6a88e1379eec07fa0ac2ab8c0677de997edb122379285ff06287066a0e5f8e817a8b063c1fd34065704de14c426b7c7922e46263e737c0', '2026-11-17 06:42:01.816396+00');
INSERT INTO public.idempotent_answers VALUES ('\x130165a26d20999a2c9bb8015413276441f493c870325cf4e1ba316993cde21d', '\xa344bb836c18a2f092184a59b72bb7e7577952100ae45c284a380ca885b18766b0adce78d6bd81928c13a7ca8a1b17f85acc081f5dcd142ee33efc2d882d6943c92b107ba467d1468d3965b778c8f177cac9631440fd6a1d58277209d988fdf1ae9fb375f3d880bb2b3e817e16f9fd30f8b80b80a58f4d00862562ca0584340f6c0320b02c35308812e5b8ac2ccac956c213740b1f74e0ff4edbe727454c394ba75e18b0c1a28264cbca039b87b1a74826fe670a3a350e36ceefc570d82105bdf1604b8820531fa08e14e8513bc3d140521f0bf3b8a76329b74fb3d444566c1f2f5cb21dcb88ad38ab820372aa04b7a6290dcd2654c7a0a61f114fa8dd2f05c3', '2026-11-17 06:42:01.975905+00');
INSERT INTO public.idempotent_answers VALUES ('\x0434e1c082e061950635f181cd2f362893a88765e830d682745532022c02090e', '\xa14f902b7a0642b0e19dd33eba8c1c16259cc2ad7e63ec7cce786c1c4743e46f3329cd0243632780c5c2f36732817810ad9c7de56a6eec60f6ba8e5a54229d54b25926a989d393f1e838b288dab8d8f10dc3a3c81b79fa2fb5b5c09ad9b3bd229b3cf2f32ea0e40739c6269a5bb7d5c555431d93f785ea89846cda4b7c9d18e9249bd4c12ef085faba5054e3756d4e537a8c6562c084e95118b70b3d8eee29a14db3ac452e684fa0ec39b4b96a7097c19126a79e6ef65c44873b68b2a30baf15579e9f7fe8e4cdb5e8885f4836f3b2959d6d24685baffca3ba3a83953d66fa47588ed114ec0dad2e74d3a3ec59ca7d7317a0032895f8325130ee44ff1cfa553c23a3ce57583e592d81762c1b005cebc6f46f102957178cd7c34349df2547f46a8eba4fe7bfee28cacf0df39f29a1d434b751a17affb1af402fdc2a9a', '2026-11-17 06:42:02.314546+00');
INSERT INTO public.idempotent_answers VALUES ('\x2136a3088ed3c373563eb8d4dc2c73e5e3423657b7136de715f2ecd168e821a6', '\x33a79666333fd22b474f2ad0965f5aa4623f4ec8290a94e49a95303000f302631633144f91da2dba1626d0f9da9ef718d18bd0449ecb891618013468d92e233361698c6f749daaeac473370a0eec5a046c7236f322e365a47e76c84dbd4e5ce8279be8c7a86b96f841bb598ae9d2e0baf10e5cb7cfaffd873e94e7664bafacd13e8c9a7d7e80b3c7ca8644bd012b3080d05a744669ebb504ca2c8b7fa6004911c3cc5d3f0f1b2f6a8a1921afe91c637e04cb3d09e62e296d4b1d2368c6f5f2f7c0536f40ede832de2ecda43fa3ba550c81f527bedc920168060e73a9e336c003b81db9f7b19e6a4d0595e177eb7c2d7200e1293420f29341d16ad0dd8b16f634c4b4', '2026-11-17 06:42:02.719653+00');
INSERT INTO public.idempotent_answers VALUES ('\xcd7b2060ad65b61445a40083813d31586afda8a075d8b00d1ef8f2471c6759cf', '\x9c956820e509a96d8aaaad249c2f11c1ba35b9389a1be43a267864a2a8202cdb7cdaa8bb8da91ff7c9425de85c123a670132cd679bdead81a4fa4cca59d42de12a126198a3ce009c0995c3462b5ab8fbba8c4da77779b62b0b9953693627c288b851cf5790e674f015e31d72209fd6c83d9b851c666122a6105fab', '2026-11-17 06:42:02.794448+00');
INSERT INTO public.idempotent_answers VALUES ('\x46c4927159a8248ad02a700f027e2693f55acae0c48eddf8b5048b5a233fd95b', '\x6fad0f24b921beb4687edf86da3711c69650ce3daa089ba969b49f6da03fa08170be65df73a599714db91102cad070a2b44671c8d1ebc184f74342eba20bb8ca56d824e1f43e1275caed2c3bc8ce00e91bfb4a537f81470c599fb1bede3e5edc063588e322f2cf0d5cd3a8f4f94098b8387438100b5c4226c6f797ee2b189281b30d1ccb3681d29d01ecde2e4c66ae5519293ac5b067e89117faf0c49e1985f90fb78d787e2fbf1cea7bc6ef9cda5c1fb5bb6538615a3555ec3e2693a89984628ae3e15bc4427221c4d28a8f4c925f7ecbab0a046c7da9c8976efd37606ddeeb37d62c32e87cfed4ba373a0c17c7f37443294500ca89f3b01657b1ca7edfa4b66633', '2026-11-17 06:42:02.869723+00');
INSERT INTO public.idempotent_answers VALUES ('\x4c48a7fcd74c2176608b3b0122cd8bdeb1ccfbf7991b474da1d931c95a7aefc1', '\xe2f91cff101437a09228151c1979cebcd1ef38b5d61696b5c80b79e2d495e003ffd96bcc3ea9e8151243dff27c1926164c3a0233daabf101e2a1815fe7a504fc8c793d0790bf02be1cce2a4421e65a2e5ca834ca6364', '2026-11-17 06:42:03.006529+00');
INSERT INTO public.idempotent_answers VALUES ('\x24241c1239d325061c04080fa407694f0b1bd0fcdb0290588e0871034d44d8e2', '\xd7129ba75a53f41589cf630a8659f76466f36cd03c034f72e77df6eedfadfd5f3df8b0d1d099bea17805d5d03b7f8ae6d50d8d607247fefaba7f75fe0583dfbe088ed90e7e0fbcf6ad78188c6a237d7d3cd1dac6041ae4af2f52d6b15e247916c9abcf7d00f4bbc784a4ba50fd6fd4f4b569f5ff99069876c7bd83f48c0a9e55cf0a74f6825a7ea3d62895ce9234dcef7d50766764e55435a3a6cbe9c67ad24653df661184a4eefaa1d4c1a714d405918383612e683126e35c88e41aeba39eb4c82fc9396601d3f57a057ac8ceca986c2009d8a6c79c0222da1a31de82b0dff136b0c2fb8ed19405a68bb7f7f8da1ff7ad26ceb451deeac06a08a20a515fd5', '2026-11-17 06:42:03.631204+00');
INSERT INTO public.idempotent_answers VALUES ('\x8ba291c9c5eced42308b67d1756fcc99297016dcd87095d5523943f42901b920', '\xfdd502f420d17a3321b9d4c4eed6956a9a9fb8d49fb306935cb1a49963f6c431224c0600bea172774195344340b45f5e9ee745419598ce8674fd25e8734c8a899df74ecc253baa6888da7d6f53d544d35c7421a2ef1a', '2026-11-17 06:42:03.791051+00');
INSERT INTO public.idempotent_answers VALUES ('\xfed32140956fc4522ad19ba524a280143e5adf14596f839396b2f2b58b7a48cf', '\x25575564f6e8e06b514350e1a63d6446616b8c05f9cec4d1e0b314f6359f5d3e8dc73266e29d3751e11485d96d9a0b29ce44390cf8c24f51a0ac78800f3a23efa47094e696c189e68d03edd54556f06a68f215c8a409ebbd8a5cdf140817131e114780bd617422eb168168a88e2d4a6b13e83d04ea2b39be', '2026-11-17 06:42:04.146849+00');
INSERT INTO public.idempotent_answers VALUES ('\x94cbd651a51d6ecf29d44e8d269ef449a1fd18746b913c851fdb2977b8cb6cb1', '\xff31dbca015ce1838d3e24aef6625668c52231956eb7297a11409af95ce609d60debf0a59e83f6659e0bee33e4348bd286a77793add44c2be8e59510ce13fecde4fe496b6da38a551b415be73706f3f4993727d113f573107abf9209784e5def8c3c82d1f657d21e27e155976e21fda677834eb20c16c24d500ae7a3154a4c2d05943a14f3370ed75523f05fcd2e6eb8404c15c6ea3905f664eb0d8a2bb3f377cfebfb18671e9b3409a00d0dfe4ab995327f070f566e28cb591349dc966a4776f81fb2400bc08d3176cbf8982e78267b8ef3ce24a6dc601dc57a10acf34ef73729cb8fcf075eff0774d08e0bb0614db4760a5c683f86672b44cd198c6f39ea8de8edfaca', '2026-11-17 06:42:04.205852+00');
INSERT INTO public.idempotent_answers VALUES ('\xb020fa1d2db05c8d15662a651f2f32749b87d9a871b972617e1f313ecc009192', '\xeaed471e38617e5c808d59f1448be2ba3f693b274362257096706a25df853f1ccf0323ac08dee3fb2b2ee0d4ec5dcff835ae800efe667a9e55f87560465cc542594d4ab14bcd86fad4eba8435bd86fcc3da43ab9e569', '2026-11-17 06:42:04.30955+00');


--
-- Data for Name: installation; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.installation VALUES ('secret fingerprint', '\x43ab55092842da95d0905ddee35255f2ff419452c9033943a8695f958c5b42fd');


--
-- Data for Name: rate_limits; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: schema_migrations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.schema_migrations VALUES ('0001-foundation.sql', '2026-11-16 06:41:49.320239+00');
INSERT INTO public.schema_migrations VALUES ('0002-webhooks.sql', '2026-11-16 06:41:49.549083+00');
INSERT INTO public.schema_migrations VALUES ('0003-calls.sql', '2026-11-16 06:41:49.744856+00');
INSERT INTO public.schema_migrations VALUES ('0004-steady-plans.sql', '2026-11-16 06:41:49.812037+00');
INSERT INTO public.schema_migrations VALUES ('0005-analysis.sql', '2026-11-16 06:41:49.844612+00');
INSERT INTO public.schema_migrations VALUES ('0006-browser-calls.sql', '2026-11-16 06:41:49.875575+00');
INSERT INTO public.schema_migrations VALUES ('0007-batches.sql', '2026-11-16 06:41:49.919464+00');
INSERT INTO public.schema_migrations VALUES ('0008-speech.sql', '2026-11-16 06:41:50.035257+00');
INSERT INTO public.schema_migrations VALUES ('0009-late-columns.sql', '2026-11-16 06:41:50.278579+00');


--
-- Data for Name: sessions; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.sessions VALUES ('\x3f3af1ecebbd1410ab417ec0d27bbfcb5d340e177ae159b59fc8626c2dfd9175', '01a1e317-345d-7624-a667-ff9f5d367a4c', '2026-11-16 06:42:10.181017+00', '2026-11-17 06:42:10.181017+00');


--
-- Data for Name: sign_in_links; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.sign_in_links VALUES ('\x7001b6ee6a97a3f250ff0c1b5893ce56bcb06d79427d09a889018827a1e21e47', '01a1e317-345d-7624-a667-ff9f5d367a4c', '2026-11-16 06:56:56.654+00');


--
-- Data for Name: speech_files; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.speech_files VALUES ('01a1e317-70c3-7990-8ba8-cde4ed8fb48c', '11111111-1111-4111-8111-111111111111', NULL, 'audio/wav', 32044, 1, '2026-11-16 06:42:06.662841+00', '2026-11-23 06:42:06.662841+00');


--
-- Data for Name: transcript_callbacks; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.transcript_callbacks VALUES ('01a1e317-7e2d-78cd-808a-3e3415e8e082', '01a1e317-710e-72e2-b5cf-8b6fa212099d', '11111111-1111-4111-8111-111111111111', 'http://127.0.0.1:41589/hook', '11111111-1111-4111-8111-111111111111 127.0.0.1:41589', '{"id":"01a1e317-7e2d-759a-a547-75f02fa01293","type":"transcript.completed","created_at":"2026-11-16T06:42:10.090Z","data":{"transcript_id":"01a1e317-710e-72e2-b5cf-8b6fa212099d","status":"completed","progress":1,"file_id":"01a1e317-70c3-7990-8ba8-cde4ed8fb48c","language":"en","language_confidence":0.9,"duration":1,"error":null,"metadata":{"order":7},"created_at":"2026-11-16T06:42:06.746Z","completed_at":"2026-11-16T06:42:10.090Z"}}', '2026-11-16 07:42:10.113106+00', NULL, 1);


--
-- Data for Name: transcript_notes; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.transcript_notes VALUES ('01a1e317-7e60-7b56-8b8d-cb38d02ae32e', 'heard', '{}');


--
-- Data for Name: transcripts; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.transcripts VALUES ('01a1e317-710e-72e2-b5cf-8b6fa212099d', '11111111-1111-4111-8111-111111111111', '01a1e317-70c3-7990-8ba8-cde4ed8fb48c', NULL, '{"diarize":false,"align":false,"keyterms":[]}', '{"order":7}', 'http://127.0.0.1:41589/hook', 'completed', NULL, NULL, 1, 1, 'en', 0.9, 1, '{"text":"one","speakers":[],"segments":[{"id":0,"start":0,"end":0.5,"speaker":null,"text":"one","confidence":0.8,"words":[]}],"translation":null}', NULL, '2026-11-16 06:42:06.74629+00', '2026-11-16 06:42:10.090755+00');
INSERT INTO public.transcripts VALUES ('a3d74ac4-7266-4533-89e1-f7e94dd1c7c9', '11111111-1111-4111-8111-111111111111', '01a1e317-70c3-7990-8ba8-cde4ed8fb48c', NULL, '{"diarize":false,"align":false,"keyterms":[]}', NULL, NULL, 'failed', NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, 'The sound could not be read.', '2026-11-16 06:42:10.181017+00', '2026-11-16 06:42:10.181017+00');
INSERT INTO public.transcripts VALUES ('01a1e317-7e60-7b56-8b8d-cb38d02ae32e', '11111111-1111-4111-8111-111111111111', '01a1e317-70c3-7990-8ba8-cde4ed8fb48c', NULL, '{"diarize":false,"align":false,"keyterms":[]}', NULL, NULL, 'processing', NULL, 119695334, 1, 0, NULL, NULL, NULL, NULL, NULL, '2026-11-16 06:42:10.14782+00', NULL);


--
-- Data for Name: user_workspaces; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: users; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.users VALUES ('01a1e317-345d-7624-a667-ff9f5d367a4c', 'admin@parley.example', 'scrypt$AmM36Nzt+b+18V8DVLS7yw==$HU2WXKlLo/Xg2UbWa3IkRX6wriMpMDZm0lahBmmO38w=', 'admin', '2026-11-16 06:41:51.793037+00', NULL);


--
-- Data for Name: webhooks; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.webhooks VALUES ('01a1e317-57b8-7160-9d76-e48062a22bac', '11111111-1111-4111-8111-111111111111', 'http://127.0.0.1:41589/hook', '{call.completed}', NULL, NULL, 'active', '\x6b0000cc13776317dae85f68ff4d26411f3a8460e02d945cbbd39ee3f1b81ecd8adfd1751a66f80b1cde3698d28aa9fe19eb7905152e92bc50ab4cb4e684510563c79a950032dea18d4c97c4c5bc', '2026-11-16 06:42:00.248+00', '2026-11-16 06:42:00.248+00', '2026-11-16 06:42:00.248+00');
INSERT INTO public.webhooks VALUES ('01a1e317-5812-7cb2-8fab-f362165fb560', '11111111-1111-4111-8111-111111111111', 'http://127.0.0.1:41589/hook', '{call.completed}', '01a1e317-56ca-717e-bf96-7839d9516bf5', NULL, 'disabled', '\xb7d704b0c6f75424f725903365f706501034249bd3ab811c8f96e2d1247232c9614a09bb41e54cbf3ef6547e5f5f34095e51880fa2f0d2834d4c098ebd28b6571ed4c42039320f73b91cc95d769c', '2026-11-16 06:42:00.338+00', '2026-11-16 06:42:00.338+00', '2026-11-16 06:42:00.367833+00');


--
-- Data for Name: workspaces; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.workspaces VALUES ('11111111-1111-4111-8111-111111111111', 'Default', '2026-11-16 06:41:50.359452+00');


--
-- Name: agents agents_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.agents
    ADD CONSTRAINT agents_pkey PRIMARY KEY (agent_id);


--
-- Name: api_key_access api_key_access_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.api_key_access
    ADD CONSTRAINT api_key_access_pkey PRIMARY KEY (api_key_id, workspace_id);


--
-- Name: api_keys api_keys_hash_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_hash_key UNIQUE (hash);


--
-- Name: api_keys api_keys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (api_key_id);


--
-- Name: batch_recipients batch_recipients_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.batch_recipients
    ADD CONSTRAINT batch_recipients_pkey PRIMARY KEY (batch_id, place);


--
-- Name: batches batches_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.batches
    ADD CONSTRAINT batches_pkey PRIMARY KEY (batch_id);


--
-- Name: call_events call_events_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.call_events
    ADD CONSTRAINT call_events_pkey PRIMARY KEY (session_id, seq);


--
-- Name: callback_secrets callback_secrets_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.callback_secrets
    ADD CONSTRAINT callback_secrets_pkey PRIMARY KEY (workspace_id);


--
-- Name: calls calls_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.calls
    ADD CONSTRAINT calls_pkey PRIMARY KEY (session_id);


--
-- Name: calls_to_analyse calls_to_analyse_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.calls_to_analyse
    ADD CONSTRAINT calls_to_analyse_pkey PRIMARY KEY (session_id);


--
-- Name: calls_to_tell calls_to_tell_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.calls_to_tell
    ADD CONSTRAINT calls_to_tell_pkey PRIMARY KEY (session_id);


--
-- Name: deliveries deliveries_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_pkey PRIMARY KEY (delivery_id);


--
-- Name: events events_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (event_id);


--
-- Name: idempotent_answers idempotent_answers_once; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.idempotent_answers
    ADD CONSTRAINT idempotent_answers_once PRIMARY KEY (cache_key);


--
-- Name: installation installation_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.installation
    ADD CONSTRAINT installation_pkey PRIMARY KEY (name);


--
-- Name: rate_limits rate_limits_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rate_limits
    ADD CONSTRAINT rate_limits_pkey PRIMARY KEY (key);


--
-- Name: schema_migrations schema_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (name);


--
-- Name: sessions sessions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (token_hash);


--
-- Name: sign_in_links sign_in_links_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sign_in_links
    ADD CONSTRAINT sign_in_links_pkey PRIMARY KEY (token_hash);


--
-- Name: speech_files speech_files_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.speech_files
    ADD CONSTRAINT speech_files_pkey PRIMARY KEY (file_id);


--
-- Name: transcript_callbacks transcript_callbacks_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.transcript_callbacks
    ADD CONSTRAINT transcript_callbacks_pkey PRIMARY KEY (delivery_id);


--
-- Name: transcript_notes transcript_notes_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.transcript_notes
    ADD CONSTRAINT transcript_notes_pkey PRIMARY KEY (transcript_id, name);


--
-- Name: transcripts transcripts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.transcripts
    ADD CONSTRAINT transcripts_pkey PRIMARY KEY (transcript_id);


--
-- Name: user_workspaces user_workspaces_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.user_workspaces
    ADD CONSTRAINT user_workspaces_pkey PRIMARY KEY (user_id, workspace_id);


--
-- Name: users users_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (user_id);


--
-- Name: webhooks webhooks_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhooks
    ADD CONSTRAINT webhooks_pkey PRIMARY KEY (webhook_id);


--
-- Name: workspaces workspaces_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.workspaces
    ADD CONSTRAINT workspaces_pkey PRIMARY KEY (workspace_id);


--
-- Name: agents_newest; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX agents_newest ON public.agents USING btree (workspace_id, created_at DESC, agent_id DESC);


--
-- Name: batch_recipients_waiting; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX batch_recipients_waiting ON public.batch_recipients USING btree (batch_id, timezone, due_at, place) WHERE (due_at IS NOT NULL);


--
-- Name: batches_newest; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX batches_newest ON public.batches USING btree (workspace_id, created_at DESC, batch_id DESC);


--
-- Name: batches_of_agent; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX batches_of_agent ON public.batches USING btree (agent_id) WHERE (completed_at IS NULL);


--
-- Name: batches_over; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX batches_over ON public.batches USING btree (completed_at) WHERE (completed_at IS NOT NULL);


--
-- Name: batches_running; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX batches_running ON public.batches USING btree (batch_id) WHERE (status = 'in_progress'::text);


--
-- Name: batches_scheduled; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX batches_scheduled ON public.batches USING btree (schedule_time) WHERE (status = 'scheduled'::text);


--
-- Name: calls_age; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX calls_age ON public.calls USING brin (created_at);


--
-- Name: calls_due; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX calls_due ON public.calls USING btree (workspace_id, due_at) WHERE (due_at IS NOT NULL);


--
-- Name: calls_live; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX calls_live ON public.calls USING btree (workspace_id, from_phone_number) INCLUDE (claimed_by) WHERE (claimed_by IS NOT NULL);


--
-- Name: calls_newest; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX calls_newest ON public.calls USING btree (workspace_id, created_at DESC, session_id DESC);


--
-- Name: calls_of_agent; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX calls_of_agent ON public.calls USING btree (workspace_id, agent_id, created_at DESC, session_id DESC);


--
-- Name: calls_of_batch; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX calls_of_batch ON public.calls USING btree (batch_id, created_at DESC, session_id DESC) WHERE (batch_id IS NOT NULL);


--
-- Name: calls_open_of_batch; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX calls_open_of_batch ON public.calls USING btree (batch_id) WHERE ((batch_id IS NOT NULL) AND (NOT finished));


--
-- Name: calls_to_analyse_due; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX calls_to_analyse_due ON public.calls_to_analyse USING btree (due_at);


--
-- Name: calls_to_join; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX calls_to_join ON public.calls USING btree (join_token) WHERE (join_token IS NOT NULL);


--
-- Name: calls_to_tell_due; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX calls_to_tell_due ON public.calls_to_tell USING btree (due_at);


--
-- Name: calls_unjoined; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX calls_unjoined ON public.calls USING btree (join_by) WHERE (join_by IS NOT NULL);


--
-- Name: calls_waiting; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX calls_waiting ON public.calls USING btree (workspace_id, COALESCE(from_phone_number, ''::text), due_at) WHERE (due_at IS NOT NULL);
ALTER INDEX public.calls_waiting ALTER COLUMN 2 SET STATISTICS 20;


--
-- Name: deliveries_age; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX deliveries_age ON public.deliveries USING brin (created_at);


--
-- Name: deliveries_lane; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX deliveries_lane ON public.deliveries USING btree (lane, due_at) WHERE (status = 'queued'::text);


--
-- Name: deliveries_newest; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX deliveries_newest ON public.deliveries USING btree (webhook_id, created_at DESC, delivery_id DESC);


--
-- Name: events_age; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX events_age ON public.events USING brin (created_at);


--
-- Name: idempotent_answers_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX idempotent_answers_expiry ON public.idempotent_answers USING brin (expires_at);


--
-- Name: sessions_user; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sessions_user ON public.sessions USING btree (user_id);


--
-- Name: speech_files_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX speech_files_expiry ON public.speech_files USING btree (expires_at);


--
-- Name: transcript_callbacks_lane; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX transcript_callbacks_lane ON public.transcript_callbacks USING btree (lane, due_at, delivery_id);


--
-- Name: transcripts_age; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX transcripts_age ON public.transcripts USING brin (created_at);


--
-- Name: transcripts_claimed; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX transcripts_claimed ON public.transcripts USING btree (workspace_id) INCLUDE (claimed_by, tries) WHERE (claimed_by IS NOT NULL);


--
-- Name: transcripts_newest; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX transcripts_newest ON public.transcripts USING btree (workspace_id, created_at DESC, transcript_id DESC);


--
-- Name: transcripts_of_file; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX transcripts_of_file ON public.transcripts USING btree (file_id) WHERE (file_id IS NOT NULL);


--
-- Name: transcripts_waiting; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX transcripts_waiting ON public.transcripts USING btree (workspace_id, due_at) WHERE (due_at IS NOT NULL);


--
-- Name: users_email; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX users_email ON public.users USING btree (lower(email));


--
-- Name: webhooks_newest; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhooks_newest ON public.webhooks USING btree (workspace_id, created_at DESC, webhook_id DESC);


--
-- Name: agents agents_gone; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER agents_gone AFTER DELETE ON public.agents FOR EACH ROW EXECUTE FUNCTION public.stop_batches_of_agent();


--
-- Name: batches batches_follow; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER batches_follow AFTER UPDATE OF status ON public.batches FOR EACH ROW WHEN ((new.status <> old.status)) EXECUTE FUNCTION public.follow_batch();


--
-- Name: call_events call_events_tell; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER call_events_tell AFTER INSERT ON public.call_events REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.tell_watching();


--
-- Name: calls calls_end; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER calls_end AFTER UPDATE OF finished ON public.calls FOR EACH ROW WHEN ((new.finished AND (NOT old.finished))) EXECUTE FUNCTION public.end_call();


--
-- Name: calls calls_rejoin; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER calls_rejoin AFTER UPDATE OF claimed_by ON public.calls FOR EACH ROW WHEN (((old.claimed_by IS NOT NULL) AND (new.due_at IS NOT NULL) AND (new.batch_id IS NOT NULL))) EXECUTE FUNCTION public.rejoin_batch();


--
-- Name: calls calls_settle; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER calls_settle AFTER UPDATE OF finished ON public.calls FOR EACH ROW WHEN ((new.finished AND (NOT old.finished) AND (new.batch_id IS NOT NULL))) EXECUTE FUNCTION public.settle_recipient();


--
-- Name: calls calls_tell; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER calls_tell AFTER INSERT OR UPDATE OF stop_asked_at ON public.calls FOR EACH STATEMENT EXECUTE FUNCTION public.tell_waiting();


--
-- Name: calls_to_analyse calls_to_analyse_tell; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER calls_to_analyse_tell AFTER INSERT ON public.calls_to_analyse FOR EACH STATEMENT EXECUTE FUNCTION public.tell_waiting();


--
-- Name: calls_to_tell calls_to_tell_tell; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER calls_to_tell_tell AFTER INSERT ON public.calls_to_tell FOR EACH STATEMENT EXECUTE FUNCTION public.tell_waiting();


--
-- Name: deliveries deliveries_tell; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER deliveries_tell AFTER INSERT ON public.deliveries FOR EACH STATEMENT EXECUTE FUNCTION public.tell_waiting();


--
-- Name: transcript_callbacks transcript_callbacks_tell; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER transcript_callbacks_tell AFTER INSERT ON public.transcript_callbacks FOR EACH STATEMENT EXECUTE FUNCTION public.tell_waiting();


--
-- Name: transcripts transcripts_end; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER transcripts_end AFTER UPDATE OF completed_at ON public.transcripts FOR EACH ROW WHEN (((new.completed_at IS NOT NULL) AND (old.completed_at IS NULL))) EXECUTE FUNCTION public.tell_transcript_end();


--
-- Name: transcripts transcripts_gone; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER transcripts_gone AFTER DELETE ON public.transcripts FOR EACH ROW EXECUTE FUNCTION public.tell_transcript_end();


--
-- Name: transcripts transcripts_tell; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER transcripts_tell AFTER INSERT ON public.transcripts FOR EACH STATEMENT EXECUTE FUNCTION public.tell_waiting();


--
-- Name: api_key_access api_key_access_api_key_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.api_key_access
    ADD CONSTRAINT api_key_access_api_key_id_fkey FOREIGN KEY (api_key_id) REFERENCES public.api_keys(api_key_id) ON DELETE CASCADE;


--
-- Name: api_key_access api_key_access_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.api_key_access
    ADD CONSTRAINT api_key_access_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id) ON DELETE CASCADE;


--
-- Name: api_keys api_keys_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id) ON DELETE CASCADE;


--
-- Name: callback_secrets callback_secrets_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.callback_secrets
    ADD CONSTRAINT callback_secrets_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id) ON DELETE CASCADE;


--
-- Name: calls_to_analyse calls_to_analyse_session_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.calls_to_analyse
    ADD CONSTRAINT calls_to_analyse_session_id_fkey FOREIGN KEY (session_id) REFERENCES public.calls(session_id) ON DELETE CASCADE;


--
-- Name: calls_to_tell calls_to_tell_session_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.calls_to_tell
    ADD CONSTRAINT calls_to_tell_session_id_fkey FOREIGN KEY (session_id) REFERENCES public.calls(session_id) ON DELETE CASCADE;


--
-- Name: sessions sessions_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(user_id) ON DELETE CASCADE;


--
-- Name: sign_in_links sign_in_links_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sign_in_links
    ADD CONSTRAINT sign_in_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(user_id) ON DELETE CASCADE;


--
-- Name: transcript_notes transcript_notes_transcript_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.transcript_notes
    ADD CONSTRAINT transcript_notes_transcript_id_fkey FOREIGN KEY (transcript_id) REFERENCES public.transcripts(transcript_id) ON DELETE CASCADE;


--
-- Name: user_workspaces user_workspaces_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.user_workspaces
    ADD CONSTRAINT user_workspaces_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(user_id) ON DELETE CASCADE;


--
-- Name: user_workspaces user_workspaces_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.user_workspaces
    ADD CONSTRAINT user_workspaces_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id) ON DELETE CASCADE;


--
-- PostgreSQL database dump complete
--


