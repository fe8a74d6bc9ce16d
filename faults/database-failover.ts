// Disaster: three PostgreSQL under Patroni, behind HAProxy and PgBouncer; the primary is killed with -9 and cut off from the
// network in turn. Nothing that was acknowledged may be lost, no call dialled twice, every event must arrive.
//   node faults/database-failover.ts [--rounds 20] [--logs folder]
// `--logs` keeps the logs of etcd, Patroni and PostgreSQL.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { onExit } from '../bench/cleanup-on-exit.ts'
import { median } from '../bench/rounds.ts'
import { answers, apiKey, type Child, freePort, startNode, workspaceId } from '../bench/service-process.ts'
import { openDb } from '../server/src/platform/db/db.ts'
import { type Cluster, startCluster } from './database-cluster.ts'
import { whatIsMissing } from './database-node.ts'
import type { DatabaseUrls } from './database-proxies.ts'
import { checkLoad, isClean, type MixedFindings } from './mixed-check.ts'
import { type MixedLoad, startLoad } from './mixed-load.ts'

const defaultRounds = '20'
const kinds = ['killed with -9', 'cut off from the network'] as const
// How long the load runs before the first fault: into the steady state.
const settleMs = 5_000
// A commit that was under way at the fault is acknowledged within this time; a new primary takes seconds.
const lastAcknowledgementsMs = 500
const failoverTimeoutMs = 180_000
const pollMs = 20

const program = fileURLToPath(new URL('../server/test/support/media-process.ts', import.meta.url))

interface FailoverReport extends MixedFindings {
  readonly rounds: readonly { readonly kind: string; readonly firstWriteMs: number }[]
  readonly refused: number
}

async function failOver(
  { rounds, logs }: { readonly rounds: number; readonly logs: string | undefined },
  say: (line: string) => void,
): Promise<FailoverReport> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-failover-'))
  const discard = onExit(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const cluster = await startCluster()
  const children: Child[] = []
  try {
    const dialLog = join(folder, 'dials')
    const start = async (roles: string) => {
      const { child, url } = await startProcess(cluster.urls, folder, dialLog, roles)
      children.push(child)
      return url
    }
    const urls = [await start('api'), await start('api')]
    for (let nth = 0; nth < 2; nth++) await start('worker,media')
    const load = await startLoad(urls)
    const results: FailoverReport['rounds'][number][] = []
    for (let round = 0; round < rounds; round++) {
      const kind = kinds[round % kinds.length] as (typeof kinds)[number]
      await cluster.whenWhole()
      await sleep(settleMs)
      const struckAt = new Date().toISOString()
      const firstWriteMs = await strike(cluster, load, kind)
      results.push({ kind, firstWriteMs })
      say(
        `round ${round + 1}, ${struckAt}: primary ${kind}, first write after ${(firstWriteMs / 1000).toFixed(1)} s`,
      )
    }
    await cluster.whenWhole()
    await load.stop()
    // The primary is asked directly and not through HAProxy: what counts is what the cluster agrees on.
    const db = openDb({ connectionString: await cluster.leaderUrl() }, 2, () => {})
    // The evidence is read last, because events arrive until everything is at rest.
    const findings = await checkLoad(db, dialLog, load.evidence())
    await db.close()
    load.close()
    return { ...findings, rounds: results, refused: load.refused }
  } finally {
    for (const child of children) await child.kill()
    if (logs !== undefined) cluster.keepLogs(logs)
    cluster.end()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    discard.cancel()
  }
}

/** Milliseconds from the fault to the first write that was acknowledged after it. */
async function strike(cluster: Cluster, load: MixedLoad, kind: (typeof kinds)[number]): Promise<number> {
  const primary = await cluster.leader()
  if (!primary) throw new Error('there is no primary')
  const struckAtMs = performance.now()
  if (kind === 'killed with -9') primary.kill()
  else primary.cutOff()
  const isAfter = (ms: number) => ms > struckAtMs + lastAcknowledgementsMs
  while (!(await cluster.leader(primary)) || !load.acknowledgedAtMs.some(isAfter)) {
    if (performance.now() - struckAtMs > failoverTimeoutMs)
      throw new Error(
        (await cluster.leader(primary)) ? 'nothing is written to the new primary' : 'there is no new primary',
      )
    await sleep(pollMs)
  }
  if (kind === 'killed with -9') primary.startPatroni()
  else primary.connect()
  return (load.acknowledgedAtMs.find(isAfter) ?? Number.NaN) - struckAtMs
}

async function startProcess(urls: DatabaseUrls, folder: string, dialLog: string, roles: string) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    HOST: '127.0.0.1',
    PORT: String(port),
    PARLEY_DATA_DIR: folder,
    PARLEY_ROLES: roles,
    PARLEY_LOG_FORMAT: 'json',
    PARLEY_SECRET: 'a secret for disasters only',
    PARLEY_WORKSPACE_ID: workspaceId,
    PARLEY_WORKSPACE_API_KEY: apiKey,
    PARLEY_RATE_LIMIT: '100000000',
    PARLEY_CALL_EVENT_DELAY_SECONDS: '0',
    PARLEY_WEBHOOK_ALLOW_PRIVATE: 'true',
    PARLEY_DATABASE_CONNECTIONS: '20',
    DATABASE_URL: urls.pooled,
    PARLEY_DATABASE_SESSION_URL: urls.sessions,
    PARLEY_DATABASE_READ_URL: urls.replicas,
  }
  const ready = () => answers(`${url}/readyz`)
  return { url, child: await startNode([program, dialLog], env, join(folder, 'service.log'), ready) }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = parseArgs({
    options: { rounds: { type: 'string', default: defaultRounds }, logs: { type: 'string' } },
  })
  const missing = whatIsMissing()
  if (missing) console.log(`Not run: ${missing}.`)
  else {
    const startedAt = Date.now()
    const outcome = await failOver({ rounds: Number(values.rounds), logs: values.logs }, console.error)
    const seconds = outcome.rounds.map(({ firstWriteMs }) => firstWriteMs / 1000)
    console.log(
      `acknowledged ${outcome.acknowledged}, calls dialled ${outcome.calls}, events ${outcome.events}, ` +
        `answers of 500 that were repeated ${outcome.refused}, events delivered again ${outcome.repeated}`,
    )
    const struck = (kind: string) => outcome.rounds.filter((round) => round.kind === kind).length
    console.log(`primaries ${kinds.map((kind) => `${kind}: ${struck(kind)}`).join(', ')}`)
    const each = outcome.rounds.map(({ kind }, at) => `${kind[0]} ${seconds[at]?.toFixed(1)}`)
    console.log(`seconds to the first write after each (k killed, c cut off): ${each.join(', ')}`)
    console.log(
      `first write after a failover: median ${median(seconds).toFixed(1)} s, most ${Math.max(...seconds).toFixed(1)} s`,
    )
    console.log(`${Math.round((Date.now() - startedAt) / 1000)} s in all`)
    for (const complaint of outcome.complaints.slice(0, 20)) console.log(complaint)
    console.log(
      `acknowledged writes lost ${outcome.lost}, calls doubled ${outcome.doubled}, calls given up ${outcome.givenUp}, ` +
        `deliveries lost ${outcome.undelivered}`,
    )
    if (!isClean(outcome)) process.exitCode = 1
  }
  process.exit()
}
