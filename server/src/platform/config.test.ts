// Settings that depend on each other: which engine transcribes recordings, at which address, with which key.
import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'

describe('the transcription engine', () => {
  it.each<[string, Record<string, string>, object | undefined]>([
    ['is the offline engine by default', {}, undefined],
    [
      'is an OpenAI-compatible server if only its address is set',
      { PARLEY_STT_BASE_URL: 'http://localhost:8000/v1' },
      { protocol: 'openai', baseUrl: 'http://localhost:8000/v1', apiKey: undefined },
    ],
    [
      'is a vendor at its default address if only its name and key are set',
      { PARLEY_STT_PROTOCOL: 'assembly', PARLEY_STT_API_KEY: 'operator-key' },
      { protocol: 'assembly', baseUrl: undefined, model: undefined, apiKey: 'operator-key' },
    ],
  ])('%s', (_who, env, stt) => {
    const config = readConfig(env)
    if (stt) expect(config.stt).toMatchObject(stt)
    else expect(config.stt).toBeUndefined()
  })

  it.each<[Record<string, string>, string]>([
    [
      { PARLEY_STT_PROTOCOL: 'babel' },
      'PARLEY_STT_PROTOCOL must be one of openai, deepgram, assembly, azure, elevenlabs, gladia, sarvam, soniox; "babel" is not.',
    ],
    [
      { PARLEY_STT_PROTOCOL: 'azure', PARLEY_STT_API_KEY: 'operator-key' },
      'PARLEY_STT_BASE_URL is required with PARLEY_STT_PROTOCOL=azure: the endpoint of your Speech resource.',
    ],
    [
      { PARLEY_STT_PROTOCOL: 'azure', PARLEY_STT_BASE_URL: 'https://x.example', PARLEY_STT_MODEL: 'best' },
      'PARLEY_STT_MODEL is not for PARLEY_STT_PROTOCOL=azure: unset it.',
    ],
    [
      { PARLEY_STT_PROTOCOL: 'assembly' },
      'PARLEY_STT_API_KEY is required with PARLEY_STT_PROTOCOL=assembly.',
    ],
  ])('%o is refused', (env, sentence) => {
    expect(() => readConfig(env)).toThrow(sentence)
  })
})
