// Words become segments where a sentence, a speaker or a breath ends; languages are told by their short codes.
import { expect, it } from 'vitest'
import { codeOfLanguage, mostSpoken } from './languages.ts'
import { segmentsOf, spaced } from './segments.ts'

const word = (text: string, startSeconds: number, rest: { endSeconds?: number; speaker?: number } = {}) => ({
  word: text,
  startSeconds,
  endSeconds: rest.endSeconds ?? startSeconds + 0.3,
  confidence: 0.5,
  speaker: rest.speaker ?? null,
})
const texts = (words: readonly ReturnType<typeof word>[]) =>
  segmentsOf(spaced(words), false).map(({ text }) => text)

it.each([
  ['a sentence ends', [word('Yes.', 0), word('“Why?”', 0.4), word('No', 0.8)], ['Yes.', '“Why?”', 'No']],
  ['another speaks', [word('so', 0, { speaker: 0 }), word('no', 0.4, { speaker: 1 })], ['so', 'no']],
  ['there is a pause', [word('well', 0), word('then', 1.5)], ['well', 'then']],
])('a segment ends where %s', (_where, words, expected) => {
  expect(texts(words)).toEqual(expected)
})

it('a segment does not end after an abbreviation', () => {
  expect(texts([word('Dr.', 0), word('J.', 0.4), word('Watson', 0.8)])).toEqual(['Dr. J. Watson'])
})

it('speech without punctuation is cut before it is long', () => {
  const words = Array.from({ length: 100 }, (_none, at) => word('la', at * 0.4))
  const segments = segmentsOf(spaced(words), true)
  expect(segments.length).toBe(3)
  expect(segments.flatMap((segment) => segment.words.map((one) => one.word))).toEqual(words.map(() => 'la'))
})

it('scripts without spaces are written without spaces', () => {
  expect(texts([word('你', 0), word('好。', 0.3), word('我', 0.7)])).toEqual(['你好。', '我'])
})

it('a segment is as sure as its words on average', () => {
  const [segment] = segmentsOf([{ ...word('a', 0), confidence: 1 }, word(' b', 0.3)], false)
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
])('%s is the language %s', (told, code) => {
  expect(codeOfLanguage(told)).toBe(code)
})

it('the language is the one in which most is said', () => {
  const parts = [{ language: 'es-ES', text: 'sí' }, { language: 'en-US', text: 'certainly' }, { text: 'um' }]
  expect(mostSpoken(parts)).toBe('en')
  expect(mostSpoken([])).toBeNull()
})
