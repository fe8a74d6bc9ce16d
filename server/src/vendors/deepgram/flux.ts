// Deepgram Flux, which detects turns: wss /v2/listen.
//
//   → binary audio · {"type":"ForceEndTurn"} · {"type":"CloseStream"}
//   ← {"type":"TurnInfo","event":"StartOfTurn|Update|EagerEndOfTurn|TurnResumed|EndOfTurn","transcript":"…"}
import { z } from 'zod'
import type { TranscriberOptions, TranscriptEvent, TurnDetection } from '../../ports/transcriber.ts'
import type { SttListening, SttOptions } from '../over/hears/over-socket.ts'
import { languageOf, newLanguageTold, patienceOf, patiently } from '../over/hears/wishes.ts'
import { readVendorMessage } from '../over/wire/passed-over.ts'
import type { Query } from '../over/wire/vendor-address.ts'
import { bye, FailureMessage, failed, finalOf, OtherMessage } from './messages.ts'
import { hearsOptions, isFlux } from './own-options.ts'

const TurnInfo = z.object({
  type: z.literal('TurnInfo'),
  event: z.enum(['StartOfTurn', 'Update', 'EagerEndOfTurn', 'TurnResumed', 'EndOfTurn']),
  transcript: z.string(),
  end_of_turn_confidence: z.number().optional(),
  languages: z.array(z.string()).optional(),
})

type TurnInfo = z.infer<typeof TurnInfo>

const Message = z.discriminatedUnion('type', [TurnInfo, FailureMessage, OtherMessage])

export const isMulti = (model: string) => model.includes('multi')

const isDetecting = ({ model, turnDetection }: TranscriberOptions): boolean =>
  isFlux(model) && turnDetection !== 'call'

// Deepgram's own is 5 s. A caller who waits longer than eight thinks that the line is dead.
const timeoutOf = (options: TranscriberOptions): number => patiently(5_000, [500, 8_000], options)

export const detectionOf = (options: TranscriberOptions): TurnDetection | undefined =>
  isDetecting(options) ? { isEager: true, longestSilenceMs: timeoutOf(options) } : undefined

const inHundredths = (value: number): number => Math.round(value * 100) / 100

const Own = z.object({ eot_threshold: z.number(), eager_eot_threshold: z.number() }).partial()

/**
 * How sure Flux is before it ends a turn, from 0.5 to 0.9: 0.7 is Deepgram's own, and a tenth more for twice the
 * patience. It prepares us with a fifth less. What the agent gives comes first; Deepgram refuses a preparation that has to
 * be surer than the end.
 */
function thresholdsOf(options: TranscriberOptions): Query {
  if (!isDetecting(options)) return { eot_threshold: 1, eot_timeout_ms: 60_000 }
  const own = Own.parse(hearsOptions.at('flux', options))
  const usual = inHundredths(Math.min(Math.max(0.7 + 0.1 * Math.log2(patienceOf(options)), 0.5), 0.9))
  const sure = own.eot_threshold ?? Math.max(usual, own.eager_eot_threshold ?? 0)
  return {
    eot_threshold: sure,
    eager_eot_threshold: Math.min(own.eager_eot_threshold ?? inHundredths(sure - 0.2), sure),
    eot_timeout_ms: timeoutOf(options),
  }
}

export function fluxQuery(options: SttOptions): Query {
  const { model, language, rateHz, encoding, keyterms = [] } = options
  return {
    model,
    encoding,
    sample_rate: rateHz,
    ...thresholdsOf(options),
    keyterm: keyterms,
    language_hint: isMulti(model) ? languageOf({ language }) : undefined,
    ...hearsOptions.query('query', options),
  }
}

export function flux(options: SttOptions): SttListening {
  const newLanguage = newLanguageTold(options)
  return {
    finalize: () => '{"type":"ForceEndTurn"}',
    bye,
    decode(raw) {
      const message = readVendorMessage(Message, raw)
      if (message.type === 'Error' || message.type === 'FatalError') return [failed(message)]
      if (message.type !== 'TurnInfo') return []
      const { event, transcript: text, end_of_turn_confidence: confidence, languages } = message
      const languageEvents = newLanguage(languages?.[0])
      return [...languageEvents, ...turnEvents[event](text, confidence)]
    },
  }
}

const turnEvents: Readonly<
  Record<TurnInfo['event'], (text: string, confidence?: number) => readonly TranscriptEvent[]>
> = {
  StartOfTurn: (text) => [{ type: 'speech-started' }, ...partial(text)],
  Update: (text) => partial(text),
  EagerEndOfTurn: (text) => [...partial(text), { type: 'end-of-turn', is: 'likely' }],
  TurnResumed: (text) => [{ type: 'end-of-turn', is: 'withdrawn' }, ...partial(text)],
  EndOfTurn: (text, confidence) => [
    finalOf(text, confidence),
    { type: 'end-of-turn', is: 'certain' },
    { type: 'speech-ended' },
  ],
}

const partial = (text: string): readonly TranscriptEvent[] => (text ? [{ type: 'partial', text }] : [])
