// The second call of a transfer over a simulated line, ticked by hand.
import { describe, expect, it } from 'vitest'
import { dialSandbox, loudFrames, rateHz, speech } from '../../../test/props/call/sandbox-call.ts'
import { silence } from '../../media/frame.ts'
import { levelDb } from '../../media/level.ts'
import type { LineEvent } from '../../ports/line.ts'

/** The caller has answered, and a second call is placed. */
async function consulted(to: string, sandbox: object = {}) {
  const call = dialSandbox('+15550106', { ring_ms: 40, ...sandbox })
  await call.run(100)
  const events: LineEvent[] = []
  const levels: number[] = []
  const { line } = call
  if (!line.consult) throw new Error('no second calls')
  const second = line.consult(to, {
    onEvent: (event) => events.push(event),
    onFrame: ({ samples }) => levels.push(Math.round(levelDb(samples))),
  })
  return { ...call, second, heard: { events, levels } }
}

const target = (script: object) => ({ transfer: { target: { ring_ms: 100, ...script } } })

describe('a second call', () => {
  it('rings, answers, and is heard by us alone', async () => {
    const { run, heard, levels } = await consulted(
      '+15550100',
      target({ steps: [{ say: 'desk', after_ms: 0 }] }),
    )
    await run(400)
    expect(heard.events.map(({ type }) => type)).toEqual(['ringing', 'answered'])
    expect(loudFrames(heard.levels)).toBe('desk'.length)
    expect(loudFrames(levels)).toBe(0)
  })

  it('hears what is sent to it', async () => {
    const script = { steps: [{ wait_for: 'agent_done', say: 'yes' }] }
    const { run, heard, second } = await consulted('+15550100', target(script))
    await run(300)
    for (const frame of [...Array(20).fill(speech), ...Array(60).fill(silence(rateHz))]) {
      second.send(frame)
      await run(20)
    }
    expect(loudFrames(heard.levels)).toBe('yes'.length)
  })

  it.each([
    ['+15550101', 'busy', 17],
    ['+15550103', 'failed', 38],
    ['+15550112', 'rejected', 21],
    ['+15550113', 'unreachable', 1],
  ])('to %s ends as %s', async (to, cause, code) => {
    const { run, heard } = await consulted(to)
    await run(500)
    expect(heard.events.at(-1)).toMatchObject({ type: 'ended', cause, carrierCause: { code } })
  })

  it('can be joined: the two hear each other, we hear both, and it ends when one leaves', async () => {
    const script = {
      steps: [
        { say: 'front desk', after_ms: 500 },
        { hang_up: true, after_ms: 300 },
      ],
    }
    const { run, heard, second, levels, types, line } = await consulted('+15550100', {
      steps: [{ say: 'is anybody there', wait_for: 'agent_done' }],
      ...target(script),
    })
    await run(200)
    await second.join()
    const before = heard.levels.length
    await run(3_000)
    expect(heard.levels.length).toBe(before)
    expect(loudFrames(levels)).toBeGreaterThanOrEqual('front desk'.length)
    expect(types().at(-1)).toBe('hangup')
    await expect(line.sendDigits('1')).rejects.toThrow('not answered, or over')
  })

  it('is dropped with the line, and can be dropped alone', async () => {
    const first = await consulted('+15550100', target({ steps: [{ say: 'desk', after_ms: 500 }] }))
    await first.run(200)
    first.second.hangUp()
    await first.run(1_000)
    expect(loudFrames(first.heard.levels)).toBe(0)
    expect(first.types()).not.toContain('hangup')
    await expect(first.second.join()).rejects.toThrow('Nobody is there')

    const other = await consulted('+15550100', target({ steps: [{ say: 'desk', after_ms: 500 }] }))
    await other.run(200)
    other.line.hangUp()
    await other.run(1_000)
    expect(loudFrames(other.heard.levels)).toBe(0)
  })

  it('cannot be placed twice at once, and not by a callee who refuses it', async () => {
    const { line } = await consulted('+15550102')
    const nobody = { onEvent() {}, onFrame() {} }
    expect(() => line.consult?.('+15550100', nobody)).toThrow('being transferred already')
    await expect(consulted('+15550100', { transfer: { refuse: true } })).rejects.toThrow('refused')
  })
})
