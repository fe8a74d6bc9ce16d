-- Limits of a workspace on what it uses in a day, in UTC.

-- Minutes of running calls count from their dialling; what they cost is known when they have ended.
CREATE OR REPLACE FUNCTION used_today(workspace uuid) RETURNS TABLE (minutes numeric, cost numeric) LANGUAGE sql AS $$
  SELECT (coalesce(sum(u.duration_ms), 0) / 60000 + (
      SELECT coalesce(sum(extract(epoch FROM now() - c.call_initiated_time)), 0) / 60 FROM calls c
      WHERE c.workspace_id = workspace AND c.claimed_by IS NOT NULL))::numeric,
    coalesce(sum(u.cost), 0)
  FROM usage_rows u
  WHERE u.workspace_id = workspace AND u.dimension = 'all'
    AND u.at >= date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'
$$;

CREATE OR REPLACE FUNCTION add_notice(workspace uuid, what text, most numeric, used numeric) RETURNS void
LANGUAGE sql AS $$
  INSERT INTO workspace_notices (workspace_id, kind, day, most, used)
  VALUES (workspace, what, (now() AT TIME ZONE 'UTC')::date, most, used)
  ON CONFLICT (workspace_id, kind, day) DO NOTHING
$$;

-- The limit that stops new calls now, with a notice for the people of the workspace; null: none does.
CREATE OR REPLACE FUNCTION limit_reached(workspace uuid) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  w record;
  used record;
BEGIN
  SELECT minutes_per_day, cost_per_day INTO w FROM workspaces WHERE workspace_id = workspace;
  IF w.minutes_per_day IS NULL AND w.cost_per_day IS NULL THEN
    RETURN NULL;
  END IF;
  SELECT * INTO used FROM used_today(workspace);
  IF used.minutes >= w.minutes_per_day THEN
    PERFORM add_notice(workspace, 'minutes_per_day', w.minutes_per_day, used.minutes);
    RETURN 'minutes_per_day';
  END IF;
  IF used.cost >= w.cost_per_day THEN
    PERFORM add_notice(workspace, 'cost_per_day', w.cost_per_day, used.cost);
    RETURN 'cost_per_day';
  END IF;
  RETURN NULL;
END $$;
