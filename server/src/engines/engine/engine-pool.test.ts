// The thread pool of an engine: its queue, and engines that are slow, failing, dead or closed.
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it, onTestFinished } from 'vitest'
import type { ToyQuestion } from '../../../test/props/engines/toy-worker.ts'
import { describeUnless, itUnless } from '../../../test/props/unless.ts'
import type { SileroPaths } from '../silero/silero-worker.ts'
import { EnginePool } from './engine-pool.ts'

let starts = 0
let threads: { close(): Promise<void> }[] = []

afterEach(async () => {
  await Promise.all(threads.map((thread) => thread.close()))
  threads = []
  starts = 0
})

function toy({
  broken = false,
  threads: count = 1,
  niceness = 0,
  idleMs = undefined as number | undefined,
} = {}) {
  const thread = new EnginePool<{ broken: boolean }, ToyQuestion, string>({
    name: 'the toy',
    file: new URL('../../../test/props/engines/toy-worker.ts', import.meta.url),
    prepare: async () => {
      starts++
      return { broken }
    },
    queueLength: 2,
    threads: count,
    niceness,
    idleMs,
  })
  threads.push(thread)
  return thread
}

const say =
  (word: string, afterMs = 0) =>
  () => ({ say: word, afterMs })

it('starts no thread before the first question, and then a single one', async () => {
  const thread = toy()
  await sleep(20)
  expect(starts).toBe(0)
  expect(await Promise.all([thread.ask(say('a', 20)), thread.ask(say('b'))])).toEqual(['a', 'b'])
  expect(starts).toBe(1)
})

it('is loaded before the first question, once, however often that is asked for', async () => {
  const thread = toy()
  expect(thread.isLoading).toBe(false)
  const loads = [thread.load(), thread.load()]
  expect(thread.isLoading).toBe(true)
  await Promise.all(loads)
  expect(thread.isLoading).toBe(false)
  expect(await thread.ask(say('a'))).toBe('a')
  await thread.load()
  expect(await thread.ask(say('b'))).toBe('b')
  expect(starts).toBe(1)
})

it('that cannot be loaded says so to everybody who waits for it, and is loaded again later', async () => {
  const thread = toy({ broken: true })
  const why = /^the toy could not be loaded: these are not weights$/
  await Promise.all([thread.load(), thread.load()].map((load) => expect(load).rejects.toThrow(why)))
  await expect(thread.load()).rejects.toThrow(why)
  await thread.close()
  await expect(thread.load()).rejects.toThrow('the toy is closed')
})

it('that was released is loading again', async () => {
  const thread = toy({ idleMs: 30 })
  await thread.load()
  await expect
    .poll(
      async () => {
        const isReleased = thread.load().then(() => starts > 1)
        return thread.isLoading && (await isReleased)
      },
      { interval: 60 },
    )
    .toBe(true)
})

it('refuses a question at once when the queue is full', async () => {
  const thread = toy()
  await thread.ask(say('awake'))
  const taken = ['a', 'b', 'c'].map((word) => thread.ask(say(word, 30)))
  await expect(thread.ask(say('d'))).rejects.toMatchObject({
    kind: 'busy',
    message: 'the toy has too much to do',
  })
  expect(await Promise.all(taken)).toEqual(['a', 'b', 'c'])
})

it('an aborted question frees its place in the queue', async () => {
  const thread = toy()
  await thread.ask(say('awake'))
  const call = new AbortController()
  const first = thread.ask(say('a', 50))
  const second = thread.ask(say('b'), { signal: call.signal })
  const third = thread.ask(say('c'))
  call.abort(new Error('the call ended'))
  await expect(second).rejects.toThrow('the call ended')
  expect(await Promise.all([first, third, thread.ask(say('d'))])).toEqual(['a', 'c', 'd'])
})

it('aborting a running question interrupts it', async () => {
  const thread = toy()
  await thread.ask(say('awake'))
  const call = new AbortController()
  const first = thread.ask(say('a', 3_600_000), { signal: call.signal })
  const second = thread.ask(say('b'))
  call.abort(new Error('the call ended'))
  await expect(first).rejects.toThrow('the call ended')
  expect(await second).toBe('b')
})

