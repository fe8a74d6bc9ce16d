// OpenAI, and servers that speak its interface: realtime models in a session, the older ones with a request for each clause.
import { isRealtimeModel } from '@parley/contract/realtime-model'
import type { Synthesizer, SynthesizerOptions } from '../../ports/synthesizer.ts'
import type { TtsVendor, VendorAccount } from '../../ports/vendor.ts'
import { usualTtsOptions, voiceOf, within } from '../over/speaks/options.ts'
import { speakOverHttp } from '../over/speaks/over-http.ts'
import { speakOverSocket } from '../over/speaks/over-socket.ts'
import { account, host } from './account.ts'
import { speaksOptions } from './own-options.ts'
import { hasVoice, realtimeVoices } from './realtime-voices.ts'

// platform.openai.com/docs/guides/text-to-speech: the languages of Whisper that it lists, as of 2026-11.
const languages = [
  'af ar az be bg bs ca cs cy da de el en es et fa fi fr gl he hi hr hu hy id is it ja kk kn ko lt lv',
  'mi mk mr ms ne nl no pl pt ro ru sk sl sr sv sw ta th tl tr uk ur vi zh',
].flatMap((line) => line.split(' '))

// The models that are asked by request end on 2027-01-06.
const usualModel = 'gpt-realtime-2.1-mini'
// Other servers with OpenAI's interface have this request and no sessions.
const usualElsewhere = 'gpt-4o-mini-tts'

const isElsewhere = ({ baseUrl }: VendorAccount): boolean =>
  baseUrl !== undefined && URL.parse(baseUrl)?.hostname !== host

/** The model of agents that name none depends on whose server it is. */
export const modelFor = ({ model }: Pick<SynthesizerOptions, 'model'>, given: VendorAccount): string =>
  model ?? (isElsewhere(given) ? usualElsewhere : usualModel)

const inSession = speakOverSocket(realtimeVoices(languages))

/** POST /v1/audio/speech, `response_format: pcm`: always 24 kHz. */
const byRequest = speakOverHttp({
  label: account.label,
  languages,
  rateHz: 24_000,
  warm: (given) => account.request(given, '/v1/models'),
  ask: (clause, { model, speed, ...options }, given) => ({
    ...account.jsonRequest(given, '/v1/audio/speech'),
    body: JSON.stringify({
      input: clause,
      model,
      voice: voiceOf(options, 'alloy').toLowerCase(),
      response_format: 'pcm',
      ...(speed !== undefined && { speed: within(0.25, 4, speed) }),
      ...speaksOptions.at('request', options),
    }),
  }),
})

export const speaks: TtsVendor = {
  ...account.shared,
  abilities: { streaming: true, clauseEnds: true, wordTimes: false, languages },
  options: {
    ...usualTtsOptions,
    voice: '`voice`',
    voiceId: '`voice`, instead of its name',
    model: '`model`: a realtime model speaks in a session, others are asked for each clause',
    language: 'found out from the text',
    speed: '`speed`, from 0.25 to 4; to 1.5 with a realtime model',
    stream: 'always streamed',
  },
  ownOptions: speaksOptions,
  // Realtime models lack some of the older voices, and speak in those that come closest.
  lacks: ({ voice, model }) =>
    voice && !hasVoice(voice) && isRealtimeModel(model ?? usualModel) ? ['voice'] : [],
  open(given) {
    const engines: readonly [Synthesizer, Synthesizer] = [inSession(given), byRequest(given)]
    const speaking = (options: SynthesizerOptions) => {
      const model = modelFor(options, given)
      const engine = engines[isRealtimeModel(model) ? 0 : 1]
      return { engine, options: { ...options, model } }
    }
    return {
      abilities: engines[0].abilities,
      open(asked, signal) {
        const { engine, options } = speaking(asked)
        return engine.open(options, signal)
      },
      async warm(asked, signal) {
        const { engine, options } = speaking(asked)
        await engine.warm?.(options, signal)
      },
      close() {
        for (const engine of engines) engine.close?.()
      },
    }
  },
}
