// How words are grouped into segments.
import { expect, it } from 'vitest'
import { type RecordedWord, segmentsOfWords } from './segments.ts'

/** Half a second per word; "|" is 1.5 s of silence, "@1" a change of speaker. */
function spoken(text: string): RecordedWord[] {
  let [atMs, speaker]: [number, number | null] = [0, null]
  return text.split(' ').flatMap((part) => {
    if (part === '|') atMs += 1_500
    else if (part.startsWith('@')) speaker = Number(part.slice(1))
    else {
      atMs += 500
      return [{ text: ` ${part}`, fromMs: atMs - 500, toMs: atMs - 50, confidence: 0.9, speaker }]
    }
    return []
  })
}

const texts = (text: string) => segmentsOfWords(spoken(text), false).map((segment) => segment.text)

it('a sentence is a segment', () => {
  expect(texts('We went home. It was late.')).toEqual(['We went home.', 'It was late.'])
})

it('a title is not the end of a sentence', () => {
  expect(texts('We saw Mr. Brown and Dr. Green.')).toEqual(['We saw Mr. Brown and Dr. Green.'])
})

it('a silence ends a segment even inside a sentence', () => {
  expect(texts('and then | he left')).toEqual(['and then', 'he left'])
})

it('a change of speaker ends a segment', () => {
  const segments = segmentsOfWords(spoken('@0 are you there @1 yes'), false)
  expect(segments.map(({ text, speaker }) => [text, speaker])).toEqual([
    ['are you there', 0],
    ['yes', 1],
  ])
})

it('a sentence that never ends is cut at a comma, or after any word', () => {
  const long = texts(`${'and on '.repeat(9)}and on, ${'and on '.repeat(25)}`.trim())
  expect(long[0]?.endsWith('and on,')).toBe(true)
  expect(long.length).toBeGreaterThan(2)
})

it('has times in seconds, and words if requested', () => {
  const [segment] = segmentsOfWords(spoken('Good morning.'), true)
  expect(segment).toMatchObject({ startSeconds: 0, endSeconds: 0.95, text: 'Good morning.', confidence: 0.9 })
  expect(segment?.words.map(({ word, startSeconds }) => [word, startSeconds])).toEqual([
    ['Good', 0],
    ['morning.', 0.5],
  ])
})
