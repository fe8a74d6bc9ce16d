// One real PostgreSQL for the whole run, and a migrated template from which each service gets a database of its own.
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../../src/platform/db/embedded-postgres.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { pidOf } from '../../src/platform/db/postmaster-pid.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresSocket: string
  }
}

export const template = 'parley_template'

// Databases that are killed in tests belong to services of their own and keep their settings.
const forManyShortLives = {
  // Nothing here has to survive a crash of the machine, so that nothing waits for its disk.
  fsync: 'off',
  full_page_writes: 'off',
  // A pool for each service of each worker.
  max_connections: '200',
  // Autovacuum starts a process for each database; most are dropped before there is anything to clean.
  autovacuum: 'off',
}

// The files of a database are many and small, and most of making one goes into the file system.
const memory = '/dev/shm'
const neededBytes = 4 * 1024 ** 3

/** In memory, where there is room for it. */
async function folderOfFolders(): Promise<string> {
  const room = await statfs(memory).catch(() => undefined)
  return room && room.bavail * room.bsize >= neededBytes ? memory : tmpdir()
}

/**
 * As a real-time process, which its sessions inherit, as far as this user may. Linux gives each session of PostgreSQL
 * a scheduling group of its own, and Linux 6.18 can let a group wait for seconds beside one whose load changes all
 * the time, as the load of calls beside a busy loop does: three sessions that wait are a whole pool.
 */
function runBeforeOthers(postgresFolder: string): void {
  const pid = pidOf(postgresFolder)
  if (pid !== undefined) spawnSync('chrt', ['--rr', '--pid', '1', String(pid)])
}

export default async function setup(project: TestProject) {
  // `make check` needs no database.
  if (project.vitest.projects.every(({ name }) => name === 'unit' || name === 'dashboard')) return undefined
  const folder = await mkdtemp(join(await folderOfFolders(), 'parley-test-'))
  const postgres = await startEmbeddedPostgres(folder, forManyShortLives)
  runBeforeOthers(join(folder, 'postgres'))
  const client = new pg.Client(postgres.connection)
  await client.connect()
  await client.query(`CREATE DATABASE ${template}`)
  await client.end()
  await migrate({ ...postgres.connection, database: template })
  project.provide('postgresSocket', String(postgres.connection.host))
  return async () => {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
