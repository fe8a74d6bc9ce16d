// Scripted vendors that return the transcript in the response.
import { transcribesRecordings as azureTranscription } from '../../../src/vendors/azure/recordings.ts'
import { transcribesRecordings as deepgramTranscription } from '../../../src/vendors/deepgram/recordings.ts'
import { transcribesRecordings as elevenLabsTranscription } from '../../../src/vendors/elevenlabs/recordings.ts'
import { transcribesRecordings as openAiTranscription } from '../../../src/vendors/openai/recordings.ts'
import { transcribesRecordings as sarvamTranscription } from '../../../src/vendors/sarvam/recordings.ts'
import { all, inMs, type ScriptedVendor, said, sentences } from './said.ts'

const deepgram = (utterances: unknown[]) => ({
  body: { results: { channels: [{ detected_language: 'en', language_confidence: 0.97 }], utterances } },
})
const eleven = (words: unknown[]) => ({
  body: { language_code: 'eng', language_probability: 0.99, text: '', words },
})
const openai = (segments: unknown[], words: unknown[]) => ({
  body: { text: segments.length ? 'Hello there. Good bye.' : '', language: 'english', segments, words },
})

export const synchronousVendors = {
  openai: {
    name: 'OpenAI',
    open: (server) => openAiTranscription({ ...server, baseUrl: `${server.baseUrl}/v1` }),
    key: ['authorization', 'Bearer sk-test-key'],
    reports: { speakers: false, words: true },
    confidence: { sentence: 0.905, language: null },
    spoken: {
      '*': openai(
        sentences.map(({ text, start, end }) => ({ text: ` ${text}`, start, end, avg_logprob: -0.1 })),
        said.map(({ text, start, end }) => ({ word: text, start, end })),
      ),
    },
    silent: { '*': openai([], []) },
  },
  deepgram: {
    name: 'Deepgram',
    open: (server) => deepgramTranscription({ ...server, baseUrl: `${server.baseUrl}/v1` }),
    key: ['authorization', 'Token sk-test-key'],
    reports: all,
    confidence: { sentence: null, language: 0.97 },
    spoken: {
      '*': deepgram(
        sentences.map(({ text: transcript, words, ...rest }) => ({
          ...rest,
          transcript,
          words: words.map(({ text, ...word }) => ({ ...word, word: 'x', punctuated_word: text })),
        })),
      ),
    },
    silent: { '*': deepgram([]) },
  },
  elevenlabs: {
    name: 'ElevenLabs',
    open: elevenLabsTranscription,
    key: ['xi-api-key', 'sk-test-key'],
    reports: all,
    confidence: { sentence: 0.85, language: 0.99 },
    spoken: {
      '*': eleven(
        said.flatMap(({ text, start, end, speaker, confidence }) => [
          { type: 'word', text, start, end, speaker_id: `speaker_${speaker}`, logprob: Math.log(confidence) },
          { type: 'spacing', text: ' ', start: end, end, speaker_id: `speaker_${speaker}`, logprob: 0 },
          { type: 'audio_event', text: '(laughter)', start: end, end, logprob: 0 },
        ]),
      ),
    },
    silent: { '*': eleven([]) },
  },
  azure: {
    name: 'Azure',
    open: azureTranscription,
    key: ['ocp-apim-subscription-key', 'sk-test-key'],
    reports: all,
    confidence: { sentence: 0.9, language: null },
    spoken: {
      '*': {
        body: {
          durationMilliseconds: 2000,
          combinedPhrases: [{ text: 'Hello there. Good bye.' }],
          phrases: sentences.map(({ text, start, end, speaker, words }) => ({
            text,
            speaker: speaker + 1,
            locale: 'en-US',
            confidence: 0.9,
            offsetMilliseconds: inMs(start),
            durationMilliseconds: inMs(end - start),
            words: words.map((word) => ({
              text: word.text,
              offsetMilliseconds: inMs(word.start),
              durationMilliseconds: inMs(word.end - word.start),
            })),
          })),
        },
      },
    },
    silent: { '*': { body: { durationMilliseconds: 2000, combinedPhrases: [], phrases: [] } } },
  },
  sarvam: {
    name: 'Sarvam',
    open: sarvamTranscription,
    key: ['api-subscription-key', 'sk-test-key'],
    reports: { speakers: false, words: false },
    confidence: { sentence: null, language: null },
    spoken: {
      '*': {
        body: {
          transcript: 'Hello there. Good bye.',
          language_code: 'en-IN',
          timestamps: {
            words: sentences.map(({ text }) => text),
            start_time_seconds: sentences.map(({ start }) => start),
            end_time_seconds: sentences.map(({ end }) => end),
          },
        },
      },
    },
    silent: { '*': { body: { transcript: '', language_code: null } } },
  },
} satisfies Readonly<Record<string, ScriptedVendor>>

/** Models that tell no times: the text of a piece is one segment. */
export const textVendors = {
  openai: {
    ...synchronousVendors.openai,
    name: 'OpenAI in text',
    open: (server) => synchronousVendors.openai.open({ ...server, model: 'gpt-transcribe' }),
    reports: { speakers: false, words: false, sentences: false },
    confidence: { sentence: null, language: null },
    spoken: { '*': { body: { text: 'Hello there. Good bye.', languages: [{ code: 'en' }] } } },
    silent: { '*': { body: { text: '', languages: [] } } },
  },
} satisfies Readonly<Record<string, ScriptedVendor>>
