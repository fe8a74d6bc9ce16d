// Disaster: kill -9 of the processes that run calls, again and again. No call may be lost, run twice or left without an
// end.
//   node faults/call-workers-killed.ts [kills]
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Child } from '../bench/service-process.ts'
import { type CallFindings, checkCalls, isClean } from './call-check.ts'
import { type CallFixture, openCallFixture } from './call-fixture.ts'

const defaultKills = 100
const processes = 3
// A kill comes at any moment from the first calls after the start into the steady state.
const killAfterMs = { min: 100, max: 600 }
// The pause between calls: with forty a second every process always has some in progress.
const everyMs = 25
// A dead process is noticed after some seconds; a call that takes longer than this is stuck.
const patienceMs = 60_000
const pollMs = 200
// How many calls a process has to run when it is killed: the end of a single one may be on its way to the database already.
const fewestRunning = 3
const sayEvery = 20

export interface FaultReport extends CallFindings {
  readonly kills: number
}

export async function killCallWorkers(kills: number, say: (line: string) => void): Promise<FaultReport> {
  const fixture = await openCallFixture()
  const killed = new Set<number>()
  try {
    const alive = await Promise.all(Array.from({ length: processes }, () => fixture.startMedia()))
    // Calls are placed once processes run them: a backlog from before would take longer than the disaster.
    const calling = startCalling(fixture, await fixture.newAgent())
    for (let kill = 1; kill <= kills; kill++) {
      await sleep(randomInt(killAfterMs.min, killAfterMs.max))
      const at = randomInt(processes)
      const victim = alive[at] as Child
      await haltWhenBusy(fixture, victim)
      killed.add(victim.pid)
      await victim.kill()
      alive[at] = await fixture.startMedia()
      if (kill % sayEvery === 0) say(`${kill} kills, ${calling.acknowledged.size} calls promised`)
    }
    await calling.stop()
    await whenAllTold(fixture)
    const [rows, runs, told, unmended] = await Promise.all([
      fixture.rows(),
      fixture.runs(),
      fixture.told(),
      fixture.unmended(),
    ])
    const { acknowledged } = calling
    return { ...checkCalls({ acknowledged, rows, runs, told, killed, unmended }), kills }
  } finally {
    await fixture.close()
  }
}

function startCalling(fixture: CallFixture, agentId: string) {
  const acknowledged = new Set<string>()
  const underWay = new Set<Promise<unknown>>()
  let failure: unknown
  const timer = setInterval(() => {
    const placing = fixture
      .place(agentId)
      .then((sessionId) => acknowledged.add(sessionId))
      .catch((error) => (failure = error))
      .finally(() => underWay.delete(placing))
    underWay.add(placing)
  }, everyMs)
  return {
    acknowledged,
    async stop() {
      clearInterval(timer)
      await Promise.all(underWay)
      if (failure) throw failure
    },
  }
}

/**
 * Halts the process (SIGSTOP) in the middle of some calls, or after the timeout: its death without calls would prove nothing. It is
 * halted while it is looked at, because on a crowded machine the look takes a second, in which all its calls may end.
 */
async function haltWhenBusy(fixture: CallFixture, { pid }: Child): Promise<void> {
  const giveUpAt = Date.now() + patienceMs
  for (;;) {
    process.kill(pid, 'SIGSTOP')
    const [runs, rows] = await Promise.all([fixture.runs(), fixture.rows()])
    const running = new Set(rows.filter(({ finished }) => !finished).map(({ sessionId }) => sessionId))
    const own = runs.filter((run) => run.pid === pid && running.has(run.sessionId))
    if (own.length >= fewestRunning || Date.now() > giveUpAt) return
    process.kill(pid, 'SIGCONT')
    await sleep(pollMs)
  }
}

/** Waits until the events of all calls have arrived, or until the timeout. */
async function whenAllTold(fixture: CallFixture): Promise<void> {
  const giveUpAt = Date.now() + patienceMs
  while (Date.now() < giveUpAt) {
    const rows = await fixture.rows()
    if (rows.every(({ finished }) => finished) && (await fixture.told()).length >= rows.length) return
    await sleep(pollMs)
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const startedAt = Date.now()
  const outcome = await killCallWorkers(Number(process.argv[2] ?? defaultKills), console.error)
  console.log(`${outcome.kills} times kill -9 of one of ${processes} processes that run calls`)
  console.log(
    `calls promised ${outcome.acknowledged}, completed ${outcome.completed}, worker_lost ${outcome.workerLost}`,
  )
  console.log(`${Math.round((Date.now() - startedAt) / 1000)} s in all`)
  for (const complaint of outcome.complaints) console.log(complaint)
  console.log(
    `lost ${outcome.lost}, doubled ${outcome.doubled}, unended ${outcome.unended}, ` +
      `unexplained ${outcome.unexplained}, recordings not mended ${outcome.unmended}`,
  )
  if (!isClean(outcome)) process.exitCode = 1
}
