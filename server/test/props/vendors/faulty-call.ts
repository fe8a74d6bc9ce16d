// Whole calls whose vendors fail, on a clock that nothing but the test moves: sockets get their turn within each 20 ms, and
// the timers of both sides stand still between them.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { vi } from 'vitest'
import { frameMs } from '../../../src/media/frame.ts'
import { rehearse, type Scene } from '../call/rehearsal.ts'

// A message and its answer cross a loopback connection within two or three; a connection is opened and used within these.
const turnsPerTick = 12

/** Until `vi.useRealTimers`. */
export function stopTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] })
}

/** Timers have to be stopped. */
export function faultyCall(
  { replies, agent = {}, parts = {} }: Scene,
  onTick: (nowMs: number) => void = () => {},
) {
  const call = rehearse({
    agent: { agent_welcome_message: '', ...agent },
    task: { optimize_latency: false, check_if_user_online: false, hangup_after_silence: 0 },
    ...(replies && { replies }),
    parts,
  })
  const tick = async () => {
    vi.advanceTimersByTime(frameMs)
    await call.tick()
    onTick(call.nowMs)
    for (let turn = 0; turn < turnsPerTick; turn++) await nextTurn()
  }
  const run = async (ms: number) => {
    for (let passedMs = 0; passedMs < ms; passedMs += frameMs) await tick()
  }
  /** False: it did not happen in time, or the call ended before. */
  const until = async (condition: () => boolean, withinMs: number) => {
    for (let passedMs = 0; passedMs < withinMs && !condition() && !call.isOver; passedMs += frameMs)
      await tick()
    return condition()
  }
  return { call, tick, run, until }
}

/** How many words came too seldom, and how many too often. */
export function compareWords(said: readonly string[], heard: readonly string[]) {
  const timesIn = (words: readonly string[], word: string) => words.filter((one) => one === word).length
  const surplus = [...new Set(said)].map((word) => timesIn(heard, word) - timesIn(said, word))
  const sum = (numbers: readonly number[]) => numbers.reduce((all, number) => all + number, 0)
  return {
    lost: sum(surplus.map((more) => Math.max(0, -more))),
    twice: sum(surplus.map((more) => Math.max(0, more))),
  }
}
