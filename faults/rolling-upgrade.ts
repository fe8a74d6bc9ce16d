// A rolling upgrade from the last release under load: one process after the other is replaced, on one database. Nothing may
// be lost, and no request refused.
//   node faults/rolling-upgrade.ts [--processes 2] [--seconds 10]
// of each kind; of load before, between and after.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { answers, apiKey, type Child, freePort, startNode, workspaceId } from '../bench/service-process.ts'
import { openDb } from '../server/src/platform/db/db.ts'
import { startEmbeddedPostgres } from '../server/src/platform/db/embedded-postgres.ts'
import { waitUntil } from '../server/test/support/wait-until.ts'
import { noHaproxy, startBalancer } from './api-balancer.ts'
import { noLastRelease, unpackLastRelease } from './last-release.ts'
import { checkLoad, isClean, type MixedFindings } from './mixed-check.ts'
import { startLoad } from './mixed-load.ts'
import { within } from './within.ts'

const options = {
  processes: { type: 'string', default: '2' },
  seconds: { type: 'string', default: '10' },
} as const
// The drain time: longer than the longest of the calls.
const drainSeconds = 60
const thisRelease = fileURLToPath(new URL('..', import.meta.url))

/** Why the upgrade cannot be run here; undefined if it can. */
const noUpgrade = noLastRelease ?? noHaproxy

interface UpgradeReport extends MixedFindings {
  /** The roles of the processes that were replaced, in order. */
  readonly replaced: readonly string[]
  /** The last release's version, from its package.json. */
  readonly oldVersion: string
  readonly refused: number
  readonly refusals: ReadonlyMap<string, number>
}

async function rollingUpgrade(
  processes: number,
  steadyMs: number,
  say: (line: string) => void,
): Promise<UpgradeReport> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-upgrade-'))
  const old = unpackLastRelease()
  const postgres = await startEmbeddedPostgres(folder)
  const running = new Set<Child>()
  const dialLog = join(folder, 'dials')

  const start = async (release: string, roles: string, port: number): Promise<Child> => {
    const env = { ...settings(folder), PORT: String(port), PARLEY_ROLES: roles }
    const program = join(release, 'server/test/support/media-process.ts')
    const ready = () => answers(`http://127.0.0.1:${port}/readyz`)
    const child = await startNode([program, dialLog], env, join(folder, 'service.log'), ready)
    running.add(child)
    return child
  }
  const end = async (child: Child) => {
    await within(drainSeconds + 60, 'an old process that stops', child.stop())
    running.delete(child)
  }

  try {
    const roles = ['api', 'worker,media'].flatMap((role) => Array.from({ length: processes }, () => role))
    const ports = { old: await freePorts(roles.length), new: await freePorts(roles.length) }
    const balancer = await startBalancer(folder, [
      ...ports.old.slice(0, processes),
      ...ports.new.slice(0, processes),
    ])
    const before: Child[] = []
    const replaced: string[] = []
    for (const [at, role] of roles.entries()) before.push(await start(old.folder, role, ports.old[at] ?? 0))
    const ready = async () => ((await answers(`${balancer.url}/readyz`)) ? true : undefined)
    await waitUntil(ready, () => 'the balancer has found the processes')
    const load = await startLoad([balancer.url])
    await sleep(steadyMs)
    for (const [at, role] of roles.entries()) {
      await start(thisRelease, role, ports.new[at] ?? 0)
      say(`${role}: the new process is ready beside the old one`)
      await sleep(steadyMs)
      await end(before[at] as Child)
      replaced.push(role)
      say(`${role}: the old process has ended`)
    }
    await sleep(steadyMs)
    await load.stop()
    const db = openDb(postgres.connection, 2, () => {})
    const findings = await checkLoad(db, dialLog, load.evidence())
    await db.close()
    load.close()
    balancer.stop()
    const { refused, refusals } = load
    return { ...findings, refused, refusals, replaced, oldVersion: versionOf(old.folder) }
  } finally {
    for (const child of running) await child.kill()
    await postgres.stop()
    old.remove()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

const versionOf = (folder: string): string =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version

const settings = (folder: string) => ({
  HOST: '127.0.0.1',
  PARLEY_DATA_DIR: folder,
  PARLEY_LOG_FORMAT: 'json',
  PARLEY_SECRET: 'a secret for disasters only',
  PARLEY_WORKSPACE_ID: workspaceId,
  PARLEY_WORKSPACE_API_KEY: apiKey,
  PARLEY_RATE_LIMIT: '100000000',
  PARLEY_CALL_EVENT_DELAY_SECONDS: '0',
  PARLEY_WEBHOOK_ALLOW_PRIVATE: 'true',
  PARLEY_DRAIN_SECONDS: String(drainSeconds),
  PARLEY_DATABASE_CONNECTIONS: '10',
  DATABASE_URL: `postgresql://parley@${encodeURIComponent(join(folder, 'run'))}/postgres`,
})

async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>()
  while (ports.size < count) ports.add(await freePort())
  return [...ports]
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  if (noUpgrade) console.log(`Not run: ${noUpgrade}.`)
  else {
    const { values } = parseArgs({ options })
    const steadyMs = 1000 * Number(values.seconds)
    const outcome = await rollingUpgrade(Number(values.processes), steadyMs, console.error)
    const byRole = Map.groupBy(outcome.replaced, (role) => role)
    const counts = [...byRole].map(([role, { length }]) => `${length} of ${role}`)
    console.log(
      `processes replaced: ${counts.join(', ')}; from ${outcome.oldVersion} to ${versionOf(thisRelease)}`,
    )
    console.log(
      `acknowledged ${outcome.acknowledged}, calls dialled ${outcome.calls}, events ${outcome.events}, ` +
        `events delivered again ${outcome.repeated}`,
    )
    for (const [reason, times] of outcome.refusals) console.log(`refused: ${reason}, ${times} times`)
    for (const complaint of outcome.complaints.slice(0, 20)) console.log(complaint)
    console.log(
      `refused ${outcome.refused}, acknowledged and lost ${outcome.lost}, calls doubled ${outcome.doubled}, ` +
        `calls given up ${outcome.givenUp}, deliveries lost ${outcome.undelivered}`,
    )
    if (!isClean(outcome) || outcome.refused > 0) process.exitCode = 1
  }
}
