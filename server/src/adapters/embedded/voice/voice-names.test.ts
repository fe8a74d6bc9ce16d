// Which voice an agent gets for the name in its configuration.
import { expect, it } from 'vitest'
import { engineOf, pickVoice } from './voice-names.ts'

it.each([
  ['kokoro', {}, 'af_heart'],
  ['kokoro', { voice: 'am_michael' }, 'am_michael'],
  ['kokoro', { voice: 'Bella' }, 'af_bella'],
  ['kokoro', { voice: 'Bella', voiceId: 'bf_emma' }, 'bf_emma'],
  ['kokoro', { voice: 'Bella', voiceId: '21m00Tcm4TlvDq8ikWAM' }, 'af_bella'],
  ['kokoro', { voice: 'rms' }, 'rms'],
  ['kokoro', { voice: 'Joanna' }, 'af_heart'],
  ['flite', {}, 'slt'],
  ['flite', { voice: 'awb' }, 'awb'],
  ['flite', { voice: 'af_bella' }, 'slt'],
  ['flite', { voice: 'George' }, 'rms'],
  ['flite', { voice: 'constructor' }, 'slt'],
] as const)('with %s, %j is %s', (engine, asked, voice) => {
  expect(pickVoice(engine, asked)).toBe(voice)
})

it('every voice belongs to one engine', () => {
  expect(engineOf('af_heart')).toBe('kokoro')
  expect(engineOf('slt')).toBe('flite')
  expect(engineOf('a voice of another vendor')).toBe('flite')
})
