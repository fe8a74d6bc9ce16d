// The thread that ends a parsing process which takes too much memory, inside of the heap or outside.
import { workerData } from 'node:worker_threads'

// Within this time a decompressor makes about 50 MB.
const everyMs = 20
const limitBytes = (workerData as number) * 1024 ** 2

setInterval(() => {
  if (process.memoryUsage.rss() > limitBytes) process.kill(process.pid, 'SIGKILL')
}, everyMs)
