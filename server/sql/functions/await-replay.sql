-- Waits until this server has replayed the log up to `target`, which is a position of the primary. Used on replicas.
CREATE OR REPLACE FUNCTION await_replay(target pg_lsn, most_ms integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  give_up_at timestamptz := clock_timestamp() + most_ms * interval '1 millisecond';
BEGIN
  -- A replica that became the primary has its own log.
  WHILE coalesce(
    CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_flush_lsn() END < target, true)
  LOOP
    IF clock_timestamp() > give_up_at THEN
      RAISE EXCEPTION 'the replica is behind' USING ERRCODE = 'PY002';
    END IF;
    PERFORM pg_sleep(0.002);
  END LOOP;
END $$;
