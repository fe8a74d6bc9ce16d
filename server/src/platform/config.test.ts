// Settings that are invalid, by themselves or beside others.
import { describe, expect, it } from 'vitest'
import { readConfig, SettingError } from './config.ts'

describe('an invalid setting is refused in one sentence that names it', () => {
  it.each<[Record<string, string>, string, string]>([
    [{ PORT: 'http' }, 'PORT', 'must be a whole number; "http" is not.'],
    [{ PORT: '70000' }, 'PORT', 'must be at most 65535; "70000" is not.'],
    [
      { PARLEY_ROLES: 'api,cook' },
      'PARLEY_ROLES',
      'must be a comma-separated list of api, worker, media, speech; "api,cook" is not.',
    ],
    [{ PARLEY_WORKSPACE_ID: '7' }, 'PARLEY_WORKSPACE_ID', 'must be a UUID; "7" is not.'],
    [
      { PARLEY_API_KEY: 'a b' },
      'PARLEY_API_KEY',
      'must be at least 8 visible characters without spaces; its value is not.',
    ],
    [
      { PARLEY_WEBHOOK_ALLOW_PRIVATE: 'yes' },
      'PARLEY_WEBHOOK_ALLOW_PRIVATE',
      'must be true or false; "yes" is not.',
    ],
    [
      { DATABASE_URL: 'postgres://x@127.0.0.1/x' },
      'PARLEY_SECRET',
      'is required with DATABASE_URL: every process needs the same one.',
    ],
    [
      { DATABASE_URL: 'mysql://x:hunter2@y', PARLEY_SECRET: 'long enough' },
      'DATABASE_URL',
      'must be an address that begins with postgres:// or postgresql://; its value is not.',
    ],
  ])('%o', (env, name, sentence) => {
    expect(() => readConfig(env)).toThrow(new SettingError(name, sentence))
  })
})

describe('the language model', () => {
  it.each<[Record<string, string>, string]>([
    [{ PARLEY_LLM_PROVIDER: 'openai' }, 'PARLEY_LLM_MODEL is required with PARLEY_LLM_PROVIDER=openai'],
    [
      { PARLEY_LLM_PROVIDER: 'azure', PARLEY_LLM_MODEL: 'd' },
      'PARLEY_LLM_BASE_URL is required with PARLEY_LLM_PROVIDER=azure, which has no address of its own.',
    ],
    [
      { PARLEY_LLM_PROVIDER: 'anthropic', PARLEY_LLM_MODEL: 'm' },
      'PARLEY_LLM_API_KEY is required with PARLEY_LLM_PROVIDER=anthropic; PARLEY_ANTHROPIC_API_KEY will do',
    ],
    [{ PARLEY_LLM_PROVIDER: 'acme', PARLEY_LLM_MODEL: 'm' }, 'PARLEY_LLM_PROVIDER must be one of openai'],
  ])('is refused with half of its settings: %o', (env, sentence) => {
    expect(() => readConfig(env)).toThrow(sentence)
  })

  it.each<[Record<string, string>]>([
    [{ PARLEY_LLM_PROVIDER: 'ollama', PARLEY_LLM_MODEL: 'llama3.2' }],
    [{ PARLEY_LLM_PROVIDER: 'gemini', PARLEY_LLM_MODEL: 'm', PARLEY_GEMINI_API_KEY: 'k' }],
    [{ PARLEY_LLM_PROVIDER: 'openai', PARLEY_LLM_MODEL: 'm', PARLEY_LLM_BASE_URL: 'http://gpu:1/v1' }],
  ])('is complete with %o', (env) => {
    expect(readConfig(env)).toMatchObject({ llmProvider: env.PARLEY_LLM_PROVIDER })
  })
})

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
      'PARLEY_STT_PROTOCOL must be one of deepgram, elevenlabs, openai, azure, sarvam, assembly, gladia, soniox; "babel" is not.',
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
