// What the target of a warm transfer says, and what follows.
import { describe, expect, it } from 'vitest'
import { type BriefingState, beginBriefing, brief } from './briefing.ts'

const rules = { words: 'A caller waits. Yes or no?', ringingMs: 30_000 }
const asked: BriefingState = { is: 'asked', attempt: 1, sinceMs: 0 }
const hears = (text: string, isFinal = true, state: BriefingState = asked) =>
  brief(state, { type: 'words', text, isFinal }, 1_000, rules)

describe('the target', () => {
  it.each([
    'Yes.',
    'Oh yeah, sure.',
    'Okay, put them through.',
    'No problem.',
    'I will take it.',
    'Press one',
    'Ja, gerne.',
    'Sí.',
    'はい。',
  ])('takes the call with "%s"', (text) => expect(hears(text).acts).toEqual([{ do: 'join' }]))

  it.each(['No.', 'Not now, I am in a meeting.', 'I can’t, call back later.', 'Nein, danke.', 'いいえ'])(
    'declines it with "%s"',
    (text) => expect(hears(text).acts).toMatchObject([{ do: 'refuse', outcome: 'declined' }]),
  )

  it.each(['Hold on a second.', 'One moment.', 'Who is it?'])('is waited for after "%s"', (text) =>
    expect(hears(text).acts).toEqual([]),
  )

  it('is not taken at a word that may still change, nor at a yes before the question', () => {
    expect(hears('Yes', false).acts).toEqual([])
    expect(hears('Yes?', true, { is: 'greeted', sinceMs: 0 }).acts).toEqual([])
    expect(hears('Yes?', true, { is: 'telling', attempt: 1 }).acts).toEqual([])
  })

  it('may answer while the question is repeated, but not with an echo of it', () => {
    const again: BriefingState = { is: 'telling', attempt: 2 }
    expect(hears('Yes, sure.', true, again).acts).toEqual([{ do: 'join' }])
    expect(hears('No, not now.', true, again).acts).toMatchObject([{ do: 'refuse', outcome: 'declined' }])
    expect(hears('Yes or no?', true, again).acts).toEqual([])
    expect(hears('One moment.', true, again)).toEqual({ next: again, acts: [] })
  })

  it('that is an announcement is not connected', () =>
    expect(hears('The number you have dialed is not in service.', false).acts).toMatchObject([
      { do: 'refuse', outcome: 'failed' },
    ]))
})

describe('the trunk of a second call', () => {
  const rung = (...types: ('out-of-reach' | 'in-reach')[]) => {
    const state = types.reduce<BriefingState>(
      (before, type) => brief(before, { type }, 4_000, rules).next,
      beginBriefing(0),
    )
    return brief(state, { type: 'tick' }, 30_000, rules).acts
  }

  it('that says nothing failed it, and nobody is said not to have answered', () =>
    expect(rung('out-of-reach')).toEqual([
      { do: 'refuse', outcome: 'failed', reason: 'The trunk did not answer.' },
    ]))

  it('that was only late is not what failed it', () =>
    expect(rung('out-of-reach', 'in-reach')).toMatchObject([{ do: 'refuse', outcome: 'no-answer' }]))
})
