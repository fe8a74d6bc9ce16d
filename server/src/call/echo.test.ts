// A line that brings the agent's own voice back: neither an interruption nor the end of a silence.
import { describe, expect, it } from 'vitest'
import { type Frame, makeFrame } from '../media/frame.ts'
import type { Synthesizer } from '../ports/synthesizer.ts'
import { rehearse } from './proof/rehearsal.ts'

const words = 'Welcome to our little shop we sell bread and milk and honey and much more'
const lagFrames = 6

/** Six seconds that rise and fall as syllables do. */
const talker: Synthesizer = {
  async *synthesize(_text, { rateHz }, signal): AsyncGenerator<Frame> {
    for (let n = 0; n < 300 && !signal.aborted; n++) {
      const frame = makeFrame(rateHz)
      frame.samples.fill(300 + 5_000 * Math.abs(Math.sin(n / 2.3) * Math.sin(n / 7.1)))
      yield frame
    }
  },
}

/** The detector hears whatever is loud, as a real one does, a little late. */
function echoing() {
  const call = rehearse({
    agent: { agent_welcome_message: words },
    task: { hangup_after_silence: 15, check_if_user_online: false },
    parts: { synthesizer: talker },
  })
  let speaking = false
  let loud = 0
  const tick = async (others = 0) => {
    const back = Math.round((call.line.sent.at(-lagFrames) ?? 0) * 0.3) + others
    call.line.bring(back)
    await call.tick()
    loud = back > 60 ? Math.min(loud + 1, 5) : Math.max(loud - 1, 0)
    if (!speaking && loud === 5) call.detector.tell('speech-start', 80)
    if (speaking && loud === 0) call.detector.tell('speech-end', 80)
    speaking = loud === 5 || (speaking && loud > 0)
  }
  return { call, tick }
}

describe('a line that echoes', () => {
  it('stops the agent once at most, and not for long', async () => {
    const { call, tick } = echoing()
    await call.answer()
    for (let n = 0; n < 500 && call.spoken().length === 0; n++) {
      await tick()
      if (n === 150) call.ears.now.push({ type: 'partial', text: 'our little shop we sell' })
    }
    expect(call.spoken()).toEqual([`agent: ${words}`])
    expect(call.notes().length).toBeLessThanOrEqual(1)
  })

  it('does not keep a call without a caller alive', async () => {
    const { call, tick } = echoing()
    await call.answer()
    for (let n = 0; n < 2_000 && !call.isOver; n++) await tick()
    expect(call.outcome.hangupReason).toBe('inactivity_timeout')
    expect(call.outcome.durationSeconds).toBeLessThan(25)
  })

  it('lets the caller interrupt all the same', async () => {
    const { call, tick } = echoing()
    await call.answer()
    for (let n = 0; n < 200; n++) await tick()
    expect(call.isSilent()).toBe(false)
    let frames = 0
    for (; frames < 30 && !call.isSilent(); frames++) await tick(8_000 + (frames % 5) * 900)
    // 300 ms: nobody is to wait longer for the agent to be quiet.
    expect(frames).toBeLessThanOrEqual(15)
  })
})
