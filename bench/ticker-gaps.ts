// How evenly 200 subscribers are called every 20 ms, by the ticker or by plain timers; also a worker program.
import { setTimeout as sleep } from 'node:timers/promises'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { openTicker } from '../server/src/platform/clock/ticker.ts'

export interface Gaps {
  /** The 99th percentile of |gap − 20 ms|. */
  readonly p99Ms: number
  /** Calls received, as a share of those due. */
  readonly share: number
}

export type Source = 'ticker' | 'setInterval'

const subscribers = 200
const periodMs = 20
const settleMs = 500

export async function gapsOf(source: Source, forMs: number): Promise<Gaps> {
  const lastMs = new Float64Array(subscribers)
  const errorsMs: number[] = []
  let recording = false
  const note = (who: number) => {
    const nowMs = performance.now()
    if (recording) errorsMs.push(Math.abs(nowMs - (lastMs[who] as number) - periodMs))
    lastMs[who] = nowMs
  }
  const stop = subscribe(source, note)
  await sleep(settleMs)
  const fromMs = performance.now()
  recording = true
  await sleep(forMs)
  const tookMs = performance.now() - fromMs
  await stop()
  errorsMs.sort((a, b) => a - b)
  return {
    p99Ms: errorsMs[Math.floor(errorsMs.length * 0.99)] ?? Number.NaN,
    share: errorsMs.length / ((tookMs / periodMs) * subscribers),
  }
}

function subscribe(source: Source, note: (who: number) => void): () => Promise<void> {
  if (source === 'ticker') {
    const ticker = openTicker()
    for (let who = 0; who < subscribers; who++) ticker.add(() => note(who))
    return () => ticker.close()
  }
  const timers = Array.from({ length: subscribers }, (_, who) => setInterval(() => note(who), periodMs))
  return async () => timers.forEach(clearInterval)
}

/** The same in a worker thread, like the one that sends frames. */
export function gapsInThread(source: Source, forMs: number): Promise<Gaps> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { source, forMs } })
  return new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))
}

if (!isMainThread) parentPort?.postMessage(await gapsOf(workerData.source, workerData.forMs))
