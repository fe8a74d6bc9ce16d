// A sample of what a running service holds, seen from outside: by the kernel, by its own metrics and by its database.
import { readdirSync, readFileSync } from 'node:fs'
import { type Db, statement } from '../server/src/platform/db/db.ts'

export interface ProcessSample {
  readonly rssMb: number
  readonly heapMb: number
  readonly files: number
  readonly threads: number
  readonly databaseConnections: number
  readonly loopLagP99Ms: number
  readonly callsLive: number
  /** From the moment that an event is due to its first attempt, on average since the sample before. */
  readonly deliveryDelayMs: number
  /** To place a call, on average since the sample before. */
  readonly requestMs: number
  /** Calls that have not ended, events and deliveries that are due: none when nothing goes on. */
  readonly waitingRows: number
  readonly callRows: number
  readonly databaseMb: number
}

const placing = 'method="POST",route="/agent/v1/calls",status="201"'
const countRows = statement(`
  SELECT ((SELECT count(*) FROM calls WHERE NOT finished) + (SELECT count(*) FROM calls_to_tell)
      + (SELECT count(*) FROM call_states) + (SELECT count(*) FROM deliveries WHERE status = 'queued'))::int AS waiting,
    (SELECT count(*) FROM calls)::int AS calls, pg_database_size(current_database())::float8 AS bytes`)

export function openSampler(pid: number, url: string, db: Db): () => Promise<ProcessSample> {
  const before = new Map<string, { readonly count: number; readonly sum: number }>()
  return async () => {
    const text = await (await fetch(`${url}/metrics`)).text()
    const numberOf = (sample: string): number => {
      const line = text.split('\n').find((one) => one.startsWith(`${sample} `))
      return line === undefined ? 0 : Number(line.slice(sample.length + 1))
    }
    const meanMs = (name: string, labels = ''): number => {
      const [count, sum] = [numberOf(`${name}_count${labels}`), numberOf(`${name}_sum${labels}`)]
      const last = before.get(name) ?? { count: 0, sum: 0 }
      before.set(name, { count, sum })
      return count > last.count ? (1000 * (sum - last.sum)) / (count - last.count) : 0
    }
    const rows = await db.row<{ waiting: number; calls: number; bytes: number }>(countRows)
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return {
      rssMb: Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024,
      heapMb: numberOf('nodejs_heap_size_used_bytes') / 2 ** 20,
      files: readdirSync(`/proc/${pid}/fd`).length,
      threads: Number(/^Threads:\s+(\d+)/m.exec(status)?.[1]),
      databaseConnections: numberOf('parley_database_connections{state="open"}'),
      loopLagP99Ms: numberOf('nodejs_eventloop_lag_p99_seconds') * 1000,
      callsLive: numberOf('parley_calls_live'),
      deliveryDelayMs: meanMs('parley_delivery_delay_seconds'),
      requestMs: meanMs('parley_http_request_seconds', `{${placing}}`),
      waitingRows: rows?.waiting ?? Number.NaN,
      callRows: rows?.calls ?? Number.NaN,
      databaseMb: (rows?.bytes ?? Number.NaN) / 2 ** 20,
    }
  }
}
