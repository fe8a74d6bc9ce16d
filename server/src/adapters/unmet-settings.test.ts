import { expect, it } from 'vitest'
import { unmetOfSynthesizer, unmetOfTranscriber } from './unmet-settings.ts'

const synthesizer = {
  ...{ asked: 'v', voice: 'Ann', voiceId: undefined, model: undefined, language: 'en', fallbacks: [], keptSentences: [] },
  options: { engine: 'neural', speed: 1.2, stream: false, bufferSize: 40, audioFormat: 'mp3' },
}
const transcriber = {
  ...{ asked: 'v', model: '', language: 'en', keyterms: ['Maple'], fallbacks: [] },
  options: { samplingRateHz: 16_000, encoding: 'linear16', task: 'transcribe', stream: false },
}

it('what the agent asks for and the vendor has nothing like is named as the agent names it', () => {
  const options = { engine: null, speed: '`speed`', stream: null, bufferSize: null, audioFormat: null }
  expect(unmetOfSynthesizer({ label: 'Vendor', options }, synthesizer)).toBe(
    'Vendor has nothing like engine and audio_format; they were left aside.',
  )
  expect(unmetOfTranscriber({ label: 'Vendor', options: { keyterms: null } }, transcriber)).toBe(
    'Vendor has nothing like keywords; it was left aside.',
  )
})

it('defaults of the specification were not asked for', () => {
  const options = { samplingRateHz: null, encoding: null, task: null, stream: null }
  expect(unmetOfTranscriber({ label: 'Vendor', options }, transcriber)).toBeUndefined()
})

it('an encoding that nobody here makes is named, whatever the vendor takes', () => {
  const asked = { ...transcriber, options: { ...transcriber.options, encoding: 'ogg_opus' } }
  expect(unmetOfTranscriber({ label: 'Vendor', options: { encoding: '`encoding`' } }, asked)).toBe(
    'Vendor has nothing like encoding; it was left aside.',
  )
})
