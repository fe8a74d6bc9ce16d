import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

// Keeps some MB alive and replaces all of it again and again, as calls that begin and end. What is kept outlives the
// young generation, because most of what is made is garbage at once: otherwise it depends on the machine where V8
// puts it.
const churn = `
  const alive = []
  let made = 0
  let last
  const make = () => {
    for (let n = 0; n < 20_000; n++, made++) {
      last = { made, words: [made] }
      if (made % 8 === 0) alive[(made / 8) % 100_000] = last
    }
    if (made < 16_000_000) setImmediate(make)
  }
  make()`

/** How often V8 walks the whole heap of that thread. In a process of its own: flags are the process's. */
async function countWalks(start: string): Promise<number> {
  const program = `
    import { Worker } from 'node:worker_threads'
    import { withRoomForCalls } from ${JSON.stringify(new URL('./heap-of-calls.ts', import.meta.url).href)}
    ${start}(() => new Worker(${JSON.stringify(churn)}, { eval: true }))`
  const args = ['--trace-gc', '--input-type=module', '-e', program]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return stdout.split('Mark-Compact').length - 1
}

describe('the heap of a thread of calls', () => {
  it('is walked far less often than that of another thread', async () => {
    const plain = await countWalks('((start) => start())')
    const roomy = await countWalks('withRoomForCalls')
    expect(plain).toBeGreaterThanOrEqual(2)
    expect(roomy).toBeLessThanOrEqual(plain / 2)
  })
})
