// Who is served next by a thread that decodes one piece at a time.
import { expect, it } from 'vitest'
import { ListenerBuffer, SharedThread } from './shared-thread.ts'
import type { PieceQuestion, WrenPiece } from './wren-worker.ts'

const sentence = { text: 'Hello.', voice: 'heart', rateHz: 8_000 } as const
const never = new AbortController().signal

/** A pool that answers when the test says so. */
function heldPool() {
  const asked: { question: PieceQuestion; answer: (piece?: Partial<WrenPiece>) => Promise<void> }[] = []
  const pool = {
    ask: (make: () => PieceQuestion, { signal }: { signal?: AbortSignal } = {}) => {
      const { promise, resolve, reject } = Promise.withResolvers<WrenPiece>()
      signal?.addEventListener('abort', () => reject(signal.reason))
      const question = make()
      asked.push({
        question,
        async answer(piece = {}) {
          resolve({ into: question.into, from: 0, to: 160, isLast: false, ...piece })
          // The thread lets the listener ask again before it chooses.
          for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate)
        },
      })
      return promise
    },
    load: async () => {},
    isLoading: false,
    close: async () => {},
  }
  const clock = { nowMs: 0 }
  return { asked, clock, thread: new SharedThread('the speech synthesizer', pool, () => clock.nowMs) }
}

/** Undefined: it has no sound yet. */
function request(
  id: number,
  runsOutAtMs: number | undefined,
  how: { framesGiven?: number; signal?: AbortSignal } = {},
) {
  const playback = new ListenerBuffer()
  if (runsOutAtMs !== undefined) playback.add(runsOutAtMs, 0)
  return { id, sentence, framesGiven: 10, signal: never, playback, ...how }
}
const keep = (piece: WrenPiece) => piece

it('the one whose sound runs out first is served first', async () => {
  const { asked, thread } = heldPool()
  const done = [
    [1, 500],
    [2, 900],
    [3, 200],
    [4, 300],
  ].map(([id = 0, atMs = 0]) => thread.next(request(id, atMs), keep))
  for (let place = 0; place < 4; place++) await asked[place]?.answer()
  await Promise.all(done)
  expect(asked.map(({ question }) => question.id)).toEqual([1, 3, 4, 2])
})

it('one that waits for its first sound comes before those with enough, and after those that would falter', async () => {
  const { asked, thread } = heldPool()
  const done = [
    [1, 0],
    [2, 900],
    [3, undefined],
    [4, 100],
    [5, undefined],
  ].map(([id = 0, atMs]) => thread.next(request(id, atMs), keep))
  for (let place = 0; place < 5; place++) await asked[place]?.answer()
  await Promise.all(done)
  expect(asked.map(({ question }) => question.id)).toEqual([1, 4, 3, 5, 2])
})

it('a listener that asks again at once is not overtaken by one that begins', async () => {
  const { asked, thread } = heldPool()
  const mine = request(1, undefined)
  const both = thread.next(mine, keep).then(() => {
    mine.playback.add(140, 0)
    return thread.next(mine, keep)
  })
  const other = thread.next(request(2, undefined), keep)
  for (let place = 0; place < 3; place++) await asked[place]?.answer()
  await Promise.all([both, other])
  expect(asked.map(({ question }) => question.id)).toEqual([1, 1, 2])
})

it('the sound of a listener adds up, and time without sound does not count against it', () => {
  const playback = new ListenerBuffer()
  playback.add(200, 1_000)
  playback.add(400, 1_100)
  expect(playback.runsOutAtMs).toBe(1_600)
  playback.add(200, 2_000)
  expect(playback.runsOutAtMs).toBe(2_200)
})

it('an aborted request leaves the queue, and its sentence is forgotten by the worker', async () => {
  const { asked, thread } = heldPool()
  const caller = new AbortController()
  const first = thread.next(request(1, 0), keep)
  const second = thread.next(request(2, 1, { signal: caller.signal }), keep)
  const third = thread.next(request(3, 2), keep)
  caller.abort(new Error('interrupted'))
  await expect(second).rejects.toThrow('interrupted')
  thread.leave(2)
  await asked[0]?.answer()
  await asked[1]?.answer()
  await Promise.all([first, third])
  expect(asked.map(({ question }) => question.id)).toEqual([1, 3])
  expect(asked[1]?.question.forget).toEqual([2])
  expect(thread.sentences).toBe(2)
})

it('the buffer of a piece is the buffer of the next question, and is read before', async () => {
  const { asked, thread } = heldPool()
  const into = new Int16Array(160).fill(7)
  const first = thread.next(request(1, 0), ({ into, from, to }) => into.slice(from, to))
  const second = thread.next(request(2, 1), keep)
  await asked[0]?.answer({ into })
  into.fill(0)
  expect(new Set(await first)).toEqual(new Set([7]))
  expect(asked[1]?.question.into).toBe(into)
  await asked[1]?.answer()
  await second
})

it('the first piece of a sentence that is waited for is short; pieces are longer far ahead, and in a crowd', async () => {
  const { asked, thread } = heldPool()
  const ask = async (id: number, framesGiven: number, aheadMs = 0) => {
    const piece = thread.next(request(id, aheadMs, { framesGiven }), keep)
    await asked.at(-1)?.answer()
    await piece
    return asked.at(-1)?.question.wrenFrames ?? 0
  }
  const first = await ask(1, 0)
  const usual = await ask(1, 10)
  expect(first).toBeLessThan(usual)
  const farAhead = await ask(1, 20, 1_000)
  expect(farAhead).toBeGreaterThan(usual)
  expect(await ask(2, 0, 1_000)).toBe(farAhead)
  for (let id = 3; id < 20; id++) await ask(id, 0)
  expect(await ask(1, 20)).toBe(farAhead)
  expect(await ask(1, 20, 1_000)).toBeGreaterThan(farAhead)
})

it('on a thread that has all it can do, nobody begins before the others are far ahead', async () => {
  const { asked, thread, clock } = heldPool()
  const piece = async (id: number, workMs: number) => {
    const given = thread.next(request(id, 0), keep)
    clock.nowMs += workMs
    await asked.at(-1)?.answer()
    await given
  }
  // Of one sentence, 20 ms of sound take 10 ms: two are more than the thread can do.
  for (let place = 0; place < 30; place++) await piece(1, 10)
  const atMs = clock.nowMs
  const waiting = [
    thread.next(request(9, 0), keep),
    thread.next(request(1, atMs + 1_000), keep),
    thread.next(request(2, undefined, { framesGiven: 0 }), keep),
    thread.next(request(1, atMs + 3_000), keep),
  ]
  for (let place = asked.length - 1; place < asked.length; place++) await asked[place]?.answer()
  await Promise.all(waiting)
  expect(asked.slice(-3).map(({ question }) => [question.id, question.framesGiven])).toEqual([
    [1, 10],
    [2, 0],
    [1, 10],
  ])
})

it('refuses what could not be spoken in time', async () => {
  const { thread } = heldPool()
  const waiting = Array.from({ length: 129 }, (_, id) => thread.next(request(id, 0), keep))
  expect(waiting).toHaveLength(129)
  await expect(thread.next(request(999, 0), keep)).rejects.toMatchObject({ kind: 'busy' })
})
