// A line that echoes the agent's own voice: not an interruption, not a turn, and not the end of a silence.
import { describe, expect, it } from 'vitest'
import { rehearse } from '../../../test/props/call/rehearsal.ts'
import { type Frame, makeFrame } from '../../media/frame.ts'
import { overClauses } from '../../ports/clause-stream.ts'
import type { TextSynthesizer } from '../../ports/synthesizer.ts'

const words = 'Welcome to our little shop we sell bread and milk and honey and much more'

/** Six seconds whose level rises and falls like syllables. */
const talker: TextSynthesizer = {
  async *synthesize(_text, { rateHz }, signal): AsyncGenerator<Frame> {
    for (let n = 0; n < 300 && !signal.aborted; n++) {
      const frame = makeFrame(rateHz)
      frame.samples.fill(300 + 5_000 * Math.abs(Math.sin(n / 2.3) * Math.sin(n / 7.1)))
      yield frame
    }
  },
}

interface EchoLine {
  readonly lagMs?: number
  readonly gainDb?: number
}

/** Detects any sound, slightly late, as a real detector does. */
async function echoing({ lagMs = 120, gainDb = -10 }: EchoLine = {}) {
  const call = rehearse({
    agent: { agent_welcome_message: words },
    task: { hangup_after_silence: 15, check_if_user_online: false },
    parts: { synthesizer: overClauses(talker, ['en']) },
  })
  const gain = 10 ** (gainDb / 20)
  let speaking = false
  let loud = 0
  const tick = async (others = 0) => {
    const back = Math.round((call.line.sent.at(-lagMs / 20) ?? 0) * gain) + others
    call.line.bring(back)
    await call.tick()
    loud = back > 10 ? Math.min(loud + 1, 5) : Math.max(loud - 1, 0)
    if (!speaking && loud === 5) call.detector.tell('speech-start', 80)
    if (speaking && loud === 0) call.detector.tell('speech-end', 80)
    speaking = loud === 5 || (speaking && loud > 0)
  }
  const ticks = async (ms: number, others?: (n: number) => number) => {
    for (let n = 0; n < ms / 20; n++) await tick(others?.(n))
  }
  /** NaN: the agent never fell silent. */
  const silentAfterMs = async (others: (n: number) => number, withinMs = 1_000) => {
    for (let n = 0; n < withinMs / 20; n++) {
      await tick(others(n))
      if (call.isSilent()) return n * 20
    }
    return Number.NaN
  }
  await call.answer()
  return { call, tick, ticks, silentAfterMs }
}

const lines = [
  { lagMs: 60, gainDb: -18 },
  { lagMs: 200, gainDb: -18 },
  { lagMs: 400, gainDb: -18 },
  { lagMs: 100, gainDb: -30 },
  { lagMs: 360, gainDb: -30 },
]
/** As loud as the agent, with a different envelope; then softer. */
const person = (n: number) => 3_000 + (n % 5) * 700
const softPerson = (n: number) => 60 + (n % 7) * 30

