// Calls that sipp sets up and ends, one after the other at a fixed rate: none may fail, and memory stays as it is.
//   node bench/sip-set-ups.ts [calls] [rate]
// The yardstick is sipp against itself in the same run: what the machine and sipp can do at that rate without us.
import { AgentProcess } from '../server/test/props/sip/agent-process.ts'
import { freeUdpPort, noSipp, sipp } from '../server/test/props/sip/sipp.ts'
import { median } from './rounds.ts'
import { printIfMain, type Row, verdict } from './row.ts'

const leastPerSecond = 200
// A little more: every round waits for its last call.
const defaultRate = 250
const defaultCalls = 100_000
// Transactions and dialogs live for 32 s after their call: what is held at once is full by then, and flat afterwards.
const rounds = 10
const driftBytes = 16 * 1024 ** 2

interface SetUpFigures {
  readonly failed: string | null
  readonly perSecond: number
}

async function run(calls: number, rate: number, port: number): Promise<SetUpFigures> {
  const startedAtMs = performance.now()
  // As many calls may be open at once as begin in ten seconds: a call that hangs must not hold up the others.
  const more = ['-r', String(rate), '-l', String(rate * 10), '-d', '0', '-timeout', '3600s']
  const failed = await sipp({ scenario: 'uac', to: port, port: await freeUdpPort(), calls, more })
  return { failed, perSecond: calls / ((performance.now() - startedAtMs) / 1_000) }
}

async function againstItself(calls: number, rate: number): Promise<SetUpFigures> {
  const port = await freeUdpPort()
  const callee = sipp({ scenario: 'uas', port, calls, more: ['-timeout', '3600s'] })
  const caller = await run(calls, rate, port)
  await callee
  return caller
}

export async function measure(calls = defaultCalls, rate = defaultRate): Promise<Row[]> {
  if (noSipp) return []
  const perRound = Math.ceil(calls / rounds)
  const agent = await AgentProcess.start({ isQuiet: true }, ['--expose-gc'])
  const [runs, heap]: [SetUpFigures[], number[]] = [[], []]
  try {
    for (let round = 0; round < rounds; round++) {
      runs.push(await run(perRound, rate, agent.port))
      heap.push((await agent.counts()).heapBytes)
    }
    const counts = await agent.counts()
    const bare = await againstItself(perRound, rate)
    const failures = runs.flatMap(({ failed }) => failed ?? [])
    const perSecond = median(runs.map((one) => one.perSecond))
    const grown = median(heap.slice(-3)) - median(heap.slice(-6, -3))
    const kept = failures.length === 0 && counts.faults === 0 && counts.ended === rounds * perRound
    return [
      {
        claim: `${rounds * perRound} calls set up and ended by sipp at ${rate} a second, none failed`,
        measured: `${perSecond.toFixed(0)} a second, ${failures.length} of ${rounds} rounds with failures ${failures[0]?.replaceAll(/\s+/g, ' ').slice(0, 200) ?? ''}`,
        yardstick: `sipp against itself: ${bare.perSecond.toFixed(0)} a second${bare.failed ? ', with failures' : ''}`,
        ratio: (perSecond / bare.perSecond).toFixed(2),
        target: `≥ ${leastPerSecond} a second, no failure`,
        verdict: judge(kept && perSecond >= leastPerSecond, bare),
      },
      {
        claim: 'memory over these calls',
        measured: `${megabytes(heap[0])} MB after the first tenth, ${megabytes(heap.at(-1))} MB after the last, ${megabytes(grown)} MB between the last thirds`,
        yardstick: '—',
        ratio: '—',
        target: `flat (± ${megabytes(driftBytes)} MB)`,
        verdict: calls / rate < 100 ? 'no target' : verdict(grown < driftBytes),
      },
    ]
  } finally {
    await agent.stop()
  }
}

/** A machine on which sipp fails by itself says nothing about us. */
const judge = (kept: boolean, bare: SetUpFigures): Row['verdict'] =>
  kept ? 'pass' : bare.failed || bare.perSecond < leastPerSecond ? 'too noisy to say' : 'FAIL'

const megabytes = (bytes = 0): string => (bytes / 1024 ** 2).toFixed(1)

const [calls, rate] = process.argv.slice(2).map(Number)
await printIfMain(import.meta.url, () => measure(calls, rate))
