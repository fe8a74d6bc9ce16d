// Migrations: an installation of an earlier release keeps its data and gets the same schema as a new one.
import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { migrate, sqlFolder } from '../../src/platform/db/migrate.ts'
import { type EmptyDatabase, emptyDatabase } from '../support/database/empty-database.ts'
import { openReceiver } from '../support/receiver.ts'
import { scriptedRunner } from '../support/scripted-runner.ts'
import { openService, type TestDatabase } from '../support/service.ts'

const dumps = new URL('../dumps/', import.meta.url)

async function restore({ connection }: EmptyDatabase, name: string): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(await readFile(new URL(name, dumps), 'utf8'))
  await client.end()
}

/** The whole schema, as PostgreSQL itself describes it. */
async function schemaOf(database: TestDatabase): Promise<string[]> {
  const rows = await database.query<{ line: string }>(`
    SELECT format('column %s.%s %s %s null:%s default:%s stats:%s storage:%s%s', c.relname, a.attname,
      a.attnum, format_type(a.atttypid, a.atttypmod), NOT a.attnotnull, pg_get_expr(d.adbin, d.adrelid),
      coalesce(a.attstattarget, -1), a.attstorage, a.attcompression) AS line
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid LEFT JOIN pg_attrdef d ON (d.adrelid, d.adnum) = (c.oid, a.attnum)
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'i', 'p', 'I') AND a.attnum > 0 AND NOT a.attisdropped
    UNION ALL
    SELECT format('table %s %s %s %s', relname, relpersistence, reloptions, pg_get_expr(relpartbound, oid)) FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
    UNION ALL
    SELECT 'index ' || pg_get_indexdef(indexrelid) FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
    WHERE relnamespace = 'public'::regnamespace
    UNION ALL
    SELECT format('constraint %s on %s %s', conname, conrelid::regclass, pg_get_constraintdef(oid)) FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace
    UNION ALL
    SELECT 'function ' || pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    UNION ALL
    SELECT 'trigger ' || pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal`)
  return rows.map(({ line }) => line).toSorted()
}

let database: EmptyDatabase
let folder: string
beforeEach(async () => {
  database = await emptyDatabase()
  folder = await mkdtemp(join(tmpdir(), 'parley-sql-'))
  await cp(sqlFolder, folder, { recursive: true })
})
afterEach(async () => {
  await database.close()
  await rm(folder, { recursive: true, force: true })
})

const migrateFrom = () => migrate(database.connection, pathToFileURL(`${folder}/`))
const write = (name: string, sql: string) => writeFile(join(folder, 'functions', name), sql)
const greeting = (words: string) =>
  `CREATE OR REPLACE FUNCTION greeting() RETURNS text LANGUAGE sql AS $$ SELECT '${words}' $$;`
const greets = async () => (await database.query<{ said: string }>('SELECT greeting() AS said'))[0]?.said

describe('files of functions', () => {
  it('are applied with the migrations, and then only when they change', async () => {
    expect(await migrateFrom()).toEqual(
      expect.arrayContaining(['0001-foundation.sql', 'functions/end-call.sql', 'functions/must-apply.sql']),
    )
    expect(await migrateFrom()).toEqual([])
    await write('greeting.sql', greeting('hello'))
    expect(await migrateFrom()).toEqual(['functions/greeting.sql'])
    await write('greeting.sql', greeting('good morning'))
    expect(await migrateFrom()).toEqual(['functions/greeting.sql'])
    expect(await greets()).toBe('good morning')
  })

  it('of an older release do not replace those of a newer one', async () => {
    await write('greeting.sql', greeting('older'))
    await migrateFrom()
    await write('greeting.sql', greeting('newer'))
    await migrateFrom()
    await write('greeting.sql', greeting('older'))
    expect(await migrateFrom()).toEqual([])
    expect(await greets()).toBe('newer')
  })

  it('are not applied to a database whose tables belong to a newer release', async () => {
    await migrateFrom()
    await database.query("INSERT INTO schema_migrations (name) VALUES ('9999-of-the-future.sql')")
    await write('greeting.sql', greeting('older'))
    expect(await migrateFrom()).toEqual([])
  })

  it('are applied atomically', async () => {
    await write('a-good-one.sql', greeting('hello'))
    await write(
      'b-bad-one.sql',
      'CREATE OR REPLACE FUNCTION broken() RETURNS text LANGUAGE nonsense AS $$ $$;',
    )
    await expect(migrateFrom()).rejects.toThrow('functions/b-bad-one.sql failed')
    expect(await database.query("SELECT 1 FROM pg_proc WHERE proname IN ('greeting', 'must_apply')")).toEqual(
      [],
    )
    expect(await database.query('SELECT 1 FROM schema_functions')).toEqual([])
  })

  it('are applied once when several processes start at the same time', async () => {
    const applied = await Promise.all([migrateFrom(), migrateFrom(), migrateFrom()])
    expect(applied.filter((names) => names.length > 0)).toHaveLength(1)
  })

  it('are replaced during writes to their tables', async () => {
    await migrateFrom()
    const insert = () =>
      database.query(
        `
        INSERT INTO calls (session_id, workspace_id, agent_id) VALUES ($1, $1, $1)`,
        [randomUUID()],
      )
    let over = false
    const writer = async () => {
      let written = 0
      while (!over) {
        await insert()
        written++
      }
      return written
    }
    const writers = [writer(), writer(), writer()]
    const text = await readFile(join(folder, 'functions', 'wake-workers.sql'), 'utf8')
    for (let round = 0; round < 5; round++) {
      await write('wake-workers.sql', `${text}-- ${round}\n`)
      expect(await migrateFrom()).toEqual(['functions/wake-workers.sql'])
    }
    over = true
    for (const written of await Promise.all(writers)) expect(written).toBeGreaterThan(0)
  })

  it('define every function and trigger of a database, and nothing else', async () => {
    await migrateFrom()
    const files = (await readdir(join(folder, 'functions'))).filter((name) => name.endsWith('.sql'))
    const text = (
      await Promise.all(files.map((name) => readFile(join(folder, 'functions', name), 'utf8')))
    ).join('\n')
    const made = (kind: string) =>
      [
        // One may be written twice, for two versions of PostgreSQL.
        ...new Set(
          [...text.matchAll(new RegExp(`^ *CREATE OR REPLACE ${kind} (\\w+)`, 'gm'))].map(([, name]) => name),
        ),
      ].toSorted()
    const functions = await database.query<{ name: string }>(
      // Procedures belong to the migrations.
      "SELECT proname AS name FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prokind = 'f' ORDER BY 1",
    )
    expect(functions.map(({ name }) => name)).toEqual(made('FUNCTION'))
    const triggers = await database.query<{ name: string }>(
      'SELECT tgname AS name FROM pg_trigger WHERE NOT tgisinternal AND tgparentid = 0 ORDER BY 1',
    )
    expect(triggers.map(({ name }) => name)).toEqual(made('TRIGGER'))
  })
})

