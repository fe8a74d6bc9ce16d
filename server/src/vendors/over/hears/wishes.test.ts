// What an agent's wishes mean to vendors: languages in their ways of writing them, and callers who change theirs.
import { describe, expect, it } from 'vitest'
import { CallerLanguages, languageOf, localeOf, modelOr } from './wishes.ts'

const options = (language: string | undefined) =>
  ({ model: '', language, rateHz: 8_000, endpointingMs: 500 }) as const

it.each([
  ['pt-BR', 'pt', 'pt-BR'],
  ['en_gb', 'en', 'en-GB'],
  ['Portuguese', 'pt', 'pt-BR'],
  ['hi', 'hi', 'hi-IN'],
  ['auto', undefined, undefined],
  ['multi', undefined, undefined],
  [undefined, undefined, 'en-US'],
])('the language %s is %s, and %s with its region', (language, code, locale) => {
  expect([languageOf({ language }), localeOf({ language })]).toEqual([code, locale])
})

it('an agent without a model gets the vendor’s', () => {
  expect([modelOr('best', options('en')), modelOr('best', { ...options('en'), model: 'nova-2' })]).toEqual([
    'best',
    'best',
  ])
  expect(modelOr('best', { ...options('en'), model: 'other' })).toBe('other')
})

describe('a caller whose language is left to be found out', () => {
  const heard = (...said: readonly (readonly [language: string, words: string])[]) => {
    const languages = new CallerLanguages(options('auto'))
    return said.flatMap(([language, words]) =>
      languages.hear(language, words).map((event) => (event.type === 'language' ? event.language : '')),
    )
  }

  it('is followed from the first words, and when the language changes', () => {
    expect(heard(['en-US', 'hello'], ['en', 'how are you'], ['es', 'puede hablar español'])).toEqual([
      'en',
      'es',
    ])
  })

  it('is not believed to have changed it by one short word, but by two', () => {
    expect(heard(['en', 'hello'], ['nl', 'ja'], ['en', 'yes please'], ['nl', 'ja'])).toEqual(['en'])
    expect(heard(['en', 'hello'], ['nl', 'ja'], ['nl', 'goed'])).toEqual(['en', 'nl'])
  })

  it('is not reported where the agent names a language', () => {
    expect(new CallerLanguages(options('en')).hear('es', 'puede hablar español')).toEqual([])
  })
})
