-- A write that expects a row in a certain state, combined with others in one statement: if no row is in that state, all
-- of them are undone. The SQLSTATE is PY001; see guardedStatement in platform/db/statement.ts.
CREATE OR REPLACE FUNCTION must_apply(applied bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF applied = 0 THEN
    RAISE EXCEPTION 'the row is not in the state that this write counts on' USING ERRCODE = 'PY001';
  END IF;
END $$;
