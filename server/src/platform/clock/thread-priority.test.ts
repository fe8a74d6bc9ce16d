// Priorities of real threads, read from the kernel.

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'

const module = JSON.stringify(new URL('./thread-priority.ts', import.meta.url).href)

/** The niceness of a thread that did this, and of one that it started. */
async function inThread(act: string): Promise<unknown> {
  const program = `
    const { parentPort, Worker } = require('node:worker_threads')
    const { getPriority } = require('node:os')
    import(${module}).then(({ goFirst, giveWay }) => {
      const result = (() => { ${act} })()
      const child = new Worker('require("node:worker_threads").parentPort.postMessage(require("node:os").getPriority())', { eval: true })
      child.once('message', (ofChild) => parentPort.postMessage({ result, own: getPriority(), ofChild }))
    })`
  const worker = new Worker(program, { eval: true })
  const [told] = await once(worker, 'message')
  await worker.terminate()
  return told
}

const base = getPriority(process.pid)
const isLinux = process.platform === 'linux'
/** The kernel's limit for raising a priority without a capability: 20 minus the lowest niceness. */
const ceiling = () => {
  const line = /^Max nice priority\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
  const mayAll =
    BigInt(`0x${/^CapEff:\s+(\w+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]}`) & (1n << 23n)
  return mayAll ? -20 : 20 - Number(line)
}

it('a thread of sound goes first where the system permits it, with what it starts, and the process stays as it is', async () => {
  const mayGoFirst = isLinux && ceiling() <= -10
  const own = mayGoFirst ? Math.min(-10, base) : base
  expect(await inThread('return goFirst()')).toEqual({ result: mayGoFirst, own, ofChild: own })
  expect(getPriority(process.pid)).toBe(base)
})

it('a thread that gives way has the priority of the process, or a lower one', async () => {
  const lower = isLinux ? 7 : base
  expect(await inThread('giveWay(7)')).toMatchObject({ own: lower })
  expect(await inThread('goFirst(); giveWay(0)')).toMatchObject({ own: base, ofChild: base })
})
