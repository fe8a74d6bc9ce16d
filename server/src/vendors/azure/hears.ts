// Azure Speech: the socket of its own SDK. Its REST form would take an utterance at a time and send no words meanwhile.
//
// A stretch of audio is a turn with a request id of its own:
//   → speech.config, once · speech.context · audio with a WAV header · audio · … · audio without a body: the end of the turn
//   ← turn.start · speech.hypothesis {Text} · speech.phrase {RecognitionStatus,DisplayText,Offset,Duration} · turn.end
//
// A final is asked for by ending the turn; what is said meanwhile waits for `turn.end` and begins the next one. Offsets count
// from the beginning of the turn.
import { z } from 'zod'
import { wavHeader } from '../../media/wav.ts'
import {
  type SttListening,
  type SttMessage,
  type SttOptions,
  socketVendor,
} from '../over/hears/over-socket.ts'
import { bytesPerSample } from '../over/hears/sound.ts'
import { CallerLanguages, localeOf, modelOr } from '../over/hears/wishes.ts'
import { readVendorMessage } from '../over/wire/passed-over.ts'
import { account, hearsHost } from './account.ts'
import { azureAudio, azureId, azureJson, azureMs, azureSession, parseAzureText } from './azure-messages.ts'
import { hearsOptions } from './own-options.ts'

const Spoken = z.object({ Language: z.string() }).optional()
const Hypothesis = z.object({ Text: z.string() })
const Phrase = z.object({
  RecognitionStatus: z.string(),
  DisplayText: z.string().default(''),
  Offset: z.number().default(0),
  Duration: z.number().default(0),
  PrimaryLanguage: Spoken,
})
// The paths of microsoft-cognitiveservices-speech-sdk 1.52.
const paths = [
  ...(['turn.start', 'turn.end', 'speech.hypothesis', 'speech.phrase', 'speech.fragment'] as const),
  ...(['speech.startdetected', 'speech.enddetected', 'speech.keyword'] as const),
]
const Message = z.object({ path: z.enum(paths), body: z.string() })

// Azure refuses other values.
const [leastSilenceMs, mostSilenceMs] = [100, 5_000]
// Azure identifies at most ten languages at a time.
const candidates = ['en-US', 'es-ES', 'fr-FR', 'de-DE', 'pt-BR', 'it-IT', 'hi-IN', 'nl-NL', 'zh-CN', 'ar-EG']
const failures = ['Error', 'TooManyRequests', 'BadRequest', 'Forbidden']

// learn.microsoft.com, language support of the Speech service (speech to text), as of 2026-11.
const understood = [
  'af am ar as az bg bn bs ca cs cy da de el en es et eu fa fi fil fr ga gl gu he hi hr hu hy id is',
  'it ja jv ka kk km kn ko lo lt lv mk ml mn mr ms mt my ne nl no or pa pl ps pt ro ru si sk sl so sq',
  'sr sv sw ta te th tr uk ur uz vi wuu yue zh zu',
].flatMap((line) => line.split(' '))

class Turns implements SttListening {
  readonly #options: SttOptions
  readonly #languages: CallerLanguages
  readonly #held: Uint8Array[] = []
  #turn: 'none' | 'open' | 'ending' = 'none'
  #requestId = azureId()
  #sentMs = 0
  /** Where the turn began in the audio of the stream. */
  #beganMs = 0
  #wasPartial = false

  constructor(options: SttOptions) {
    this.#options = options
    this.#languages = new CallerLanguages(options)
  }

