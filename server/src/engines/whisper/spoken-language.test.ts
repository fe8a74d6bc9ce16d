// Which language is taken as spoken.
import { expect, it } from 'vitest'
import { spokenLanguage } from './languages.ts'

const shares = (...given: [string, number][]) =>
  given.map(([language, probability]) => ({ language, probability }))

it('the first sentence decides by the likeliest language', () => {
  const heard = shares(['es', 0.4], ['it', 0.3], ['en', 0.3])
  expect(spokenLanguage(heard, { among: ['en', 'es', 'it'], expected: undefined })).toBe('es')
})

it('a language that is not wanted does not count', () => {
  const heard = shares(['cy', 0.7], ['en', 0.2], ['es', 0.1])
  expect(spokenLanguage(heard, { among: ['en', 'es'], expected: undefined })).toBe('en')
})

it('in doubt the caller still speaks the language of before', () => {
  const heard = shares(['it', 0.6], ['es', 0.4])
  expect(spokenLanguage(heard, { among: ['es', 'it'], expected: 'es' })).toBe('es')
})

it('a caller who surely speaks another language has changed', () => {
  const heard = shares(['fr', 0.9], ['es', 0.05])
  expect(spokenLanguage(heard, { among: ['es', 'fr'], expected: 'es' })).toBe('fr')
})
