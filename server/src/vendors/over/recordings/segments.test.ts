// Words are grouped by sentence, speaker and pause; languages are normalised to ISO 639-1.
import { expect, it } from 'vitest'
import { codeOfLanguage } from '../../../platform/language-names.ts'
import { mostSpoken, segmentWords, spaced } from './segments.ts'

const word = (text: string, startSeconds: number, rest: { endSeconds?: number; speaker?: number } = {}) => ({
  word: text,
  startSeconds,
  endSeconds: rest.endSeconds ?? startSeconds + 0.3,
  confidence: 0.5,
  speaker: rest.speaker ?? null,
})
const texts = (words: readonly ReturnType<typeof word>[]) =>
  segmentWords(spaced(words), false).map(({ text }) => text)

it.each([
  ['a sentence ends', [word('Yes.', 0), word('“Why?”', 0.4), word('No', 0.8)], ['Yes.', '“Why?”', 'No']],
  ['the speaker changes', [word('so', 0, { speaker: 0 }), word('no', 0.4, { speaker: 1 })], ['so', 'no']],
  ['there is a pause', [word('well', 0), word('then', 1.5)], ['well', 'then']],
])('a segment ends where %s', (_where, words, expected) => {
  expect(texts(words)).toEqual(expected)
})

it('an abbreviation does not end a segment', () => {
  expect(texts([word('Dr.', 0), word('J.', 0.4), word('Watson', 0.8)])).toEqual(['Dr. J. Watson'])
})

it('speech without punctuation is cut before a segment gets too long', () => {
  const words = Array.from({ length: 100 }, (_none, at) => word('la', at * 0.4))
  const segments = segmentWords(spaced(words), true)
  expect(segments.length).toBe(3)
  expect(segments.flatMap((segment) => segment.words.map((one) => one.word))).toEqual(words.map(() => 'la'))
})

it('scripts without spaces are joined without spaces', () => {
  expect(texts([word('你', 0), word('好。', 0.3), word('我', 0.7)])).toEqual(['你好。', '我'])
})

it('the confidence of a segment is the mean of its words', () => {
  const [segment] = segmentWords([{ ...word('a', 0), confidence: 1 }, word(' b', 0.3)], false)
  expect(segment).toMatchObject({ text: 'a b', confidence: 0.75, words: [] })
})

it.each([
  ['english', 'en'],
  ['eng', 'en'],
  ['en_us', 'en'],
  ['pt-BR', 'pt'],
  ['cmn', 'zh'],
  ['yue', 'yue'],
  ['Klingonese', null],
])('%s is normalised to %s', (told, code) => {
  expect(codeOfLanguage(told)).toBe(code)
})

it('the language is that of most of the text', () => {
  const parts = [{ language: 'es-ES', text: 'sí' }, { language: 'en-US', text: 'certainly' }, { text: 'um' }]
  expect(mostSpoken(parts)).toBe('en')
  expect(mostSpoken([])).toBeNull()
})
