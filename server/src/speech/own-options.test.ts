// What is made of a `provider_config`, and what people are told about the rest.

import { synthesizerNames, transcriberNames } from '@parley/contract/companies'
import { describe, expect, it } from 'vitest'
import { sttVendors, ttsVendors } from '../vendors/index.ts'
import { offlineOwner, readOwnOptions } from './own-options.ts'

const { cartesia, elevenlabs, google, rime, sarvam } = ttsVendors

const spoken = (vendor: Parameters<typeof readOwnOptions>[1], config: object, wish = {}) =>
  readOwnOptions('synthesizer', vendor, config as never, wish)
const told = (vendor: Parameters<typeof readOwnOptions>[1], config: object, wish = {}) =>
  spoken(vendor, config, wish).problems.map(({ message }) => message)

describe('a provider_config', () => {
  it('is passed on by the vendor’s names, with or without the objects around them', () => {
    const flat = spoken(elevenlabs, { style: 0.31, use_speaker_boost: false, enable_logging: false })
    const nested = spoken(elevenlabs, {
      voice_settings: { style: 0.31, use_speaker_boost: false },
      enable_logging: false,
    })
    expect(flat).toEqual({
      own: {
        'voice_settings.style': 0.31,
        'voice_settings.use_speaker_boost': false,
        enable_logging: false,
      },
      problems: [],
    })
    expect(nested).toEqual(flat)
  })

  it('leaves to Parley what it reads for every vendor', () => {
    const common = {
      voice: 'Ada',
      voice_id: 'v',
      model: 'm',
      speed: 1.1,
      similarity_boost: 0.2,
      language: 'it',
    }
    expect(spoken(elevenlabs, common)).toEqual({ own: undefined, problems: [] })
  })

  it('asks for nothing where a value is empty', () => {
    expect(spoken(cartesia, { emotion: null, locale: '', pronunciation_dict_id: null })).toEqual({
      own: undefined,
      problems: [],
    })
  })

  it.each([
    [
      'a slip of the hand',
      cartesia,
      { emotionn: 'calm' },
      'Cartesia has no setting "emotionn". Did you mean "emotion"?',
    ],
    [
      'another spelling',
      rime,
      { pause_between_brackets: true },
      'Rime has no setting "pause_between_brackets". Did you mean "pauseBetweenBrackets"?',
    ],
    [
      'a slip within an object',
      elevenlabs,
      { voice_settings: { stile: 0.2 } },
      'ElevenLabs has no setting "voice_settings.stile". Did you mean "voice_settings.style"?',
    ],
    ['another vendor’s', cartesia, { quokka: 3 }, 'Cartesia has no setting "quokka". It is not sent.'],
    [
      'a number out of range',
      elevenlabs,
      { style: 31 },
      '"voice_settings.style" of ElevenLabs must be a number from 0 to 1; it is not sent.',
    ],
    [
      'a text in place of a switch',
      elevenlabs,
      { enable_logging: 'false' },
      '"enable_logging" of ElevenLabs must be true or false; it is not sent.',
    ],
    [
      'a value that there is not',
      elevenlabs,
      { apply_text_normalization: 'sometimes' },
      '"apply_text_normalization" of ElevenLabs must be one of auto, on, off; it is not sent.',
    ],
    ['a number for a voice', elevenlabs, { voice: 7 }, '"voice" must be a text; it is not sent.'],
    [
      'the format of the answer',
      cartesia,
      { output_format: { container: 'mp3' } },
      '"output_format" is not passed on to Cartesia: Parley sets it, because it reads the answer by it.',
    ],
    [
      'what has a setting of its own',
      elevenlabs,
      { language_code: 'pt' },
      '"language_code" is not passed on to ElevenLabs: set synthesizer.language instead.',
    ],
    [
      'what belongs one level higher',
      elevenlabs,
      { buffer_size: 200 },
      '"buffer_size" belongs elsewhere: set synthesizer.buffer_size instead.',
    ],
    [
      'a secret',
      elevenlabs,
      { xi_api_key: 'sk-1' },
      'Secrets are not settings: store "xi_api_key" as the credentials of ElevenLabs.',
    ],
    [
      'an option of the offline voice',
      offlineOwner('synthesizer'),
      { emotion: 'calm' },
      'The offline voice has no setting "emotion". It is not sent.',
    ],
  ])('warns of %s', (_, vendor, config, sentence) => {
    expect(spoken(vendor, config)).toEqual({
      own: undefined,
      problems: [{ name: expect.any(String), message: sentence }],
    })
  })

  it('with a wrong value still sends the right ones', () => {
    const { own, problems } = spoken(cartesia, { emotion: 'serene', volume: 'loud', quokka: 1 })
    expect(own).toEqual({ 'generation_config.emotion': 'serene' })
    expect(problems.map(({ name }) => name)).toEqual(['volume', 'quokka'])
  })

  it('is read for the model and the voice of the agent', () => {
    const other = (name: string, label: string) =>
      `${label} does not take "${name}" with the model or the voice of this agent; it is not sent.`
    expect(told(rime, { top_p: 0.3 }, { model: 'coda' })).toEqual([])
    expect(told(rime, { top_p: 0.3 }, { model: 'mistv2' })).toEqual([other('top_p', 'Rime')])
    expect(told(sarvam, { pitch: 0.1 })).toEqual([other('pitch', 'Sarvam')])
    expect(told(sarvam, { pitch: 0.1 }, { model: 'bulbul:v2' })).toEqual([])
    expect(told(google, { pitch: 2 }, { voice: 'de-DE-Neural2-B' })).toEqual([])
    expect(told(google, { pitch: 2 }, { voice: 'Charon' })).toEqual([other('pitch', 'Google')])
    const eager = { eager_eot_threshold: 0.4 }
    const heard = (model: string) => readOwnOptions('transcriber', sttVendors.deepgram, eager, { model })
    expect(heard('flux-general-en').own).toEqual(eager)
    expect(heard('nova-3').problems).toHaveLength(1)
  })

  it('may have names that every object has', () => {
    const config = JSON.parse('{"constructor": 1, "__proto__": {"emotion": "sad"}, "toString": "x"}')
    expect(spoken(cartesia, config)).toEqual({
      own: undefined,
      problems: ['constructor', '__proto__', 'toString'].map((name) => ({
        name,
        message: `Cartesia has no setting "${name}". It is not sent.`,
      })),
    })
  })

  it('of thousands of unknown names is answered for the first ones, and what is known is sent', () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`emotion${at}x`, at]))
    const { own, problems } = spoken(cartesia, { ...many, volume: 0.9 })
    expect(problems).toHaveLength(50)
    expect(own).toEqual({ 'generation_config.volume': 0.9 })
  })

  it('of a transcriber has no settings of the transcriber', () => {
    const { problems } = readOwnOptions('transcriber', sttVendors.soniox, { model: 'stt-rt-v5' }, {})
    expect(problems).toEqual([
      { name: 'model', message: '"model" belongs elsewhere: set transcriber.model instead.' },
    ])
  })
})

describe('the lists of the companies', () => {
  const services = [
    ...synthesizerNames.map((name) => ({ name: `${name} speaks`, ...ttsVendors[name] })),
    ...transcriberNames.map((name) => ({ name: `${name} hears`, ...sttVendors[name] })),
  ]

  it.each(services)('$name: what is passed on is neither a secret nor withheld', ({ ownOptions }) => {
    const names = Object.keys(ownOptions.known)
    expect(
      names.filter((name) => /(key|token|secret)$|sample_rate|encoding|channels|codec/i.test(name)),
    ).toEqual([])
    expect(names.filter((name) => name in ownOptions.withheld)).toEqual([])
  })

  it.each(services)('$name: every option says in a phrase what it does', ({ ownOptions }) => {
    for (const { effect, form } of Object.values(ownOptions.known)) {
      expect(effect).toMatch(/^.{5,}[^.]$/)
      expect(form).not.toBe('')
    }
  })
})