  get bye(): Uint8Array {
    return azureAudio(this.#requestId)
  }

  encode(sound: Uint8Array): readonly (string | Uint8Array)[] {
    if (this.#turn === 'ending') {
      this.#held.push(sound)
      return []
    }
    const sounds = [...this.#held.splice(0), sound]
    const opening = this.#turn === 'none' ? this.#begin() : []
    for (const { length } of sounds) this.#sentMs += this.#lengthMs(length)
    return [...opening, ...sounds.map((one) => azureAudio(this.#requestId, one))]
  }

  finalize(): Uint8Array | undefined {
    if (this.#turn !== 'open') return undefined
    this.#turn = 'ending'
    return azureAudio(this.#requestId)
  }

  decode(raw: unknown): readonly SttMessage[] {
    const { path, body } = readVendorMessage(Message, raw)
    if (path === 'turn.end') this.#turn = 'none'
    if (path === 'speech.hypothesis') {
      this.#wasPartial = true
      return [{ type: 'partial', text: Hypothesis.parse(JSON.parse(body)).Text }]
    }
    return path === 'speech.phrase' ? this.#phrase(Phrase.parse(JSON.parse(body))) : []
  }

  #begin(): readonly (string | Uint8Array)[] {
    this.#turn = 'open'
    this.#requestId = azureId()
    this.#beganMs = this.#sentMs
    const { rateHz, encoding } = this.#options
    return [
      azureJson('speech.context', this.#requestId, contextOf(this.#options)),
      azureAudio(this.#requestId, wavHeader({ rateHz, encoding, channels: 1 }, 0), 'audio/x-wav'),
    ]
  }

  #phrase(phrase: z.infer<typeof Phrase>): readonly SttMessage[] {
    const { RecognitionStatus: status, DisplayText: text, PrimaryLanguage: spoken } = phrase
    if (failures.includes(status)) return [{ type: 'failed', reason: status }]
    const wasPartial = this.#wasPartial
    this.#wasPartial = false
    // Silence, or noise that nothing was understood in.
    if (text === '' && !wasPartial) return []
    const endMs = this.#beganMs + azureMs(phrase.Offset + phrase.Duration)
    return [...this.#languages.hear(spoken?.Language, text), { type: 'final', text, endMs }]
  }

  #lengthMs(bytes: number): number {
    const { rateHz, encoding } = this.#options
    return bytes / bytesPerSample[encoding] / (rateHz / 1_000)
  }
}

function contextOf(options: SttOptions): Readonly<Record<string, unknown>> {
  const { keyterms = [] } = options
  return {
    phraseDetection: {
      mode: 'Conversation',
      conversation: conversationOf(options),
    },
    ...(keyterms.length > 0 && {
      dgi: { groups: [{ type: 'Generic', items: keyterms.map((text) => ({ text })) }] },
    }),
    ...(localeOf(options) === undefined && {
      languageId: {
        mode: 'DetectContinuous',
        languages: candidates,
        priority: 'PrioritizeLatency',
        onSuccess: { action: 'Recognize' },
        onUnknown: { action: 'None' },
      },
      phraseOutput: { interimResults: { resultType: 'Auto' }, phraseResults: { resultType: 'Always' } },
    }),
  }
}

/** What ends an utterance: a silence, unless the agent wants another way. */
function conversationOf(options: SttOptions): object {
  const segmentationSilenceTimeoutMs = Math.min(
    Math.max(options.endpointingMs, leastSilenceMs),
    mostSilenceMs,
  )
  const { segmentation = {} } = hearsOptions.at('conversation', options) as { segmentation?: object }
  const usual = { mode: 'Custom', segmentationSilenceTimeoutMs }
  return { segmentation: 'mode' in segmentation ? segmentation : { ...usual, ...segmentation } }
}

export const hears = socketVendor(account, {
  languages: understood,
  // learn.microsoft.com, improve-accuracy-phrase-list, as of 2026-11.
  abilities: { wordTimes: false, keyterms: { most: 500 } },
  host: hearsHost,
  options: {
    model: '`cid`, the id of a custom model; otherwise that of the language',
    language: '`language`, as in de-DE; `auto`: `languageId` among ten languages',
    samplingRateHz: 'in the WAV header of the audio',
    encoding: 'in the WAV header of the audio: linear16, mulaw or alaw',
    endpointingMs: '`segmentationSilenceTimeoutMs`, between 100 and 5,000',
    keyterms: '`dgi`, its phrase list',
  },
  ownOptions: hearsOptions,
  encodings: ['linear16', 'mulaw', 'alaw'],
  chunkMs: 40,
  parse: parseAzureText,
  connect(options, given) {
    const language = localeOf(options, { 'no-NO': 'nb-NO' })
    const path = language
      ? '/speech/recognition/conversation/cognitiveservices/v1'
      : // The only one that identifies languages again and again.
        '/stt/speech/universal/v2'
    const query = {
      format: 'simple',
      language,
      lidEnabled: language ? undefined : true,
      cid: modelOr('', options) || undefined,
      ...hearsOptions.query('query', options),
    }
    return azureSession(account.socket(given, path, query, hearsHost))
  },
  listen: (options) => new Turns(options),
})