describe.each(lines)('a line that echoes after $lagMs ms at $gainDb dB', (line) => {
  it.each(['Welcome.', 'Well.', 'Welcome to the'])('does not stop the agent with “%s”', async (heard) => {
    const { call, ticks, tick } = await echoing(line)
    await ticks(line.lagMs + 300)
    call.ears.now.push({ type: 'partial', text: heard })
    await ticks(300)
    call.ears.now.push({ type: 'final', text: heard })
    for (let n = 0; n < 500 && call.spoken().length === 0; n++) await tick()
    expect(call.spoken()).toEqual([`agent: ${words}`])
    expect(call.notes()).toEqual([])
  })

  it('brings no turn after the agent has finished, and does not end the silence', async () => {
    const { call, tick, ticks } = await echoing(line)
    for (let n = 0; n < 500 && call.spoken().length === 0; n++) await tick()
    await ticks(1_000)
    // Whoever detects turns takes it for one.
    call.ears.now.push({
      type: 'turn-detection',
      detection: { isEager: true, longestSilenceMs: 5_000 },
    })
    call.ears.now.push({ type: 'final', text: 'Much more.' })
    call.ears.now.push({ type: 'end-of-turn', is: 'certain' })
    for (let n = 0; n < 1_000 && !call.isOver; n++) await tick()
    expect(call.spoken().filter((entry) => entry.startsWith('user'))).toEqual([])
    expect(call.outcome.hangupReason).toBe('inactivity_timeout')
    expect(call.outcome.durationSeconds).toBeLessThan(22.5)
  })

  it.each([200, 800, 3_000])('lets a person interrupt after %i ms', async (afterMs) => {
    const { ticks, silentAfterMs } = await echoing(line)
    await ticks(afterMs)
    // Of 300 ms: the detector here is slower than a real one.
    expect(await silentAfterMs(person)).toBeLessThanOrEqual(200)
  })

  it('hears a person repeat a word of the agent', async () => {
    const { call, tick, ticks } = await echoing(line)
    for (let n = 0; n < 500 && call.spoken().length === 0; n++) await tick()
    await ticks(200)
    await ticks(500, person)
    await ticks(200)
    call.ears.now.push({ type: 'final', text: 'Honey.' })
    await ticks(1_500)
    expect(call.spoken()).toContain('user: Honey.')
  })
})

describe('a line without an echo', () => {
  const clean = { gainDb: -100 }

  it.each([200, 800, 3_000])('lets a person interrupt after %i ms', async (afterMs) => {
    const { ticks, silentAfterMs } = await echoing(clean)
    await ticks(afterMs)
    expect(await silentAfterMs(person)).toBeLessThanOrEqual(200)
  })

  it('lets a quiet person interrupt at once when the line is known not to echo', async () => {
    const { ticks, silentAfterMs } = await echoing(clean)
    await ticks(3_000)
    expect(await silentAfterMs(softPerson)).toBeLessThanOrEqual(200)
  })

  it('lets a quiet person interrupt a little later when it is not known', async () => {
    const { ticks, silentAfterMs } = await echoing(clean)
    await ticks(200)
    const afterMs = await silentAfterMs(softPerson)
    expect(afterMs).toBeGreaterThan(200)
    expect(afterMs).toBeLessThanOrEqual(800)
  })

  it('transcribes what a quiet person said while in doubt', async () => {
    const { call, ticks } = await echoing(clean)
    await ticks(200)
    await ticks(400, softPerson)
    await ticks(200)
    call.ears.now.push({ type: 'final', text: 'Who is that?' })
    await ticks(1_500)
    expect(call.spoken()).toContain('user: Who is that?')
  })
})

describe('a line whose echo is as loud as a person', () => {
  it('stops the agent at most once, and briefly', async () => {
    const { call, tick } = await echoing()
    for (let n = 0; n < 500 && call.spoken().length === 0; n++) {
      await tick()
      if (n === 150) call.ears.now.push({ type: 'partial', text: 'our little shop we sell' })
    }
    expect(call.spoken()).toEqual([`agent: ${words}`])
    expect(call.notes().length).toBeLessThanOrEqual(1)
  })

  it('does not keep a call without a caller alive', async () => {
    const { call, tick } = await echoing()
    for (let n = 0; n < 2_000 && !call.isOver; n++) await tick()
    expect(call.outcome.hangupReason).toBe('inactivity_timeout')
    expect(call.outcome.durationSeconds).toBeLessThan(25)
  })

  it('lets the caller interrupt all the same', async () => {
    const { call, ticks, silentAfterMs } = await echoing()
    await ticks(4_000)
    expect(call.isSilent()).toBe(false)
    expect(await silentAfterMs((n) => 8_000 + (n % 5) * 900)).toBeLessThanOrEqual(300)
  })
})
