// Corrections of two people at once.
import type { Segment } from '@parley/contract'
import { describe, expect, it } from 'vitest'
import {
  clashesOf,
  type Edits,
  editsOf,
  isSame,
  noEdits,
  rebased,
  settled,
  tidied,
  writtenOf,
} from './edits.ts'

const heard = ['Good morning.', 'Helo there.'].map((text, id) => ({ id, text }) as Segment)
const tidy = (edits: Edits) => tidied(edits, heard)
const names = (all: Edits['names']): Edits => ({ ...noEdits, names: all })
const texts = (all: Edits['texts']): Edits => ({ ...noEdits, texts: all })
const meet = (base: Edits, mine: Edits, theirs: Edits, sent: Edits[] = []) =>
  rebased({ base, mine, theirs, sent, tidy })

it('corrections are sent as they are read', () => {
  const edits = { names: { SPEAKER_01: 'Ada' }, texts: { 1: 'Hello there.' } }
  expect(writtenOf(edits)).toEqual({
    speakers: [{ speaker: 'SPEAKER_01', name: 'Ada' }],
    segments: [{ id: 1, text: 'Hello there.' }],
  })
  expect(editsOf(writtenOf(edits))).toEqual(edits)
})

it('what corrects nothing is left out, and a line without words is not nothing', () => {
  const typed = { names: { SPEAKER_00: ' ', SPEAKER_01: 'Ada ' }, texts: { 0: ' Good morning.', 1: '' } }
  expect(tidy(typed)).toEqual({ names: { SPEAKER_01: 'Ada' }, texts: { 1: '' } })
  expect(isSame(tidy(typed), typed)).toBe(false)
  expect(isSame(noEdits, names({}))).toBe(true)
})

describe('two people', () => {
  it('who correct different things keep both', () => {
    const mine = { names: { SPEAKER_00: 'Ada' }, texts: { 0: 'Morning.' } }
    const theirs = { names: { SPEAKER_01: 'Grace' }, texts: { 1: 'Hello there.' } }
    const draft = meet(noEdits, mine, theirs)
    expect(draft.mine).toEqual({
      names: { SPEAKER_00: 'Ada', SPEAKER_01: 'Grace' },
      texts: { 0: 'Morning.', 1: 'Hello there.' },
    })
    expect(clashesOf(draft, theirs)).toEqual([])
  })

  it('who correct the same alike do not clash', () => {
    const draft = meet(noEdits, names({ SPEAKER_00: 'Ada ' }), names({ SPEAKER_00: 'Ada' }))
    expect(draft).toEqual({ base: names({ SPEAKER_00: 'Ada' }), mine: names({ SPEAKER_00: 'Ada ' }) })
    expect(clashesOf(draft, names({ SPEAKER_00: 'Ada' }))).toEqual([])
  })

  it('who take something back and leave it alone: it is taken back', () => {
    const both = texts({ 0: 'Morning.', 1: 'Hello there.' })
    expect(meet(both, both, texts({ 1: 'Hello there.' })).mine).toEqual(texts({ 1: 'Hello there.' }))
    expect(meet(both, texts({ 0: 'Morning.' }), both).mine).toEqual(texts({ 0: 'Morning.' }))
  })

  it('who correct the same differently clash, until one of them has chosen', () => {
    const [base, theirs] = [texts({ 1: 'Hello there.' }), texts({ 1: 'Hello, dear.' })]
    const draft = meet(base, texts({ 0: 'Morning.', 1: 'Hi there.' }), theirs)
    const clashes = clashesOf(draft, theirs)
    expect(clashes).toEqual([{ kind: 'texts', key: '1', mine: 'Hi there.', theirs: 'Hello, dear.' }])
    const [clash] = clashes as [(typeof clashes)[number]]
    for (const [whose, text] of [
      ['mine', 'Hi there.'],
      ['theirs', 'Hello, dear.'],
    ] as const) {
      const chosen = settled(draft, clash, whose)
      expect(chosen.mine).toEqual(texts({ 0: 'Morning.', 1: text }))
      expect(clashesOf(chosen, theirs)).toEqual([])
    }
  })

  it('clash also where one has taken back what the other has changed', () => {
    const draft = meet(texts({ 1: 'Hello there.' }), noEdits, texts({ 1: 'Hi.' }))
    expect(clashesOf(draft, texts({ 1: 'Hi.' }))).toEqual([
      { kind: 'texts', key: '1', mine: undefined, theirs: 'Hi.' },
    ])
  })

  it('are not two if what was saved is what one of them had sent', () => {
    const sent = texts({ 1: 'Hello' })
    const draft = meet(noEdits, texts({ 1: 'Hello there.' }), sent, [sent])
    expect(draft).toEqual({ base: sent, mine: texts({ 1: 'Hello there.' }) })
  })
})
