// Disaster: kill -9 of the processes that feed and run batches, again and again. No recipient may be lost, or dialled
// twice for one attempt.
//   node faults/batch-workers-killed.ts [kills]
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Child } from '../bench/service-process.ts'
import { type BatchFindings, checkBatches, isClean } from './batch-check.ts'
import { type BatchFaultFixture, openBatchFaultFixture } from './batch-fixture.ts'

const defaultKills = 200
const processes = 3
// A kill comes at any moment from the first calls after the start into the steady state.
const killAfterMs = { min: 100, max: 600 }
// Recipients of a batch: enough that it outlives several kills, few enough that all batches finish.
const recipientsPerBatch = 60
// Batches at a time: at every moment some are new, some half way and some nearly done.
const batchesAtOnce = 4
// A dead process is noticed after some seconds; a batch that takes longer than this is stuck.
const patienceMs = 120_000
const pollMs = 200
const sayEvery = 20

export interface FaultReport extends BatchFindings {
  readonly kills: number
}

export async function killBatchWorkers(kills: number, say: (line: string) => void): Promise<FaultReport> {
  const fixture = await openBatchFaultFixture()
  try {
    const agentId = await fixture.newAgent()
    const alive: Child[] = []
    for (let nth = 0; nth < processes; nth++) alive.push(await fixture.startWorker())
    for (let kill = 1; kill <= kills; kill++) {
      await topUp(fixture, agentId)
      await sleep(randomInt(killAfterMs.min, killAfterMs.max))
      const at = randomInt(processes)
      await (alive[at] as Child).kill()
      alive[at] = await fixture.startWorker()
      if (kill % sayEvery === 0) say(`${kill} kills, ${await fixture.batches()} batches`)
    }
    await whenAllOver(fixture)
    return { ...checkBatches(await fixture.evidence()), kills }
  } finally {
    await fixture.close()
  }
}

async function topUp(fixture: BatchFaultFixture, agentId: string): Promise<void> {
  for (let open = await fixture.openBatches(); open < batchesAtOnce; open++)
    await fixture.startBatch(agentId, recipientsPerBatch)
}

/** Waits until all batches are done, or until the timeout. */
async function whenAllOver(fixture: BatchFaultFixture): Promise<void> {
  const giveUpAt = Date.now() + patienceMs
  while (Date.now() < giveUpAt) {
    if ((await fixture.openBatches()) === 0 && (await fixture.untold()) === 0) return
    await sleep(pollMs)
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const startedAt = Date.now()
  const outcome = await killBatchWorkers(Number(process.argv[2] ?? defaultKills), console.error)
  console.log(`${outcome.kills} times kill -9 of one of ${processes} processes that feed and run batches`)
  console.log(
    `recipients ${outcome.recipients}, attempts ${outcome.attempts}, dialled ${outcome.dialled}, ` +
      `attempts lost with their process ${outcome.workerLost}`,
  )
  console.log(`${Math.round((Date.now() - startedAt) / 1000)} s in all`)
  for (const complaint of outcome.complaints) console.log(complaint)
  console.log(
    `recipients lost ${outcome.lost}, dialled twice for one attempt ${outcome.doubled}, ` +
      `attempts without record or event ${outcome.unrecorded}, batches without end ${outcome.unended}`,
  )
  if (!isClean(outcome)) process.exitCode = 1
}
