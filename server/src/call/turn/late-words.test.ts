// Words that come long after the voice that said them, from a transcriber that a busy machine or a slow network keeps waiting.
import { describe, expect, it } from 'vitest'
import {
  answered,
  final,
  hush,
  partial,
  play,
  type Script,
  voice,
} from '../../../test/props/call/turn-script.ts'

const heard = (script: Script) =>
  play([...answered, ...script]).acts.flatMap((act) => (act.do === 'hear' ? [act] : []))

/** The voice lasts 740 ms; its words come so much later. */
const late = (ms: number, ...words: Script): Script => [voice, 740, hush, ms, ...words]

describe('words that come later than a noise is waited for', () => {
  it.each([1_600, 2_600, 7_000, 12_400])('%i ms: the turn ends where the voice ended, and at once', (ms) => {
    const [early] = heard(late(400, final('a table for six please'), 600))
    const [turn] = heard(late(ms, final('a table for six please'), 20))
    expect(turn).toMatchObject({
      words: 'a table for six please',
      startMs: early?.startMs,
      endMs: early?.endMs,
    })
  })

  it('that may still change are waited for', () => {
    const script = late(2_200, partial('a table for'), 300)
    expect(heard(script)).toEqual([])
    const [turn] = heard([...script, final('a table for six please'), 20])
    expect(turn?.words).toBe('a table for six please')
    const [never] = heard([...script, 2_000])
    expect(never).toMatchObject({ words: 'a table for', endMs: turn?.endMs })
  })

  it('belong to the voice that speaks now, if there is one', () => {
    const [turn] = heard([...late(3_000), voice, 300, final('tomorrow'), 200, hush, 900])
    const [alone] = heard([voice, 740, hush, 3_000, voice, 300, final('tomorrow'), 200, hush, 900])
    expect(turn?.startMs).toBe(alone?.startMs)
    expect((turn?.endMs ?? 0) - (turn?.startMs ?? 0)).toBe(500)
  })

  it('without a voice in the last quarter of a minute were too quiet to be detected', () => {
    const script: Script = late(16_000, final('hello'), 2_000)
    const { acts, turn } = play([...answered, ...script])
    const hear = acts.find((act) => act.do === 'hear')
    expect(hear).toBeDefined()
    expect(turn.nowMs - (hear?.do === 'hear' ? hear.endMs : 0)).toBeLessThanOrEqual(2_020)
  })
})
