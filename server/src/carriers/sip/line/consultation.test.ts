// A second call of a line: spoken to by the agent, joined with the first, and ended by either side.
import { describe, expect, it } from 'vitest'
import { type Frame, makeFrame } from '../../../media/frame.ts'
import type { LineEvent, LineListener } from '../../../ports/line.ts'
import { bridgedTransfer, placeConsultation } from './consultation.ts'

const codec = { name: 'PCMU', rateHz: 8_000 }
const frameOf = (value: number): Frame => {
  const frame = makeFrame(16_000)
  frame.samples.fill(value)
  return frame
}

/** Two lines without sockets: what was sent to each far end, and what the engine hears. */
function twoCalls() {
  const sent = { first: [] as number[], second: [] as number[] }
  const heard: number[] = []
  const ended: string[] = []
  const takes: { first?: (frame: Frame) => void; second?: (frame: Frame) => void } = {}
  let far: LineListener | undefined
  const line = (side: 'first' | 'second') => ({
    rateHz: 16_000 as const,
    divert: (take: (frame: Frame) => void) => {
      takes[side] = take
    },
    relay: (frame: Frame) => void sent[side].push(frame.samples[0] ?? 0),
    hangUp: () => void ended.push(side),
  })
  const first = {
    ...line('first'),
    hear: (frame: Frame) => void heard.push(frame.samples[0] ?? 0),
    leave: () => void ended.push('first left'),
  }
  const consult = (listener: LineListener) =>
    placeConsultation(
      first,
      (given) => {
        far = given
        return line('second')
      },
      listener,
    )
  return {
    sent,
    heard,
    ended,
    takes,
    consult,
    tell: (event: LineEvent) => far?.onEvent(event),
    far: () => far,
  }
}

const listening = () => {
  const events: string[] = []
  const frames: number[] = []
  const listener: LineListener = {
    onEvent: ({ type }) => void events.push(type),
    onFrame: ({ samples }) => void frames.push(samples[0] ?? 0),
  }
  return { events, frames, listener }
}

describe('a second call', () => {
  it('is spoken to and heard from its answer on', () => {
    const calls = twoCalls()
    const { events, frames, listener } = listening()
    const second = calls.consult(listener)
    second.send(frameOf(1))
    calls.tell({ type: 'ringing' })
    calls.far()?.onFrame(frameOf(2))
    calls.tell({ type: 'answered', codec })
    second.send(frameOf(3))
    calls.far()?.onFrame(frameOf(4))
    expect([events, frames, calls.sent.second]).toEqual([['ringing', 'answered'], [4], [3]])
  })

  it('that is joined carries both sides, and the line hears both', async () => {
    const calls = twoCalls()
    const { frames, listener } = listening()
    const second = calls.consult(listener)
    await expect(second.join()).rejects.toThrow('has not answered')
    calls.tell({ type: 'answered', codec })
    await second.join()
    calls.takes.second?.(frameOf(100))
    calls.takes.first?.(frameOf(20))
    // The target is silent in this tick.
    calls.takes.first?.(frameOf(21))
    expect([calls.sent.first, calls.sent.second, calls.heard]).toEqual([[100], [20, 21], [120, 21]])
    second.send(frameOf(5))
    expect([frames, calls.sent.second]).toEqual([[], [20, 21]])
  })

  it('that leaves when joined ends the first; before, it is only reported', async () => {
    const joined = twoCalls()
    const second = joined.consult(listening().listener)
    joined.tell({ type: 'answered', codec })
    await second.join()
    second.hangUp()
    joined.tell({ type: 'ended', cause: 'hangup' })
    expect(joined.ended).toEqual(['first left'])

    const declined = twoCalls()
    const { events, listener } = listening()
    const consultation = declined.consult(listener)
    declined.tell({ type: 'ended', cause: 'busy' })
    consultation.hangUp()
    expect([events, declined.ended]).toEqual([['ended'], []])
    await expect(consultation.join()).rejects.toThrow('has left')
  })

  it('is cancelled while it rings', () => {
    const calls = twoCalls()
    const { events, listener } = listening()
    const second = calls.consult(listener)
    second.hangUp()
    calls.tell({ type: 'ended', cause: 'no-answer' })
    expect([events, calls.ended]).toEqual([[], ['second']])
  })
})

describe('a bridged transfer', () => {
  it('is complete when the target answers', async () => {
    const calls = twoCalls()
    const progress: LineEvent[] = []
    const result = bridgedTransfer(calls.consult, (event) => void progress.push(event))
    calls.tell({ type: 'ringing' })
    calls.tell({ type: 'answered', codec })
    expect(await result).toEqual({ is: 'bridged' })
    expect(progress).toEqual([
      { type: 'transfer-progress', is: 'trying' },
      { type: 'transfer-progress', is: 'ringing' },
    ])
  })

  it('fails with the reason when the target does not answer', async () => {
    const calls = twoCalls()
    const result = bridgedTransfer(calls.consult, () => {})
    const carrierCause = { protocol: 'SIP', code: 486, text: 'Busy Here' }
    calls.tell({ type: 'ended', cause: 'busy', carrierCause })
    expect(await result).toEqual({ is: 'failed', reason: 'The target is busy.', cause: 'busy', carrierCause })
  })
})
