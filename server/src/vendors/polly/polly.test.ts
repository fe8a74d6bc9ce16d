// Amazon Polly against a server that speaks its protocol.

import { expect, it } from 'vitest'
import { inJson, synthesizerLanguages } from '../../../test/props/vendors/language-suite.ts'
import { openPollyTts } from '../../../test/props/vendors/polly-tts.ts'
import { pronouncedWords, sentFor, synthesizerSettings } from '../../../test/props/vendors/settings-suite.ts'
import { synthesizerSuite } from '../../../test/props/vendors/tts-suite.ts'
import { speaks } from './speaks.ts'

const apiKey = 'secret-of-the-vendor'
const awsKey = { secretAccessKey: apiKey, accessKeyId: 'AKIA1234', region: 'eu-west-1' }
const synthesizer = { vendor: speaks, credentials: awsKey, open: () => openPollyTts(awsKey) }

synthesizerSuite(speaks.label, { ...synthesizer, over: 'http', nonsense: null })

synthesizerSettings(synthesizer, [
  [{ voice: 'Matthew' }, '"VoiceId":"Matthew"'],
  [{ voice: 'Matthew', voiceId: 'Amy' }, '"VoiceId":"Amy"'],
  [{ language: 'de' }, '"VoiceId":"Vicki"'],
  [{ language: 'hi' }, ['"VoiceId":"Kajal"', '"LanguageCode":"hi-IN"']],
  [{ engine: 'generative' }, '"Engine":"generative"'],
  [{ voice: 'Raveena' }, '"Engine":"standard"'],
  [{ language: 'ru' }, ['"VoiceId":"Tatyana"', '"Engine":"standard"']],
  [{ speed: 1.2 }, '<prosody rate=\\"120%\\">'],
  [{ speed: 9 }, '<prosody rate=\\"200%\\">'],
  [
    { pronunciations: pronouncedWords },
    ['<phoneme alphabet=\\"ipa\\" ph=\\"ŋwiən\\">', '<sub alias=\\"questions &amp; answers\\">Q&amp;A</sub>'],
  ],
])

// Only a voice of two languages is told which.
synthesizerLanguages(synthesizer, {
  where: inJson('LanguageCode'),
  written: ',,,hi-IN,,,,,',
})

it('Polly has a voice of its own for every language that it speaks', async () => {
  const { languages } = speaks.abilities
  const voices = new Set<string>()
  for (const language of languages) {
    const sent = await sentFor(synthesizer, { language })
    voices.add(/"VoiceId":"(\w+)"/.exec(sent)?.[1] ?? '')
  }
  expect(voices.size).toBe(languages.length)
})
