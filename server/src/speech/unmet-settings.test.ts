import { expect, it } from 'vitest'
import type { Pronunciation } from '../ports/synthesizer.ts'
import type { TranscriberOptions } from '../ports/transcriber.ts'
import type { SttVendor } from '../ports/vendor.ts'
import { sttVendors, ttsVendors } from '../vendors/index.ts'
import { unmetOfSynthesizer, unmetOfTranscriber } from './unmet-settings.ts'

const synthesizer = {
  asked: 'v',
  voice: 'Ann',
  voiceId: undefined,
  model: undefined,
  language: 'en',
  fallbacks: [],
  keptSentences: [],
  options: { engine: 'neural', speed: 1.2, stream: false, bufferSize: 40, audioFormat: 'mp3' },
}
const transcriber = {
  asked: 'v',
  model: '',
  language: 'en',
  keyterms: ['Maple'],
  fallbacks: [],
  options: { samplingRateHz: 16_000, encoding: 'linear16', task: 'transcribe', stream: false },
}

it('what the agent asks for and the vendor has nothing like is named as the agent names it', () => {
  const options = { engine: null, speed: '`speed`', stream: null, bufferSize: null, audioFormat: null }
  expect(unmetOfSynthesizer({ label: 'Vendor', options }, synthesizer)).toBe(
    'Vendor has nothing like engine and audio_format; they were left aside.',
  )
  expect(
    unmetOfTranscriber(
      { label: 'Vendor', abilities: { keyterms: false }, options: { keyterms: null } },
      transcriber,
    ),
  ).toBe('Vendor has nothing like keywords; it was left aside.')
})

it('defaults of the specification were not asked for', () => {
  const options = { samplingRateHz: null, encoding: null, task: null, stream: null }
  expect(
    unmetOfTranscriber({ label: 'Vendor', abilities: { keyterms: true }, options }, transcriber),
  ).toBeUndefined()
})

it.each<[keyof typeof sttVendors, Partial<TranscriberOptions>, string]>([
  ['deepgram', { encoding: 'ogg_opus' }, 'Deepgram does not take encoding as asked'],
  ['deepgram', { samplingRateHz: 44_100 }, 'Deepgram does not take sampling_rate as asked'],
  ['deepgram', { model: 'flux-general-en', language: 'de' }, 'Deepgram does not take language as asked'],
  ['assembly', { encoding: 'alaw' }, 'AssemblyAI does not take encoding as asked'],
  [
    'assembly',
    { keyterms: ['Maple', 'x'.repeat(51)] },
    `AssemblyAI takes at most 100 keywords, of at most 50 characters each: "${'x'.repeat(51)}" is left out.`,
  ],
  [
    'elevenlabs',
    { keyterms: ['Maple', 'Kuala Lumpur City Centre'] },
    'ElevenLabs takes at most 50 keywords, of at most 20 characters each: "Kuala Lumpur City Centre" is left out.',
  ],
  ['sarvam', { samplingRateHz: 48_000 }, 'Sarvam does not take sampling_rate as asked'],
  ['sarvam', { task: 'summarize' }, 'Sarvam does not take task as asked'],
  ['gladia', { samplingRateHz: 24_000 }, 'Gladia does not take sampling_rate as asked'],
  ['whisper', { stream: true }, 'Whisper has nothing like stream; it was left aside.'],
  ['whisper', { task: 'summarize' }, 'Whisper does not take task as asked'],
  ['elevenlabs', { encoding: 'mulaw' }, 'ElevenLabs has nothing like encoding'],
  ['openai', { samplingRateHz: 8_000 }, 'OpenAI has nothing like sampling_rate'],
  ['gladia', { turnDetection: 'engine' }, 'Gladia has nothing like turn_detection; it was left aside.'],
])('%s with %o says so: %s', (name, wish, note) => {
  const { model, language, keyterms = [], ...others } = { ...transcriber, keyterms: [], ...wish }
  const options = { ...transcriber.options, ...others }
  expect(
    unmetOfTranscriber(sttVendors[name], { ...transcriber, model, language, keyterms, options }),
  ).toContain(note)
})

it.each(Object.entries<SttVendor>(sttVendors))('%s takes what the specification fills in', (_, vendor) =>
  expect(unmetOfTranscriber(vendor, { ...transcriber, keyterms: [] })).toBeUndefined(),
)

it.each<[keyof typeof ttsVendors, string, string | undefined]>([
  ['rime', 'mistv2', 'Rime does not take temperature as asked; what comes nearest is used.'],
  ['rime', 'coda', undefined],
  ['sarvam', 'bulbul:v2', 'Sarvam does not take temperature as asked; what comes nearest is used.'],
  ['sarvam', 'bulbul:v3', undefined],
])('%s with a temperature for %s: %s', (name, model, note) =>
  expect(unmetOfSynthesizer(ttsVendors[name], { ...synthesizer, model, options: { temperature: 0.5 } })).toBe(
    note,
  ),
)

it('pronunciations are missed only where there is no respelling either', () => {
  const notesOn = (name: keyof typeof ttsVendors, pronunciations: readonly Pronunciation[]) =>
    unmetOfSynthesizer(ttsVendors[name], { ...synthesizer, options: { pronunciations } })
  const respelled = { written: 'Siobhan', spokenAs: 'shivawn', ipa: 'ʃɪˈvɔːn' }
  const inSounds = { written: 'Nguyen', ipa: 'wɪn' }
  expect(notesOn('cartesia', [respelled])).toBeUndefined()
  expect(notesOn('cartesia', [respelled, inSounds])).toBe(
    'Cartesia has nothing like pronunciations; it was left aside.',
  )
  expect(notesOn('deepgram', [inSounds])).toBeUndefined()
})
