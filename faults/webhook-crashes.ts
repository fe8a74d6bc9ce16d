// Disaster: kill -9 of the worker under deliveries, with its database killed or disconnected now and then. No event may
// be lost.
//   node faults/webhook-crashes.ts [kills]
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { killPostgres, whenGone } from '../bench/postgres-processes.ts'
import { median } from '../bench/rounds.ts'
import { type Endpoint, type Fixture, openFixture } from '../bench/webhook-fixture.ts'
import { type Db, statement } from '../server/src/platform/db/db.ts'
import { startCalling } from './webhook-callers.ts'
import { checkDeliveries, type Findings, isClean, type KillWindow } from './webhook-check.ts'
import { gatherEvidence } from './webhook-evidence.ts'

const defaultKills = 200
// A kill comes at any moment from the first deliveries after the start into the steady state.
const killAfterMs = { min: 50, max: 500 }
// The database is hit less often, and already in the second and third round, so that a short run covers both.
const everyRounds = 20
const databaseDies = 2
const databaseIsCutOff = 3
// A short backoff, so that retries happen within a worker's life; punctuality is measured elsewhere.
const settings = { PARLEY_WEBHOOK_BACKOFF_SECONDS: '0.2' }
// Percent refused, and the longest response time: long enough that the kill finds requests in progress.
const moods = ['moody/0/40', 'moody/20/40', 'moody/10/120'] as const
const targetRecoveryMs = 20_000
// The longest recovery: what is slower than the target is reported, what takes this long has failed.
const patienceMs = 120_000
const pollMs = 10
const sayEvery = 20

export interface FaultReport extends Findings {
  readonly kills: number
  readonly databaseKills: number
  readonly cuts: number
  /** Ends of calls repeated because the response never came. */
  readonly saidAgain: number
  /** From the time the service or its database was ready again to the first event created after the kill. */
  readonly recoveryMs: readonly number[]
}

export async function crashUnderDeliveries(kills: number, say: (line: string) => void): Promise<FaultReport> {
  const fixture = await openFixture(moods.length, settings)
  const blows: KillWindow[] = []
  const recoveryMs: number[] = []
  const count = { databaseKills: 0, cuts: 0 }
  try {
    let service = await fixture.start()
    const { agentIds, endpoints } = await furnish(fixture)
    const calling = startCalling(fixture.db, agentIds)
    const recovered = async (sinceMs: number, readyMs: number) =>
      recoveryMs.push(await firstSendMs(fixture, sinceMs, readyMs))
    try {
      for (let round = 1; round <= kills; round++) {
        await sleep(randomInt(killAfterMs.min, killAfterMs.max))
        const hit: number[] = []
        const fromMs = Date.now()
        if (round % everyRounds === databaseDies) {
          count.databaseKills++
          hit.push(...killPostgres(fixture.home.dataDir))
          // The order is random: the service restarts its database, or dies too and leaves that to the next one.
          if (randomInt(2) === 0) {
            await whenGone(hit)
            await whenAnswering(fixture.db)
            const readyMs = Date.now()
            blows.push({ fromMs, toMs: readyMs })
            await recovered(readyMs, readyMs)
          }
        } else if (round % everyRounds === databaseIsCutOff) {
          count.cuts++
          await cutAll(fixture.db)
          blows.push({ fromMs, toMs: Date.now() })
          await recovered(fromMs, fromMs)
        }
        await whenUnderWay(fixture)
        const killedMs = Date.now()
        await service.kill()
        await whenGone(hit)
        blows.push({ fromMs: Math.min(killedMs, fromMs), toMs: Date.now() })
        service = await fixture.start()
        await recovered(killedMs, Date.now())
        if (round % sayEvery === 0) say(`${round} kills, ${calling.acknowledged.size} calls acknowledged`)
      }
    } finally {
      await calling.stop()
    }
    const findings = checkDeliveries(await gatherEvidence(fixture, endpoints, calling.acknowledged, blows))
    return { ...findings, ...count, kills, saidAgain: calling.saidAgain(), recoveryMs }
  } finally {
    await fixture.close()
  }
}

/** Two endpoints for all calls, one for those of a single agent. */
async function furnish(fixture: Fixture): Promise<{ agentIds: string[]; endpoints: Endpoint[] }> {
  const agentIds = [await fixture.newAgent(), await fixture.newAgent()]
  const urls = moods.map((mood, nth) => `${fixture.sink.origins[nth]}/${mood}`)
  const [everybody, moody, ofOne] = urls as [string, string, string]
  const endpoints = [
    await fixture.newEndpoint(everybody),
    await fixture.newEndpoint(moody),
    await fixture.newEndpoint(ofOne, agentIds[0]),
  ]
  return { agentIds, endpoints }
}

/** The first arrival of an event created since then: publishing and sending both work again. */
async function firstSendMs({ sink }: Fixture, sinceMs: number, readyMs: number): Promise<number> {
  while (Date.now() < readyMs + patienceMs) {
    const first = await sink.firstMadeSince(sinceMs)
    if (first) return Math.max(0, first.atMs - readyMs)
    await sleep(pollMs)
  }
  return Number.POSITIVE_INFINITY
}

/** Waits until a request is under way: a kill without one proves nothing. */
async function whenUnderWay({ sink }: Fixture): Promise<void> {
  const giveUpAt = Date.now() + patienceMs
  while ((await sink.underWay()) === 0 && Date.now() < giveUpAt) await sleep(pollMs)
}

async function whenAnswering(db: Db): Promise<void> {
  const ping = statement('SELECT 1')
  const giveUpAt = Date.now() + patienceMs
  const answers = () =>
    db.rows(ping).then(
      () => true,
      () => false,
    )
  while (!(await answers())) {
    if (Date.now() > giveUpAt) throw new Error('the database does not come back')
    await sleep(pollMs)
  }
}

const terminate = statement(`
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`)

/** Ends all sessions of the database but the one that runs this. */
const cutAll = (db: Db) => db.rows(terminate)

export const isKept = (outcome: FaultReport): boolean =>
  isClean(outcome) && Math.max(...outcome.recoveryMs) <= targetRecoveryMs

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const startedAt = Date.now()
  const outcome = await crashUnderDeliveries(Number(process.argv[2] ?? defaultKills), console.error)
  const { recoveryMs, complaints } = outcome
  console.log(
    `${outcome.kills} times kill -9 of the worker, ${outcome.databaseKills} of PostgreSQL, ${outcome.cuts} cuts`,
  )
  console.log(
    `calls acknowledged ${outcome.acknowledged}, said again ${outcome.saidAgain}; ` +
      `deliveries ${outcome.delivered} delivered, ${outcome.failed} failed after three refusals`,
  )
  console.log(
    `ready to first send: median ${Math.round(median(recoveryMs))} ms, slowest ${Math.round(Math.max(...recoveryMs))} ms`,
  )
  console.log(`${Math.round((Date.now() - startedAt) / 1000)} s in all`)
  for (const complaint of complaints) console.log(complaint)
  console.log(
    `lost ${outcome.lost}, doubled ${outcome.doubled}, changed ${outcome.changed}, ` +
      `repeated ${outcome.repeated}, of these unexplained ${outcome.unexplained}`,
  )
  if (!isKept(outcome)) process.exitCode = 1
}
