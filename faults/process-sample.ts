// What a running service holds, from outside: by the kernel, and by its own metrics.
import { readdirSync, readFileSync } from 'node:fs'

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
}

export function openSampler(pid: number, url: string): () => Promise<ProcessSample> {
  let [delays, delaySeconds] = [0, 0]
  return async () => {
    const text = await (await fetch(`${url}/metrics`)).text()
    const numberOf = (sample: string): number => {
      const line = text.split('\n').find((one) => one.startsWith(`${sample} `))
      return line === undefined ? 0 : Number(line.slice(sample.length + 1))
    }
    const [count, sum] = [
      numberOf('parley_delivery_delay_seconds_count'),
      numberOf('parley_delivery_delay_seconds_sum'),
    ]
    const meanSeconds = count > delays ? (sum - delaySeconds) / (count - delays) : 0
    ;[delays, delaySeconds] = [count, sum]
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return {
      rssMb: Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024,
      heapMb: numberOf('nodejs_heap_size_used_bytes') / 2 ** 20,
      files: readdirSync(`/proc/${pid}/fd`).length,
      threads: Number(/^Threads:\s+(\d+)/m.exec(status)?.[1]),
      databaseConnections: numberOf('parley_database_connections{state="open"}'),
      loopLagP99Ms: numberOf('nodejs_eventloop_lag_p99_seconds') * 1000,
      callsLive: numberOf('parley_calls_live'),
      deliveryDelayMs: meanSeconds * 1000,
    }
  }
}
