-- A write that counts on a row being in a certain state, joined with others in one statement, undoes all of them when
-- the row was not. The state is PY001; see guardedStatement in platform/db/statement.ts.
CREATE OR REPLACE FUNCTION must_apply(applied bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF applied = 0 THEN
    RAISE EXCEPTION 'the row is not in the state that this write counts on' USING ERRCODE = 'PY001';
  END IF;
END $$;