describe('an installation of an earlier release', () => {
  it('gets the schema of a new one', async () => {
    const fresh = await emptyDatabase()
    await migrate(fresh.connection)
    await restore(database, 'release-0.1.sql')
    const before = await schemaOf(database)
    await migrate(database.connection)
    const after = await schemaOf(database)
    expect(after).toEqual(await schemaOf(fresh))
    expect(after).not.toEqual(before)
    await fresh.close()
  })

  it('continues its calls, batches, webhooks and transcripts', async () => {
    await restore(database, 'release-0.1.sql')
    const receiver = await openReceiver()
    // Everything that was pending in the dump is due now; what was scheduled for a later day still is.
    await database.query(`
      UPDATE batches SET schedule_time = now() + interval '1 day' WHERE status = 'scheduled';
      UPDATE webhooks SET url = '${receiver.url}';
      UPDATE deliveries SET due_at = now() WHERE status = 'queued';
      UPDATE calls_to_tell SET due_at = now();
      UPDATE batch_recipients SET due_at = now() WHERE due_at IS NOT NULL`)
    const runner = scriptedRunner(20)
    const env = {
      PARLEY_WEBHOOK_ALLOW_PRIVATE: 'true',
      PARLEY_CALL_EVENT_DELAY_SECONDS: '0',
      PARLEY_DRAIN_SECONDS: '0',
    }
    const service = await openService(env, database, () => runner)
    const named = async (name: string) =>
      (
        await database.query<{ batch_id: string; status: string }>(
          'SELECT batch_id, status FROM batches WHERE name = $1',
          [name],
        )
      )[0] as { batch_id: string; status: string }
    const events = async () =>
      (await database.query<{ count: number }>('SELECT count(*)::int FROM events'))[0]?.count ?? 0
    const told = await events()

    // That release could only simulate, so what waits and what was listed is marked so.
    const unmarked = "SELECT 1 FROM calls WHERE call_type = 'outbound' AND NOT finished AND provider IS NULL"
    expect(await database.query(unmarked)).toEqual([])
    const { data: batches } = (await service.ask('GET', '/batch-calls')).body.data
    for (const batch of batches) expect(batch.sandbox_count, batch.name).toBe(batch.recipient_count)

    // A delivery that was refused before the dump, and the event of a call that had ended.
    await expect.poll(() => receiver.received.length).toBeGreaterThanOrEqual(2)
    await expect.poll(events).toBeGreaterThan(told)

    // Calls whose process is gone end as lost; secrets can still be decrypted.
    const lost = () => database.query("SELECT 1 FROM calls WHERE hangup_reason = 'worker_lost'")
    await expect.poll(async () => (await lost()).length).toBeGreaterThanOrEqual(3)
    const [keyed] = await database.query<{ agent_id: string }>(
      'SELECT agent_id FROM agents WHERE secrets IS NOT NULL',
    )
    const body = { agent_id: keyed?.agent_id, to_phone_number: '+15550100', metadata: { script: [] } }
    const { session_id } = (await service.ask('POST', '/calls', { body })).body.data
    await expect
      .poll(async () => (await service.ask('GET', `/call/detail/${session_id}`)).body.data.call_status)
      .toBe('completed')
    const plan = runner.plans.find(({ sessionId }) => sessionId === session_id)
    expect(JSON.stringify(plan)).toContain('sk-live-0123456789abcdef')

    // Batches continue, each from its own state.
    const hurry = async () => {
      // Retries are a minute apart.
      await database.query('UPDATE batch_recipients SET due_at = now() WHERE due_at > now()')
      for (const id of runner.live) await service.ask('POST', `/calls/${id}/stop`)
    }
    await service.ask('POST', `/batch-calls/${(await named('paused')).batch_id}/resume`)
    await service.ask('POST', `/batch-calls/${(await named('created')).batch_id}/execute`)
    for (const name of ['in progress', 'paused', 'created']) {
      await expect
        .poll(() => hurry().then(async () => (await named(name)).status), { interval: 200 })
        .toBe('completed')
    }
    expect((await named('cancelled')).status).toBe('cancelled')
    expect((await named('scheduled')).status).toBe('scheduled')

    // A transcript in progress is resumed and ends; its file is not part of the dump.
    await expect
      .poll(
        async () => (await database.query("SELECT 1 FROM transcripts WHERE status = 'processing'")).length,
      )
      .toBe(0)
    await service.close()
    await receiver.close()
  })
})
