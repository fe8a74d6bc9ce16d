// A media thread with something else to do: for some seconds from its first call on it computes 90 ms of every 95.
import { parentPort } from 'node:worker_threads'
import './faulty-media-thread.ts'

const busyMs = 90
const everyMs = 95
const forMs = 8_000

parentPort?.once('message', () => {
  const busy = setInterval(() => {
    const untilMs = performance.now() + busyMs
    while (performance.now() < untilMs);
  }, everyMs)
  setTimeout(() => clearInterval(busy), forMs)
})
