// One real PostgreSQL for the whole run, and a migrated template from which each service gets a database of its own.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../../src/platform/db/embedded-postgres.ts'
import { migrate } from '../../src/platform/db/migrate.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresSocket: string
  }
}

export const template = 'parley_template'

// Nothing here has to survive a crash of the machine, so that nothing waits for its disk. Databases that are killed in tests
// belong to services of their own and keep their settings.
const withoutDisk = ['ALTER SYSTEM SET fsync = off', 'ALTER SYSTEM SET full_page_writes = off']

export default async function setup(project: TestProject) {
  // `make check` needs no database.
  if (project.vitest.projects.every(({ name }) => name === 'unit')) return undefined
  const folder = await mkdtemp(join(tmpdir(), 'parley-test-'))
  const postgres = await startEmbeddedPostgres(folder)
  const client = new pg.Client(postgres.connection)
  await client.connect()
  for (const setting of withoutDisk) await client.query(setting)
  await client.query('SELECT pg_reload_conf()')
  await client.query(`CREATE DATABASE ${template}`)
  await client.end()
  await migrate({ ...postgres.connection, database: template })
  project.provide('postgresSocket', String(postgres.connection.host))
  return async () => {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
