// Cartesia: one socket for all sayings of a call, each a context; word times from the beginning of the context.
//
//   → {model_id, transcript, voice, output_format, context_id, continue: true, …} · the same with flush: true and no text
//   → the same with continue: false: no more text · {context_id, cancel: true}
//   ← chunk (base64) · timestamps · flush_done · done · error
//
// Cartesia has no keep-alive and closes an idle connection after five minutes: the next saying opens another.
import { z } from 'zod'
import type { SynthesizerOptions } from '../../ports/synthesizer.ts'
import { withOwn } from '../over/own-options.ts'
import { listedWords, type TtsMessage, type TtsSaying, WordLists } from '../over/speaks/dialect.ts'
import { voiceOf, within } from '../over/speaks/options.ts'
import { socketVoices } from '../over/speaks/over-socket.ts'
import { readVendorMessage } from '../over/wire/passed-over.ts'
import { writtenLanguage } from '../over/written-language.ts'
import { account } from './account.ts'
import { speaksOptions } from './own-options.ts'

const usualModel = 'sonic-3'
// "Katie", the voice that Cartesia suggests for agents.
const usualVoice = 'f786b574-daa5-4673-aa0c-cbe3e8534c02'

// docs.cartesia.ai, of Sonic 3, as of 2026-11.
const spoken = [
  'ar bg bn cs da de el en es fi fr gu he hi hr hu id it ja ka kn ko ml mr ms nl no pa pl pt ro ru sk',
  'sv ta te th tl tr uk vi zh',
].flatMap((line) => line.split(' '))

const Message = z.discriminatedUnion('type', [
  z.object({ type: z.literal('chunk'), data: z.string() }),
  z.object({ type: z.literal('timestamps'), word_timestamps: WordLists }),
  z.object({ type: z.literal('flush_done') }),
  z.object({ type: z.literal('done') }),
  z.object({ type: z.literal('error'), message: z.string().optional(), title: z.string().optional() }),
])

const Context = z.object({ context_id: z.string().optional() })

export const speaks = socketVoices(account, {
  abilities: { streaming: true, clauseEnds: true, wordTimes: true, languages: spoken },
  options: {
    voice: '`voice.id`',
    voiceId: '`voice.id`',
    language: '`language`',
    model: '`model_id`',
    speed: '`generation_config.speed`, from 0.6 to 1.5',
  },
  ownOptions: speaksOptions,
  connect: (_, given) => account.socket(given, '/tts/websocket'),
  sharing: 'by-context',
  contextOf: (message) => Context.parse(message).context_id,
  begin,
})

function begin(contextId: string, options: SynthesizerOptions): TtsSaying {
  const speed = within(0.6, 1.5, options.speed)
  const own = speaksOptions.at('request', options)
  const usual = {
    model_id: options.model || usualModel,
    voice: { mode: 'id', id: voiceOf(options, usualVoice) },
    output_format: { container: 'raw', encoding: 'pcm_s16le', sample_rate: options.rateHz },
    // A request has one of the two.
    language: own.locale === undefined ? writtenLanguage(options.language, { region: 'never' }) : undefined,
    ...(speed !== undefined && { generation_config: { speed } }),
    context_id: contextId,
    add_timestamps: true,
  }
  const request = withOwn(usual, own)
  const ask = (transcript: string, how: object) => JSON.stringify({ ...request, transcript, ...how })
  let hasSounded = false
  return {
    // Texts of a context are put together as they are.
    write: (clause) => ask(`${clause} `, { continue: true }),
    flush: () => ask('', { continue: true, flush: true }),
    finish: () => ask('', { continue: false }),
    cancel: () => JSON.stringify({ context_id: contextId, cancel: true }),
    decode(raw): readonly TtsMessage[] {
      const message = readVendorMessage(Message, raw)
      switch (message.type) {
        case 'chunk':
          hasSounded = true
          return [{ type: 'sound', pcm: Buffer.from(message.data, 'base64') }]
        case 'timestamps':
          return [{ type: 'words', words: listedWords(message.word_timestamps) }]
        case 'flush_done': {
          // A flush of nothing is confirmed too.
          const isEnd = hasSounded
          hasSounded = false
          return isEnd ? [{ type: 'clause-end' }] : []
        }
        case 'done':
          return [{ type: 'end' }]
        case 'error':
          return [{ type: 'failed', reason: message.message ?? message.title ?? '' }]
      }
    },
  }
}
