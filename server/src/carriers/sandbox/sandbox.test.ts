// The sandbox line, ticked by hand: engines in memory, real frames.
import { describe, expect, it } from 'vitest'
import {
  dialSandbox as call,
  hum,
  loudFrames,
  memoryEngines,
  rateHz,
  speech,
} from '../../../test/props/call/sandbox-call.ts'
import { frameMs } from '../../media/frame.ts'
import { levelDb } from '../../media/level.ts'
import type { OnTick } from '../../platform/clock/ticker.ts'
import type { LineEvent } from '../../ports/line.ts'
import type { TextSynthesizer } from '../../ports/synthesizer.ts'
import { sandboxCarrier } from './sandbox.ts'

describe('the numbers', () => {
  it.each([
    ['+15550101', 400, ['busy']],
    ['+15550103', 400, ['failed']],
    ['+15550119', 400, ['no-trunk']],
    ['+15550102', 29_000, ['ringing']],
    ['+15550102', 31_000, ['ringing', 'no-answer']],
    ['+15550106', 400, ['ringing', 'answered']],
    ['+4915112345678', 400, ['ringing', 'answered']],
  ])('%s after %i ms', async (to, forMs, types) => {
    const { run, events, ...outcome } = call(to)
    expect(events).toEqual([])
    await run(forMs)
    expect(outcome.types()).toEqual(types)
    expect(outcome.ticking()).toBe(['ringing', 'answered'].includes(types.at(-1) ?? ''))
  })

  it('+15550104 greets, beeps, and records whatever comes', async () => {
    const { run, levels } = call('+15550104')
    await run(5_000)
    // One frame per letter, then half a second of tone.
    const greeting = 'You have reached the voice mail of Anna Miller. Please leave a message after the tone.'
    expect(loudFrames(levels)).toBe(greeting.length + 25)
  })

  it('+15550105 hangs up in the middle of a sentence', async () => {
    const { run, events, types } = call('+15550105')
    await run(400)
    await run(2_000, speech)
    expect(types()).toEqual(['ringing', 'answered', 'hangup'])
    const answeredMs = events[1]?.atMs ?? 0
    expect((events[2]?.atMs ?? 0) - answeredMs).toBeGreaterThanOrEqual(700)
    expect((events[2]?.atMs ?? 0) - answeredMs).toBeLessThan(900)
  })

  it('+15550107 interrupts the agent', async () => {
    const { run, levels } = call('+15550107')
    await run(400)
    await run(1_000, speech)
    expect(loudFrames(levels)).toBeGreaterThan(10)
  })

  it('a script overrides the behaviour of the number, key by key', async () => {
    const { run, types } = call('+15550102', { ring_ms: 100 })
    await run(200)
    expect(types()).toEqual(['ringing', 'no-answer'])
  })
})

describe('a scripted callee', () => {
  it('speaks when the agent has finished, and is heard completely', async () => {
    const { run, levels } = call('+1', { steps: [{ say: 'twenty-five frames ......' }] })
    await run(400)
    await run(1_000, speech)
    expect(loudFrames(levels)).toBe(0)
    await run(2_000)
    expect(loudFrames(levels)).toBe(25)
  })

  it('presses keys, which are reported and heard', async () => {
    const { run, events, levels } = call('+1', { steps: [{ press: '1#', after_ms: 0 }] })
    await run(1_000)
    expect(events.flatMap((event) => (event.type === 'digit' ? [event.digit] : []))).toEqual(['1', '#'])
    expect(loudFrames(levels)).toBe(10)
  })

  it('plays music for the given time', async () => {
    const { run, levels } = call('+1', { steps: [{ sound: 'hold_music', for_ms: 6_000, after_ms: 0 }] })
    await run(8_000)
    const loud = levels.filter((level) => level > -60)
    expect(loud.length).toBeGreaterThan(290)
    expect(loud.length).toBeLessThanOrEqual(300)
  })

  it('plays sounds supplied by the program, by name', async () => {
    const made: number[] = []
    const bark = (rate: number) => {
      made.push(rate)
      return hum(5_000).samples
    }
    const script = {
      steps: [
        { sound: 'bark', after_ms: 0 },
        { sound: 'bark', after_ms: 0 },
      ],
    }
    const { run, levels } = call('+1', script, { sounds: { bark } })
    await run(600)
    expect(loudFrames(levels)).toBe(2)
    expect(made).toEqual([rateHz])
  })

  it('echoes the agent’s audio, delayed and attenuated', async () => {
    const { run, levels } = call('+1', {
      echo: { delay_ms: 100, level_db: -20 },
      steps: [{ stay_silent_ms: 9 }],
    })
    await run(400)
    const before = levels.length
    await run(500, speech)
    const echo = levels.slice(before)
    expect(echo.findIndex((level) => level > -60)).toBeGreaterThanOrEqual(4)
    expect(echo.findIndex((level) => level > -60)).toBeLessThanOrEqual(6)
    expect(echo.at(-1)).toBe(Math.round(levelDb(speech.samples)) - 20)
  })

  it('has background noise at the requested level', async () => {
    const track = hum(820)
    const noise = async () => () => track
    const { run, levels } = call('+15550108', undefined, { noise })
    await run(1_000)
    expect(levels.at(-1)).toBe(Math.round(levelDb(track.samples)) + 5)
  })
})

