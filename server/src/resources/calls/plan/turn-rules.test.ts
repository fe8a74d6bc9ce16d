// From an agent's settings to the turn rules of a call.
import { describe, expect, it } from 'vitest'
import { inLanguage } from './turn-rules.ts'

describe('a message in several languages', () => {
  const message = { hi: 'Namaste', en: 'Bye', 'pt-BR': 'Tchau' }
  it.each([
    ['the caller’s own', ['hi-IN'], 'Namaste'],
    ['the exact one', ['pt-br'], 'Tchau'],
    ['English where none fits', ['fr'], 'Bye'],
    ['the agent’s, where the caller’s is missing', ['fr', 'hi'], 'Namaste'],
  ])('%s', (_, languages, text) => expect(inLanguage(message, languages)).toBe(text))
  it('the first, if there is no English', () => expect(inLanguage({ de: 'Tschüss' }, ['fr'])).toBe('Tschüss'))
  it('nothing, if there is no message', () => expect(inLanguage(null, ['en'])).toBe(''))
})
