// Claim: with 50 calls on one core, we add at most 10 ms to a turn in the median and 40 ms in the 99th percentile.
//
// Measured from the due time of the tick that ended the caller's turn to the first audible frame sent, less the time
// engines were working in between. A frame leaves every 20 ms: an engine that answers between two frames waits for the
// next one, 10 ms on average. If the reply was generated ahead, there is nothing to wait for. Agents do so by default;
// without it the median is that average and a little more, and there is no target for it.
import { isTied, type Load, type LoadReport, runLoad } from './call-load.ts'
import { percentile } from './rounds.ts'
import { printIfMain, type Row, verdict } from './row.ts'

const calls = 50
const target = { p50Ms: 10, p99Ms: 40 }
const base = { calls, warmUpMs: 6_000, forMs: 30_000, everyGap: 1 } as const
// If a bare clock misses by this much, the machine was not ours.
const noisyMs = 5

const cases = {
  'engines answer at once, agents as they are by default': { engines: 'at-once', ahead: true },
  'a model of 200–600 ms and a voice of 50–150 ms, by default': { engines: 'slow', ahead: true },
  'the same engines, agents that do not think ahead': { engines: 'slow', ahead: false },
} satisfies Record<string, Pick<Load, 'engines' | 'ahead'>>

async function measure(): Promise<Row[]> {
  const rows: Row[] = []
  for (const [what, how] of Object.entries(cases)) {
    const report = await runLoad({ ...base, ...how, of: 'calls' })
    const bare = await runLoad({ ...base, ...how, of: 'bare', forMs: 5_000 })
    rows.push(shareRow(what, report, bare, how.ahead))
  }
  return rows
}

function shareRow(what: string, { turns, cpuShare }: LoadReport, bare: LoadReport, hasTarget: boolean): Row {
  const own = turns.map(({ ownMs }) => ownMs)
  const beyond = turns.map(({ beyondSlotMs }) => beyondSlotMs)
  const bareP99Ms = percentile(bare.gapErrorsMs, 0.99)
  const kept = percentile(own, 0.5) <= target.p50Ms && percentile(own, 0.99) <= target.p99Ms
  return {
    claim: `own share of a turn, ${calls} calls on one core${isTied ? '' : ' (not tied to it)'}: ${what}`,
    measured:
      `${show(own)} of ${turns.length} turns; beyond the first slot it could have left in ${show(beyond)}; ` +
      `${(100 * cpuShare).toFixed(0)} % of the core`,
    yardstick: `a bare paced loop misses its slot by p99 ${bareP99Ms.toFixed(1)} ms`,
    ratio: '–',
    target: hasTarget ? `p50 ≤ ${target.p50Ms} ms, p99 ≤ ${target.p99Ms} ms` : 'none',
    verdict: hasTarget ? judge(kept, bareP99Ms) : 'no target',
  }
}

const judge = (kept: boolean, bareP99Ms: number): Row['verdict'] =>
  kept || bareP99Ms < noisyMs ? verdict(kept) : 'too noisy to say'

const show = (ms: readonly number[]) =>
  `p50 ${percentile(ms, 0.5).toFixed(1)} ms, p99 ${percentile(ms, 0.99).toFixed(1)} ms`

await printIfMain(import.meta.url, measure)
