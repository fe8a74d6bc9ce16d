// What becomes of a transcript with its corrections.
import type { Segment } from '@parley/contract'
import { expect, it } from 'vitest'
import { formats, linesOf } from './edited-transcript.ts'

const word = (text: string, start: number) => ({ word: text, start, end: start + 0.4, confidence: null })
const segment = (id: number, speaker: string, ...words: string[]): Segment => ({
  id,
  start: id * 60,
  end: id * 60 + 2.5,
  speaker,
  text: words.join(' '),
  confidence: null,
  words: words.map((text, at) => word(text, id * 60 + at)) as Segment['words'],
})
const transcript = {
  segments: [segment(0, 'SPEAKER_00', 'Good', 'morning.'), segment(1, 'SPEAKER_01', 'Helo', 'there.')],
}

it('speakers have numbers until somebody names them', () => {
  const lines = linesOf(transcript, { names: { SPEAKER_01: 'Ada' }, texts: {} })
  expect(lines.map(({ speaker }) => speaker)).toEqual(['Speaker 1', 'Ada'])
})

it('a corrected line keeps the times of its words as long as there are as many', () => {
  const [, one] = linesOf(transcript, { names: {}, texts: { 1: 'Hello there.' } })
  expect(one).toMatchObject({ text: 'Hello there.', isEdited: true })
  expect(one?.words.map(({ word: text, start }) => [text, start])).toEqual([
    ['Hello', 60],
    ['there.', 61],
  ])
  expect(linesOf(transcript, { names: {}, texts: { 1: 'Hello.' } })[1]?.words).toEqual([])
})

it('files have the names and the words as they were corrected', () => {
  const lines = linesOf(transcript, { names: { SPEAKER_01: 'Ada' }, texts: { 1: 'Hello there.' } })
  expect(formats.txt(lines)).toBe('Speaker 1: Good morning.\nAda: Hello there.\n')
  expect(formats.srt(lines)).toContain('2\n00:01:00,000 --> 00:01:02,500\nAda: Hello there.\n')
  expect(formats.vtt(lines)).toBe(
    'WEBVTT\n\n00:00:00.000 --> 00:00:02.500\n<v Speaker 1>Good morning.\n\n00:01:00.000 --> 00:01:02.500\n<v Ada>Hello there.\n',
  )
})
