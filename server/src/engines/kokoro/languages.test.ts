// Which of Kokoro's voices a language or a name means.
import { expect, it } from 'vitest'
import { findKokoroVoice, kokoroVoice, worldVoice } from './languages.ts'

it.each([
  ['es', [], 'ef_dora'],
  ['es-MX', ['Alex'], 'em_alex'],
  ['Portuguese', ['alex'], 'pm_alex'],
  ['fr', ['Joanna'], 'ff_siwis'],
  ['ja', ['hf_alpha'], 'jf_alpha'],
])('%s %j', (language, names, voice) => expect(worldVoice(language, names)).toBe(voice))

it.each(['en', 'de', 'auto', undefined])('%s has no voice among them', (language) => {
  expect(worldVoice(language)).toBeUndefined()
})

it('a voice of another language is known by its whole name only', () => {
  expect(findKokoroVoice('ff_siwis')).toBe('ff_siwis')
  expect(findKokoroVoice('siwis')).toBeUndefined()
  expect(kokoroVoice('siwis')).toBe('af_heart')
})