describe('failures', () => {
  it.each([
    ['a script with a mistake', { steps: [{ play: 'x' }] }, 'metadata.sandbox cannot be played: steps[0]: '],
    ['a script that is not an object', 'hello', 'metadata.sandbox cannot be played: it is not an object'],
  ])('%s fails the call with the reason, after dialling', async (_, sandbox, reason) => {
    const { run, events, ticking } = call('+1', sandbox)
    expect(events).toEqual([])
    await run(100)
    expect(events).toEqual([
      { type: 'ended', cause: 'failed', reason: expect.stringContaining(reason), atMs: 20 },
    ])
    expect(ticking()).toBe(false)
  })

  it('a voice that fails ends the call with the reason', async () => {
    const synthesizer: TextSynthesizer = {
      // biome-ignore lint/correctness/useYield: it breaks before its first frame
      async *synthesize() {
        throw new Error('the speech synthesizer has too much to do')
      },
    }
    const { run, events } = call('+1', { steps: [{ say: 'a' }] }, { synthesizer })
    await run(600)
    const reason = 'The sandbox callee gave up: the speech synthesizer has too much to do'
    expect(events.at(-1)).toMatchObject({ cause: 'failed', reason })
  })

  it('noise that cannot be read ends the call with the reason', async () => {
    const noise = () => Promise.reject(new Error('no such file'))
    const { run, events } = call('+15550108', undefined, { noise })
    await run(600)
    expect(events.at(-1)).toMatchObject({ cause: 'failed', reason: expect.stringContaining('no such file') })
  })

  it('a listener that throws ends its own call and no other', async () => {
    let tick: OnTick = () => {}
    let ended = 0
    const ticker = {
      add(onTick: OnTick) {
        tick = onTick
        return {
          end() {
            ended++
          },
        }
      },
    }
    const carrier = sandboxCarrier({ ...memoryEngines, ticker })
    const events: LineEvent[] = []
    carrier.dial(
      { sessionId: 's', to: '+15550106', from: null, trunkId: null, metadata: { sandbox: { ring_ms: 0 } } },
      {
        onEvent: (event) => events.push(event),
        onFrame() {
          throw new Error('a bug')
        },
      },
    )
    for (let ms = 0; ms < 200; ms += frameMs) tick(ms, 0)
    expect(events.at(-1)).toMatchObject({ type: 'ended', cause: 'failed' })
    expect(ended).toBe(1)
  })
})

describe('hanging up ourselves', () => {
  it.each([100, 1_000])('after %i ms: no more events', async (atMs) => {
    const { run, line, events, levels, ticking } = call('+1', { steps: [{ say: 'hello', after_ms: 0 }] })
    await run(atMs)
    const before = [events.length, levels.length]
    line.hangUp()
    expect(ticking()).toBe(false)
    await run(1_000)
    expect([events.length, levels.length]).toEqual(before)
  })
})