it('a failed question does not affect the next', async () => {
  const thread = toy()
  const refused = thread.ask(() => ({ do: 'refuse' }))
  const next = thread.ask(say('still here'))
  await expect(refused).rejects.toThrow('the toy failed: not this one')
  expect(await next).toBe('still here')
  expect(starts).toBe(1)
})

it('a thread that dies fails the waiting questions, and is restarted after a pause', async () => {
  const thread = toy()
  const dying = thread.ask(() => ({ do: 'die' }))
  const waiting = thread.ask(say('late'))
  await expect(dying).rejects.toThrow('the toy stopped')
  await expect(waiting).rejects.toThrow('the toy stopped')
  await expect(thread.ask(say('too soon'))).rejects.toThrow('the toy stopped')
  expect(starts).toBe(1)
})

it('an engine that cannot be loaded reports the reason in one sentence', async () => {
  await expect(toy({ broken: true }).ask(say('a'))).rejects.toThrow(
    /^the toy could not be loaded: these are not weights$/,
  )
})

it('a corrupt model file causes an error, not a crash', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-bad-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const detector = join(folder, 'bad.onnx')
  await writeFile(detector, 'these are not weights')
  const thread = new EnginePool<SileroPaths, unknown, unknown>({
    name: 'the voice detector',
    file: new URL('../silero/silero-worker.ts', import.meta.url),
    prepare: async () => ({ detector }),
    queueLength: 1,
  })
  threads.push(thread)
  await expect(thread.ask(() => ({}))).rejects.toThrow(/^the voice detector could not be loaded: [^\n]+$/)
})

it('closing fails waiting questions and refuses new ones', async () => {
  const thread = toy()
  const under = thread.ask(say('a', 20))
  const closing = thread.close()
  await expect(under).rejects.toThrow('the toy is closed')
  await closing
  await expect(thread.ask(say('b'))).rejects.toMatchObject({ kind: 'closed' })
})

it('closing aborts a download', async () => {
  let given: AbortSignal | undefined
  const thread = new EnginePool<{ broken: boolean }, ToyQuestion, string>({
    name: 'the toy',
    file: new URL('../../../test/props/engines/toy-worker.ts', import.meta.url),
    prepare: (signal) => {
      given = signal
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    },
    queueLength: 1,
  })
  const asked = thread.ask(say('a'))
  await thread.close()
  await expect(asked).rejects.toThrow('the toy is closed')
  expect(given?.aborted).toBe(true)
})

it('a failed download is reported in one sentence', async () => {
  const thread = new EnginePool<{ broken: boolean }, ToyQuestion, string>({
    name: 'the toy',
    file: new URL('../../../test/props/engines/toy-worker.ts', import.meta.url),
    prepare: () => Promise.reject(new Error('the model toy could not be fetched')),
    queueLength: 1,
  })
  threads.push(thread)
  await expect(thread.ask(say('a'))).rejects.toThrow(
    'the toy could not be loaded: the model toy could not be fetched',
  )
})

it('a second thread is started when the first is busy, and works in parallel', async () => {
  const pool = toy({ threads: 2 })
  await pool.ask(say('awake'))
  expect(starts).toBe(1)
  const slow = new AbortController()
  const first = pool.ask(say('slow', 10_000), { signal: slow.signal })
  expect(await pool.ask(say('fast'))).toBe('fast')
  expect(starts).toBe(2)
  slow.abort(new Error('enough'))
  await expect(first).rejects.toThrow('enough')
})

it('when a thread dies, the other one does the work', async () => {
  const pool = toy({ threads: 2 })
  await Promise.all([pool.ask(say('a', 50)), pool.ask(say('b', 50))])
  await expect(pool.ask(() => ({ do: 'die' }))).rejects.toThrow('the toy stopped')
  expect(await pool.ask(say('still here'))).toBe('still here')
})

it('a preemptible question is answered after all others', async () => {
  const pool = toy()
  await pool.ask(say('awake'))
  const order: string[] = []
  const note = (word: string) => order.push(word)
  await Promise.all([
    pool.ask(say('a', 30)).then(note),
    pool.ask(say('preemptible'), { preemptible: true }).then(note),
    pool.ask(say('b')).then(note),
  ])
  expect(order).toEqual(['a', 'b', 'preemptible'])
})

