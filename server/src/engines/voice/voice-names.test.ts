// Which voice an agent gets for the name in its configuration.
import { expect, it } from 'vitest'
import { engineOf, pickVoice } from './voice-names.ts'

it.each([
  ['kokoro', {}, 'af_heart'],
  ['kokoro', { voice: 'am_michael' }, 'am_michael'],
  ['kokoro', { voice: 'Bella' }, 'af_bella'],
  ['kokoro', { voice: 'Bella', voiceId: 'bf_emma' }, 'bf_emma'],
  ['kokoro', { voice: 'Bella', voiceId: '21m00Tcm4TlvDq8ikWAM' }, 'af_bella'],
  ['kokoro', { voice: 'male' }, 'am_michael'],
  ['kokoro', { voice: 'Joanna' }, 'af_heart'],
  ['wren', {}, 'heart'],
  ['wren', { voice: 'Fenrir' }, 'fenrir'],
  ['wren', { voice: 'af_bella' }, 'bella'],
  ['wren', { voice: 'Michael', voiceId: '21m00Tcm4TlvDq8ikWAM' }, 'michael'],
  ['wren', { voice: 'male' }, 'michael'],
  ['wren', { voice: 'Female' }, 'heart'],
  // Voices that only Kokoro has: one of the same gender.
  ['wren', { voice: 'George' }, 'michael'],
  ['wren', { voice: 'bf_emma' }, 'heart'],
  ['wren', { voice: 'constructor' }, 'heart'],
  ['wren', { voice: 'Joanna' }, 'heart'],
  ['wren', { voice: 'male', language: 'es' }, 'em_alex'],
  ['wren', { voice: 'female', language: 'pt-BR' }, 'pf_dora'],
  ['wren', { voice: 'michael', language: 'Italian' }, 'im_nicola'],
  // French has no man's voice.
  ['wren', { voice: 'male', language: 'fr' }, 'ff_siwis'],
  ['wren', { voice: 'dora', language: 'es' }, 'ef_dora'],
] as const)('with %s, %j is %s', (engine, asked, voice) => {
  expect(pickVoice(engine, asked)).toBe(voice)
})

it('every voice belongs to one engine', () => {
  expect(engineOf('af_heart')).toBe('kokoro')
  expect(engineOf('heart')).toBe('wren')
  expect(engineOf('a voice of another vendor')).toBe('wren')
})
