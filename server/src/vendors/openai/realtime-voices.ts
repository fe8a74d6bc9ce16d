// The voices of OpenAI's realtime models: wss /v1/realtime?model=…, one session for the sayings of a call, each clause a
// response beside the conversation, of which there is none.
//
//   → session.update {session: {type: realtime, output_modalities: [audio], audio: {output: {format, voice, speed}}}}
//   → response.create {event_id, response: {conversation: none, input: [], instructions, metadata}}
//   → response.cancel {response_id}, which only response.created tells
//   ← response.created {response} · response.output_audio.delta {response_id, delta} · response.done {response} · error
import { z } from 'zod'
import type { SynthesizerOptions } from '../../ports/synthesizer.ts'
import type { TtsDialect, TtsSaying } from '../over/speaks/dialect.ts'
import { voiceOf, within } from '../over/speaks/options.ts'
import { oneAtATime, type TurnMessage } from '../over/speaks/turns.ts'
import { readVendorMessage } from '../over/wire/passed-over.ts'
import { account } from './account.ts'
import { sayingExactly } from './beside-conversation.ts'
import { speaksOptions } from './own-options.ts'
import { OpenAiMessage, wireRateHz } from './realtime-session.ts'

/** Voices of the older models only, and those that come closest to them. */
const closest: Readonly<Record<string, string>> = { fable: 'ballad', nova: 'coral', onyx: 'ash' }

export const hasVoice = (voice: string): boolean => !Object.hasOwn(closest, voice.toLowerCase())

const format = { type: 'audio/pcm', rate: wireRateHz }
// An interrupted saying counts until the server has stopped it.
const mostSayings = 4

const voiceIn = (options: SynthesizerOptions) => {
  const name = voiceOf(options, 'marin')
  // A voice of one's own goes by its id.
  return name.startsWith('voice_') ? { id: name } : (closest[name.toLowerCase()] ?? name.toLowerCase())
}

export const realtimeVoices = (languages: TtsDialect['abilities']['languages']): TtsDialect => ({
  label: account.label,
  abilities: { clauseEnds: true, wordTimes: false, languages },
  rateHz: wireRateHz,
  connect: ({ model = '', speed, ...options }, given) => ({
    ...account.socket(given, '/v1/realtime', { model }),
    hello: JSON.stringify({
      type: 'session.update',
      session: {
        type: 'realtime',
        output_modalities: ['audio'],
        audio: {
          input: { turn_detection: null },
          output: {
            format,
            voice: voiceIn({ ...options, rateHz: wireRateHz }),
            ...(speed !== undefined && { speed: within(0.25, 1.5, speed) }),
          },
        },
      },
    }),
  }),
  sharing: 'by-context',
  mostContexts: mostSayings,
  begin: sayingOf,
})

const Own = z.object({ instructions: z.string() }).partial()

function sayingOf(saying: string, options: SynthesizerOptions): TtsSaying {
  const { instructions } = Own.parse(speaksOptions.at('request', options))
  let clauses = 0
  let number = ''
  let responseId: string | undefined
  let isCancelled = false
  const cancel = (response_id: string) => JSON.stringify({ type: 'response.cancel', response_id })

  const begun = ({ response }: OpenAiMessage): readonly TurnMessage[] => {
    if (!response || response.metadata?.number !== number) return []
    responseId = response.id
    return isCancelled ? [{ type: 'send', messages: [cancel(response.id)] }] : []
  }

  const done = ({ response }: OpenAiMessage): readonly TurnMessage[] => {
    if (response?.id !== responseId) return []
    responseId = undefined
    const reason = response?.status_details?.error?.message ?? 'no reason was given'
    return response?.status === 'failed' && !isCancelled ? [{ type: 'failed', reason }] : [{ type: 'done' }]
  }

  const failed = ({ error }: OpenAiMessage): readonly TurnMessage[] => {
    const isOfAnother = error?.event_id && error.event_id !== number
    if (isOfAnother || error?.code === 'response_cancel_not_active') return []
    return [{ type: 'failed', reason: error?.message ?? 'no reason was given' }]
  }

  return oneAtATime({
    rateHz: wireRateHz,
    speak(clause) {
      number = `${saying}-${++clauses}`
      const response = { ...sayingExactly(clause, instructions), metadata: { number } }
      return [JSON.stringify({ type: 'response.create', event_id: number, response })]
    },
    cancel() {
      isCancelled = true
      return responseId === undefined ? [] : [cancel(responseId)]
    },
    decode(raw) {
      const message = readVendorMessage(OpenAiMessage, raw)
      switch (message.type) {
        case 'response.created':
          return begun(message)
        case 'response.output_audio.delta':
          return message.response_id === responseId && !isCancelled
            ? [{ type: 'sound', pcm: Buffer.from(message.delta ?? '', 'base64') }]
            : []
        case 'response.done':
          return responseId === undefined ? [] : done(message)
        case 'error':
          return failed(message)
        default:
          return []
      }
    },
  })
}
