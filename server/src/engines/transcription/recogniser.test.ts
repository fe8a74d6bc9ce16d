// Which engine serves a language, and which results are discarded.
import { expect, it } from 'vitest'
import type { TimedWord } from '../alignment/word-times.ts'
import { recogniserFor } from './recogniser.ts'

const { signal } = new AbortController()
const spoken = (text: string, confidence = 0.9): TimedWord[] =>
  text.split(' ').map((word, place) => ({
    text: ` ${word}`,
    fromMs: place * 300,
    toMs: place * 300 + 250,
    confidence,
  }))

/** Moonshine returns the given words, whisper the language it was asked for. */
const engines = (english: readonly TimedWord[]) => ({
  english: { recognise: async () => english, async close() {} },
  whisper: {
    languages: async () => [],
    recognise: async (_: Int16Array, language: string) => spoken(language),
    async close() {},
  },
})

const said = async (language: string, english: readonly TimedWord[] = []) => {
  const words = await recogniserFor(language, engines(english)).recognise(new Int16Array(16_000), signal)
  return words
    .map(({ text }) => text)
    .join('')
    .trim()
}

it('uses Moonshine for English and whisper for the rest', async () => {
  expect(await said('en', spoken('good morning'))).toBe('good morning')
  expect(await said('de')).toBe('de')
})

it('knows which languages are written without spaces', () => {
  expect(recogniserFor('ja', engines([])).spaced).toBe(false)
  expect(recogniserFor('fr', engines([])).spaced).toBe(true)
})

it('discards low-confidence results', async () => {
  expect(await said('en', spoken('you', 0.2))).toBe('')
})

it('removes repetition loops', async () => {
  expect(await said('en', spoken('and so and so and so and so and so and so and so'))).toBe('and so')
})
