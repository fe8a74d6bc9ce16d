// Disaster: kill -9 of processes that feed and run batches, again and again. Nobody may be forgotten, and nobody dialled
// twice for one attempt.
//   node faults/batch-workers-killed.ts [kills]
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Child } from '../bench/service-process.ts'
import { type BatchFindings, checkBatches, isClean } from './batch-check.ts'
import { type BatchFaultStage, setBatchFaultStage } from './batch-fixture.ts'

const defaultKills = 200
const processes = 3
// From the first calls after the start into the steady state.
const killAfterMs = { min: 100, max: 600 }
// Enough that a batch outlives several kills, few enough that all come to their end.
const recipientsPerBatch = 60
// At every moment some are new, some half way and some nearly over.
const batchesAtOnce = 4
// The dead are noticed after some seconds; beyond this a batch does not come to its end.
const patienceMs = 120_000
const pollMs = 200
const sayEvery = 20

export interface Outcome extends BatchFindings {
  readonly kills: number
}

export async function killBatchWorkers(kills: number, say: (line: string) => void): Promise<Outcome> {
  const stage = await setBatchFaultStage()
  try {
    const agentId = await stage.newAgent()
    const alive: Child[] = []
    for (let nth = 0; nth < processes; nth++) alive.push(await stage.startWorker())
    for (let kill = 1; kill <= kills; kill++) {
      await topUp(stage, agentId)
      await sleep(randomInt(killAfterMs.min, killAfterMs.max))
      const at = randomInt(processes)
      await (alive[at] as Child).kill()
      alive[at] = await stage.startWorker()
      if (kill % sayEvery === 0) say(`${kill} kills, ${await stage.batches()} batches`)
    }
    await whenAllOver(stage)
    return { ...checkBatches(await stage.evidence()), kills }
  } finally {
    await stage.close()
  }
}

async function topUp(stage: BatchFaultStage, agentId: string): Promise<void> {
  for (let open = await stage.openBatches(); open < batchesAtOnce; open++)
    await stage.startBatch(agentId, recipientsPerBatch)
}

/** Or until there is no more hope. */
async function whenAllOver(stage: BatchFaultStage): Promise<void> {
  const giveUpAt = Date.now() + patienceMs
  while (Date.now() < giveUpAt) {
    if ((await stage.openBatches()) === 0 && (await stage.untold()) === 0) return
    await sleep(pollMs)
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const startedAt = Date.now()
  const outcome = await killBatchWorkers(Number(process.argv[2] ?? defaultKills), console.log)
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