it('a running preemptible question is interrupted for a normal one', async () => {
  const pool = toy()
  await pool.ask(say('awake'))
  const preemptible = pool.ask(say('preemptible', 60_000), { preemptible: true })
  const needed = pool.ask(say('needed'))
  await expect(preemptible).rejects.toMatchObject({ kind: 'busy' })
  expect(await needed).toBe('needed')
})

it('a preemptible question gives up its place in a full queue', async () => {
  const pool = toy()
  await pool.ask(say('awake'))
  const taken = [pool.ask(say('a', 30)), pool.ask(say('b'))]
  const preemptible = pool.ask(say('preemptible'), { preemptible: true })
  const needed = pool.ask(say('c'))
  await expect(preemptible).rejects.toMatchObject({ kind: 'busy' })
  expect(await Promise.all([...taken, needed])).toEqual(['a', 'b', 'c'])
  await Promise.all([pool.ask(say('d', 30)), pool.ask(say('e')), pool.ask(say('f'))])
})

it('a question is created when its turn has come', async () => {
  const pool = toy()
  await pool.ask(say('awake'))
  let word = 'stale'
  const first = pool.ask(say('a', 30))
  const second = pool.ask(() => ({ say: word, afterMs: 0 }))
  word = 'fresh'
  await first
  expect(await second).toBe('fresh')
})

const noPriorities = process.platform === 'linux' ? undefined : 'only Linux gives each thread a priority'

itUnless(noPriorities, 'only an engine of low priority has it, not the rest of its process', async () => {
  const usual = String(getPriority())
  expect(await toy({ niceness: 19 }).ask(() => ({ do: 'tell-priority' }))).toBe('19')
  expect(await toy().ask(() => ({ do: 'tell-priority' }))).toBe(usual)
  expect(String(getPriority())).toBe(usual)
})

const noThreadIds = process.platform === 'linux' ? undefined : 'only Linux lists the threads of a process'

describeUnless(noThreadIds, 'an idle engine', () => {
  const whereRuns = () => ({ do: 'tell-thread' }) as const

  it('ends its threads, and the next question starts them again', async () => {
    const pool = toy({ idleMs: 40 })
    const first = await pool.ask(whereRuns)
    await expect.poll(() => isRunning(first)).toBe(false)
    const second = await pool.ask(whereRuns)
    expect(starts).toBe(2)
    expect(second).not.toBe(first)
    await expect.poll(() => isRunning(second)).toBe(false)
  })

  it('keeps its threads while it is used and while it computes', async () => {
    const pool = toy({ idleMs: 1_000 })
    // Another try where the machine itself stood still for the idle time.
    const startsWhileUsed = async () => {
      const before = Math.max(1, starts)
      for (let n = 0; n < 6; n++) {
        await pool.ask(say('a'))
        await sleep(200)
      }
      expect(await pool.ask(say('slow', 1_200))).toBe('slow')
      return starts - before
    }
    await expect.poll(startsWhileUsed).toBe(0)
  })

  it('ends surplus threads', async () => {
    const pool = toy({ idleMs: 100, threads: 2 })
    const both = () => Promise.all([pool.ask(say('a', 50)), pool.ask(say('b', 50))])
    await both()
    await both()
    expect(starts).toBe(2)
    // One thread is enough for a while, then both are needed again. Repeated, as a stalled machine may skip the while.
    const startsAfterCalm = async () => {
      for (let n = 0; n < 10; n++) {
        await pool.ask(say('a'))
        await sleep(20)
      }
      await both()
      await both()
      return starts
    }
    await expect.poll(startsAfterCalm).toBeGreaterThan(2)
  })

  it('answers every question, including those that arrive while a thread is ending', async () => {
    const pool = toy({ idleMs: 5 })
    for (let n = 0; n < 40; n++) {
      expect(await pool.ask(say(`word ${n}`))).toBe(`word ${n}`)
      // Around the moment when the timer fires.
      await sleep(4 + (n % 4))
    }
    expect(starts).toBeGreaterThan(1)
  })

  it('that is closed while a thread is ending waits for it', async () => {
    const pool = toy({ idleMs: 5 })
    const thread = await pool.ask(whereRuns)
    await sleep(8)
    await pool.close()
    expect(isRunning(thread)).toBe(false)
  })
})

/** Linux lists the threads of a process as folders. */
const isRunning = (thread: string) => existsSync(`/proc/self/task/${thread}`)
