// Disaster: kill -9 under write load, again and again. No acknowledged agent may be lost and no request executed twice.
//   node faults/kill-under-writes.ts [rounds]
import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { killPostgres, whenGone } from '../bench/postgres-processes.ts'
import { median } from '../bench/rounds.ts'
import { type Child, type Home, makeHome, startService } from '../bench/service-process.ts'
import { type AgentsClient, agentsClient } from './agents-client.ts'
import { checkAgents, type Findings } from './check-agents.ts'
import { Ledger } from './ledger.ts'
import { askAgain, settle, startWriting } from './writers.ts'

const defaultRounds = 200
// A kill comes at any moment from the first burst after the start into the steady state.
const killAfterMs = { min: 20, max: 320 }
// The database dies less often than the service, and its recovery takes longer. Already in the second round, so that a
// short run covers it.
const databaseDies = { every: 5, first: 2 }
const checkEvery = 20
// Requests in progress at the kill or shortly before: as many as there are writers.
const askedAgain = 16

export interface FaultReport extends Findings {
  readonly rounds: number
  readonly databaseKills: number
  readonly retried: number
  readonly restartMs: readonly number[]
  readonly recoveryMs: readonly number[]
}

export async function killUnderWrites(rounds: number, say: (line: string) => void): Promise<FaultReport> {
  const home = await makeHome()
  const ledger = new Ledger(randomUUID)
  const restartMs: number[] = []
  const recoveryMs: number[] = []
  let worst = { lost: 0, doubled: 0 }
  let checked = 0
  let alive: Child | undefined
  try {
    for (let round = 1; round <= rounds; round++) {
      const service = await startService(home)
      alive = service
      if (round > 1) (databaseDied(round - 1) ? recoveryMs : restartMs).push(service.readyMs)
      const findings = await withClient(home, async (client) => {
        await askAgain(client, ledger, ledger.latest(askedAgain))
        const latest = round % checkEvery === 0 ? await check(client, ledger, checked) : undefined
        await killWhileWriting(home, service, client, ledger, databaseDied(round))
        return latest
      })
      if (!findings) continue
      worst = worse(worst, findings)
      checked = findings.acknowledged
      say(
        `round ${round}: ${findings.acknowledged} acknowledged, lost ${worst.lost}, doubled ${worst.doubled}`,
      )
    }
    alive = await startService(home)
    const last = await withClient(home, (client) => check(client, ledger, 0))
    await alive.stop()
    return {
      ...last,
      ...worse(worst, last),
      rounds,
      databaseKills: recoveryMs.length + (databaseDied(rounds) ? 1 : 0),
      retried: ledger.retried,
      restartMs,
      recoveryMs,
    }
  } finally {
    await alive?.kill()
    await home.remove()
  }
}

const databaseDied = (round: number): boolean => round % databaseDies.every === databaseDies.first

const worse = (a: Pick<Findings, 'lost' | 'doubled'>, b: Pick<Findings, 'lost' | 'doubled'>) => ({
  lost: Math.max(a.lost, b.lost),
  doubled: Math.max(a.doubled, b.doubled),
})

async function check(client: AgentsClient, ledger: Ledger, from: number): Promise<Findings> {
  await settle(client, ledger)
  return checkAgents(client, ledger, from)
}

async function killWhileWriting(
  home: Home,
  service: Child,
  client: AgentsClient,
  ledger: Ledger,
  databaseToo: boolean,
): Promise<void> {
  const writing = startWriting(client, ledger)
  await sleep(randomInt(killAfterMs.min, killAfterMs.max))
  // The order is random: either the service sees its database die, or it dies first.
  const databaseFirst = databaseToo && randomInt(2) === 0
  const hit = databaseFirst ? killPostgres(home.dataDir) : []
  await service.kill()
  if (databaseToo && !databaseFirst) hit.push(...killPostgres(home.dataDir))
  await Promise.all([writing.stop(), whenGone(hit)])
}

async function withClient<T>(home: Home, use: (client: AgentsClient) => Promise<T>): Promise<T> {
  const client = agentsClient(home.url)
  try {
    return await use(client)
  } finally {
    client.close()
  }
}

const times = (ms: readonly number[]): string =>
  ms.length === 0 ? 'none' : `median ${Math.round(median(ms))} ms, most ${Math.round(Math.max(...ms))} ms`

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const startedAt = Date.now()
  const outcome = await killUnderWrites(Number(process.argv[2] ?? defaultRounds), console.error)
  console.log(`${outcome.rounds} times kill -9, ${outcome.databaseKills} of them with the whole PostgreSQL`)
  console.log(
    `acknowledged ${outcome.acknowledged}, stored ${outcome.stored}, asked again ${outcome.retried}`,
  )
  console.log(`restart to first answer: ${times(outcome.restartMs)}`)
  console.log(`the same with a killed PostgreSQL: ${times(outcome.recoveryMs)}`)
  console.log(`${Math.round((Date.now() - startedAt) / 1000)} s in all`)
  console.log(`lost ${outcome.lost}, doubled ${outcome.doubled}`)
  if (outcome.lost > 0 || outcome.doubled > 0) process.exitCode = 1
}
