// Subtitles: cues of up to two lines, timed by word where word times are known.
import type { Segment } from '@parley/contract'
import { expect, it } from 'vitest'
import { written } from './subtitles.ts'

const segment = (text: string, more: Partial<Segment> = {}): Segment => ({
  id: 0,
  start: 0,
  end: 10,
  speaker: null,
  text,
  confidence: null,
  words: [],
  ...more,
})
const long = Array.from({ length: 30 }, (_, at) => `word${at}`).join(' ')

it('splits a long segment into cues of two lines, timed in proportion to the text', () => {
  const blocks = written('srt', [segment(long)])
    .trim()
    .split('\n\n')
  expect(blocks.length).toBeGreaterThan(2)
  for (const block of blocks) {
    const [, , ...lines] = block.split('\n')
    expect(lines.length).toBeLessThanOrEqual(2)
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(42)
  }
  expect(blocks[0]).toMatch(/^1\n00:00:00,000 --> /)
  expect(blocks.at(-1)).toMatch(/--> 00:00:10,000\n/)
  const starts = blocks.map((block) => /\n(\S+) -->/.exec(block)?.[1])
  expect(starts).toEqual(starts.toSorted())
})

it('uses word times if there are any', () => {
  const words = long.split(' ').map((word, at) => ({
    word,
    start: at,
    end: at + 0.25,
    confidence: null,
    speaker: null,
  }))
  const [first = ''] = written('vtt', [segment(long, { words, end: 30 })])
    .replace('WEBVTT\n\n', '')
    .split('\n\n')
  const count = first.split('\n').slice(1).join(' ').split(' ').length
  expect(first).toContain(`00:00:00.000 --> 00:00:${String(count - 1).padStart(2, '0')}.250`)
})

it('keeps every word unchanged', () => {
  const said = (format: 'srt' | 'vtt') =>
    written(format, [segment(long)])
      .split('\n')
      .filter((line) => line.startsWith('word'))
      .join(' ')
  expect(said('srt')).toBe(long)
  expect(said('vtt')).toBe(long)
  expect(written('text', [segment(long)])).toBe(`${long}\n`)
})

it('keeps WebVTT well-formed for any text', () => {
  const text = written('vtt', [segment('a <b> & --> c', { speaker: 'SPEAKER_00' })])
  expect(text).toContain('<v SPEAKER_00>a &lt;b&gt; &amp; --&gt; c')
})

it('has one line per turn if speakers are identified', () => {
  const turns = [
    segment('Hello.', { speaker: 'SPEAKER_00' }),
    segment('How are you?', { speaker: 'SPEAKER_00' }),
    segment('Fine.', { speaker: 'SPEAKER_01' }),
  ]
  expect(written('text', turns)).toBe('SPEAKER_00: Hello. How are you?\nSPEAKER_01: Fine.\n')
})

it('formats hours', () => {
  expect(written('srt', [segment('Late.', { start: 3_725.5, end: 3_726 })])).toContain(
    '01:02:05,500 --> 01:02:06,000',
  )
})

it('is empty but valid without speech', () => {
  expect(written('text', [])).toBe('')
  expect(written('srt', [])).toBe('')
  expect(written('vtt', [])).toBe('WEBVTT\n\n')
})
