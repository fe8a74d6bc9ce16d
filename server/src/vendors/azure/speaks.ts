// Azure Speech: the socket of its own SDK, which tells when each word is heard; its REST form does not. One clause at a time,
// each a turn with a request id of its own:
//
//   → speech.config, once · synthesis.context {format, what is to be told} · ssml · synthesis.control {action: stop}
//   ← turn.start · response · audio, binary · audio.metadata {Type: WordBoundary, Offset, Duration, text} · turn.end
import { z } from 'zod'
import type { SynthesizerOptions } from '../../ports/synthesizer.ts'
import type { TtsSaying } from '../over/speaks/dialect.ts'
import { voiceOf, within } from '../over/speaks/options.ts'
import { socketVoices } from '../over/speaks/over-socket.ts'
import { attributesOf, inElement, ssmlOf } from '../over/speaks/ssml.ts'
import { oneAtATime, type TurnMessage } from '../over/speaks/turns.ts'
import { readVendorMessage } from '../over/wire/passed-over.ts'
import { type LanguageSpelling, writtenLanguage } from '../over/written-language.ts'
import { account, speaksHost } from './account.ts'
import {
  azureId,
  azureJson,
  azureMs,
  azureSession,
  azureText,
  parseAzureAudio,
  parseAzureText,
} from './azure-messages.ts'
import { speaksOptions } from './own-options.ts'

// Speaks 90 languages.
const usualVoice = 'en-US-AvaMultilingualNeural'
const path = '/tts/cognitiveservices/websocket/v1'

// learn.microsoft.com, language support of the Speech service (text to speech), as of 2026-11.
const spoken = [
  'af am ar as az bg bn bs ca cs cy da de el en es et eu fa fi fil fr ga gl gu he hi hr hu hy id is',
  'it iu ja jv ka kk km kn ko lo lt lv mk ml mn mr ms mt my ne nl no or pa pl ps pt ro ru si sk sl so',
  'sq sr su sv sw ta te th tr uk ur uz vi wuu yue zh zu',
].flatMap((line) => line.split(' '))

// The paths of microsoft-cognitiveservices-speech-sdk 1.52.
const paths = ['turn.start', 'response', 'audio', 'audio.metadata', 'audio.end', 'turn.end'] as const
const Message = z.object({ path: z.enum(paths), requestId: z.string(), body: z.string() })
const Metadata = z.object({
  Metadata: z.array(
    z.object({
      Type: z.string(),
      Data: z.looseObject({
        Offset: z.number().default(0),
        Duration: z.number().default(0),
        text: z.object({ Text: z.string(), BoundaryType: z.string().default('WordBoundary') }).optional(),
      }),
    }),
  ),
})

export const speaks = socketVoices(account, {
  host: speaksHost,
  abilities: { streaming: true, clauseEnds: true, wordTimes: true, languages: spoken },
  options: {
    voice: 'SSML `voice`, as in `en-US-AvaNeural`',
    voiceId: 'SSML `voice`, instead of its name',
    model: null,
    language: 'SSML `xml:lang`, of multilingual voices',
    speed: 'SSML `prosody`, from 0.5 to 2',
    pronunciations: 'SSML `phoneme` and `sub`',
  },
  ownOptions: speaksOptions,
  parse: parseAzureText,
  connect: (options, given) =>
    azureSession(account.socket(given, path, speaksOptions.query('query', options), speaksHost)),
  sharing: 'when-cleared',
  begin: (_, options) => begin(options),
})

function begin(options: SynthesizerOptions): TtsSaying {
  let requestId = ''
  return oneAtATime({
    rateHz: options.rateHz,
    speak(clause) {
      requestId = azureId()
      return [
        azureJson('synthesis.context', requestId, contextOf(options)),
        azureText('ssml', requestId, documentOf(clause, options), 'application/ssml+xml'),
      ]
    },
    cancel: () => azureJson('synthesis.control', requestId, { action: 'stop' }),
    decode: (raw) => decode(raw, requestId),
  })
}

const contextOf = ({ rateHz }: SynthesizerOptions) => ({
  synthesis: {
    audio: {
      metadataOptions: {
        wordBoundaryEnabled: true,
        punctuationBoundaryEnabled: false,
        sentenceBoundaryEnabled: false,
        bookmarkEnabled: false,
        visemeEnabled: false,
        sessionEndEnabled: false,
      },
      outputFormat: `raw-${rateHz / 1000}khz-16bit-mono-pcm`,
    },
    language: { autoDetection: false },
  },
})

function decode(raw: unknown, requestId: string): readonly TurnMessage[] {
  if (raw instanceof Uint8Array) {
    const { path: kind, requestId: own, body } = parseAzureAudio(raw)
    return kind === 'audio' && own === requestId ? [{ type: 'sound', pcm: body }] : []
  }
  const { path: kind, requestId: own, body } = readVendorMessage(Message, raw)
  // The message belongs to a turn that was stopped.
  if (own !== requestId) return []
  if (kind === 'turn.end') return [{ type: 'done' }]
  if (kind !== 'audio.metadata') return []
  const words = Metadata.parse(JSON.parse(body)).Metadata.flatMap(({ Data: { Offset, Duration, text } }) =>
    text?.BoundaryType === 'WordBoundary'
      ? [{ text: text.Text, startMs: azureMs(Offset), endMs: azureMs(Offset + Duration) }]
      : [],
  )
  return words.length > 0 ? [{ type: 'words', words }] : []
}

const spelling: LanguageSpelling = {
  region: 'always',
  usual: { bn: 'IN', ur: 'IN' },
  own: { 'no-NO': 'nb-NO' },
}

function documentOf(clause: string, options: SynthesizerOptions): string {
  const voice = voiceOf(options, usualVoice)
  const language = writtenLanguage(options.language, spelling) ?? 'en-US'
  const speed = within(0.5, 2, options.speed)
  const { style, styledegree, role, pitch, volume, effect } = speaksOptions.at('ssml', options)
  const rate = speed === 1 ? undefined : speed
  const voiced = inElement('prosody', { rate, pitch, volume }, ssmlOf(clause, options.pronunciations))
  const spoken = inElement('mstts:express-as', { style, styledegree, role }, voiced)
  const isMultilingual = /multilingual/i.test(voice)
  return (
    '<speak version="1.0" xmlns="http://www.w3.org/2001/10/synthesis"' +
    ` xmlns:mstts="http://www.w3.org/2001/mstts" xml:lang="${language}">` +
    `<voice${attributesOf({ name: voice, effect })}>` +
    (isMultilingual ? `<lang xml:lang="${language}">${spoken}</lang>` : spoken) +
    '</voice></speak>'
  )
}
