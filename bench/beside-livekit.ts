// Claim: compared with LiveKit's agents (npm, @livekit/agents), with the same caller and equal stub engines, our turn
// has less overhead and our call uses less CPU.
//
// Their AgentSession and our call session run alternately, each in a process on one core: the same scripted audio at 8
// kHz, a voice detector, a recognizer, a model and a voice that answer at once, 500 ms of endpointing, no recording, no
// room and no network. Their session has its audio input and output attached directly and otherwise its defaults; ours
// has its defaults too. The overhead is the time from the caller's last sound to the agent's first, less those 500 ms,
// measured from outside. On both sides a frame of the caller comes in right before a frame of the agent goes out, every
// 20 ms.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { isTied } from './call-load.ts'
import { median, percentile, spread } from './rounds.ts'
import { printIfMain, type Row, verdict } from './row.ts'
import type { SideReport } from './turn-meter.ts'

const run = promisify(execFile)
const rounds = 3
const load = {
  calls: 20,
  warmUpMs: 6_000,
  forMs: 15_000,
  endpointingMs: 500,
  heard: 'I would like a table for two tonight.',
  said: 'Certainly that is booked for you now.',
}
const peers = ['@livekit/agents@1.9.0', '@livekit/rtc-node@0.13.34']

/** Outside our package tree: 280 MB that only this script needs. */
async function fetchPeers(): Promise<string> {
  const given = process.env.PARLEY_BENCH_LIVEKIT
  if (given) return given
  const folder = fileURLToPath(new URL('../.toolchain/livekit', import.meta.url))
  if (existsSync(`${folder}/node_modules/@livekit/agents`)) return folder
  await mkdir(folder, { recursive: true })
  await writeFile(`${folder}/package.json`, '{"private":true,"type":"module"}')
  await run('npm', ['install', '--prefix', folder, '--no-save', '--ignore-scripts', ...peers])
  return folder
}

async function runSide(program: string, ...more: string[]): Promise<SideReport> {
  const path = fileURLToPath(new URL(program, import.meta.url))
  const command = [
    process.execPath,
    '--disable-warning=ExperimentalWarning',
    path,
    JSON.stringify(load),
    ...more,
  ]
  const [file = '', ...args] = isTied ? ['/usr/bin/taskset', '-c', '0', ...command] : command
  const { stdout } = await run(file, args, { maxBuffer: 2 ** 26 })
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as SideReport
}

async function measure(): Promise<Row[]> {
  const folder = await fetchPeers()
  const ours: SideReport[] = []
  const theirs: SideReport[] = []
  for (let round = 0; round < rounds; round++) {
    const sides = [
      async () => ours.push(await runSide('./beside-parley-process.ts')),
      async () => theirs.push(await runSide('./beside-livekit-process.mjs', folder)),
    ]
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) await side()
  }
  return [overheadRow(ours, theirs), cpuRow(ours, theirs)]
}

const overheads = (reports: readonly SideReport[]): number[] =>
  reports.flatMap(({ turnsMs }) => turnsMs.map((ms) => ms - load.endpointingMs))

const show = (ms: readonly number[]): string =>
  `p50 ${median(ms).toFixed(1)} ms, p95 ${percentile(ms, 0.95).toFixed(1)} ms, most ${Math.max(...ms).toFixed(0)} ms of ${ms.length} turns`

function overheadRow(ours: readonly SideReport[], theirs: readonly SideReport[]): Row {
  const [mine, other] = [overheads(ours), overheads(theirs)]
  return {
    claim: `overhead of a turn beside @livekit/agents, ${load.calls} calls on one core`,
    measured: show(mine),
    yardstick: `@livekit/agents: ${show(other)}`,
    ratio: (median(mine) / median(other)).toFixed(2),
    target: '< 1',
    verdict: verdict(median(mine) < median(other)),
  }
}

function cpuRow(ours: readonly SideReport[], theirs: readonly SideReport[]): Row {
  const perCall = (reports: readonly SideReport[]) =>
    reports.map(({ cpuShare }) => (100 * cpuShare) / load.calls)
  const percent = (value: number) => `${value.toFixed(2)} %`
  return {
    claim: `CPU of a call beside @livekit/agents, ${load.calls} calls on one core`,
    measured: `${spread(perCall(ours), percent)} of the core`,
    yardstick: `@livekit/agents: ${spread(perCall(theirs), percent)} of the core`,
    ratio: (median(perCall(ours)) / median(perCall(theirs))).toFixed(2),
    target: '< 1',
    verdict: verdict(median(perCall(ours)) < median(perCall(theirs))),
  }
}

await printIfMain(import.meta.url, measure)
