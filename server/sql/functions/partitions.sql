-- Partitions of tables whose ids are in order of time: which there are, new ones, and how the first gets a bound. Who calls
-- these bounds how long they wait for locks: platform/retention/partitions.ts.

-- The smallest id of a moment, and the moment of an id.
CREATE OR REPLACE FUNCTION id_at(moment timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (lpad(to_hex((extract(epoch FROM moment) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;
CREATE OR REPLACE FUNCTION time_of_id(id uuid) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT to_timestamp(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 1000.0)
$$;

-- In order of time; null: no bound. The default partition has neither bound.
CREATE OR REPLACE FUNCTION partitions_of(parent text)
RETURNS TABLE (name text, from_id uuid, to_id uuid, is_default boolean) LANGUAGE sql STABLE AS $$
  SELECT c.relname::text, substring(bound FROM $r$FROM \('([0-9a-f-]{36})'\)$r$)::uuid,
    substring(bound FROM $r$TO \('([0-9a-f-]{36})'\)$r$)::uuid, bound = 'DEFAULT'
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid, pg_get_expr(c.relpartbound, c.oid) AS bound
  WHERE i.inhparent = parent::regclass
  ORDER BY 4, 2 NULLS FIRST
$$;

-- A partition has the storage settings of its siblings. Columns, indexes and triggers are those of the table anyway.
CREATE OR REPLACE FUNCTION take_settings(partition text, sibling text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  setting text;
  found record;
BEGIN
  FOREACH setting IN ARRAY coalesce((SELECT reloptions FROM pg_class WHERE oid = sibling::regclass), '{}') LOOP
    EXECUTE format('ALTER TABLE %I SET (%s)', partition, setting);
  END LOOP;
  FOR found IN SELECT attname, coalesce(attstattarget, -1) AS target FROM pg_attribute
    WHERE attrelid = sibling::regclass AND attnum > 0 AND NOT attisdropped LOOP
    EXECUTE format('ALTER TABLE %I ALTER COLUMN %I SET STATISTICS %s', partition, found.attname, found.target);
  END LOOP;
  -- An index over an expression has statistics of its own.
  FOR found IN SELECT indexrelid::regclass AS index, key.nth FROM pg_index, unnest(indkey::int2[]) WITH ORDINALITY AS key(attnum, nth)
    WHERE indrelid = partition::regclass AND key.attnum = 0 AND key.nth <= indnkeyatts LOOP
    EXECUTE format('ALTER INDEX %s ALTER COLUMN %s SET STATISTICS 20', found.index, found.nth);
  END LOOP;
END $$;

-- The partition from one moment to another, with what of it was caught by the default partition.
CREATE OR REPLACE FUNCTION add_partition(parent text, id text, since timestamptz, until timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  made text := parent || to_char(since AT TIME ZONE 'UTC', '_YYYYMMDD');
  sibling text := (SELECT name FROM partitions_of(parent) WHERE NOT is_default ORDER BY to_id DESC LIMIT 1);
BEGIN
  EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL)', made, parent);
  PERFORM take_settings(made, sibling);
  EXECUTE format('WITH caught AS (DELETE FROM %I WHERE %I >= %L AND %I < %L RETURNING *) INSERT INTO %I SELECT * FROM caught',
    parent || '_default', id, id_at(since), id, id_at(until), made);
  EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', parent, made, id_at(since), id_at(until));
END $$;

-- The bound that a check announces, null if there is none.
CREATE OR REPLACE FUNCTION announced_bound(parent text) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT time_of_id(substring(pg_get_constraintdef(oid) FROM $r$'([0-9a-f-]{36})'$r$)::uuid)
  FROM pg_constraint WHERE conrelid = to_regclass(parent || '_first') AND conname = parent || '_until'
$$;

-- Before the first partition is bounded: a check that is not validated yet concerns new rows only, and takes no time. One
-- with the same bound stays, and with it its validation.
CREATE OR REPLACE FUNCTION announce_bound(parent text, id text, until timestamptz) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF announced_bound(parent) = time_of_id(id_at(until)) THEN
    RETURN;
  END IF;
  EXECUTE format('ALTER TABLE %I DROP CONSTRAINT IF EXISTS %I', parent || '_first', parent || '_until');
  EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I CHECK (%I < %L) NOT VALID', parent || '_first', parent || '_until', id, id_at(until));
END $$;

-- Gives the first partition its bound, and the table a default partition. The check makes it unnecessary to read the rows.
CREATE OR REPLACE FUNCTION bound_first(parent text, until timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  first text := parent || '_first';
  rest text := parent || '_default';
BEGIN
  EXECUTE format('ALTER TABLE %I DETACH PARTITION %I', parent, first);
  EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%L)', parent, first, id_at(until));
  EXECUTE format('ALTER TABLE %I DROP CONSTRAINT %I', first, parent || '_until');
  EXECUTE format('CREATE TABLE %I PARTITION OF %I DEFAULT', rest, parent);
  PERFORM take_settings(rest, first);
END $$;
