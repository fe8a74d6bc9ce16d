// Who is asked for a language, and which of the answers are believed.
import { expect, it } from 'vitest'
import type { TimedWord } from '../../embedded/alignment/word-times.ts'
import { recogniserFor } from './recogniser.ts'

const { signal } = new AbortController()
const spoken = (text: string, confidence = 0.9): TimedWord[] =>
  text.split(' ').map((word, place) => ({
    text: ` ${word}`,
    fromMs: place * 300,
    toMs: place * 300 + 250,
    confidence,
  }))

/** English says one thing, whisper the language it is asked for. */
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

it('English is for Moonshine, the rest for whisper', async () => {
  expect(await said('en', spoken('good morning'))).toBe('good morning')
  expect(await said('de')).toBe('de')
})

it('knows which languages are written without spaces', () => {
  expect(recogniserFor('ja', engines([])).spaced).toBe(false)
  expect(recogniserFor('fr', engines([])).spaced).toBe(true)
})

it('does not believe what was only guessed', async () => {
  expect(await said('en', spoken('you', 0.2))).toBe('')
})

it('does not repeat what was said in a loop', async () => {
  expect(await said('en', spoken('and so and so and so and so and so and so and so'))).toBe('and so')
})
