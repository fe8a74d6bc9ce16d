// Pixa (Luna), Hindi only. A socket for each saying: its audio does not tell which one it belongs to.
//
//   → {type: config, voice, …} · {type: text, content, is_final, context_id} · {type: cancel, context_id}
//   ← binary PCM at 32 kHz · {type: done, context_id} · {type: error, message}
//
// The protocol is published in the client of bolna-ai/bolna only (pixa_synthesizer.py); other messages are passed over.
import { z } from 'zod'
import { RateHalver } from '../../media/half-band.ts'
import type { SynthesizerOptions } from '../../ports/synthesizer.ts'
import type { TtsSaying } from '../over/speaks/dialect.ts'
import { voiceOf } from '../over/speaks/options.ts'
import { socketVoices } from '../over/speaks/over-socket.ts'
import { hasAnyField, readVendorMessage } from '../over/wire/passed-over.ts'
import { account } from './account.ts'
import { speaksOptions } from './own-options.ts'

const Message = z
  .object({
    type: z.enum(['status', 'done', 'error']).optional(),
    done: z.boolean().optional(),
    message: z.string().optional(),
  })
  .refine(hasAnyField)

export const speaks = socketVoices(account, {
  abilities: { streaming: true, clauseEnds: false, wordTimes: false, languages: ['hi'] },
  options: {
    voice: '`voice`',
    voiceId: '`voice`, instead of its name',
    model: null,
    language: 'always Hindi',
    speed: null,
  },
  ownOptions: speaksOptions,
  rateHz: 16_000,
  connect: (options, given) => ({
    ...account.socket(given, '/api/v1/ws/synthesize'),
    hello: JSON.stringify(configOf(options)),
  }),
  begin,
})

const configOf = (options: SynthesizerOptions): object => ({
  type: 'config',
  voice: voiceOf(options, undefined),
  // The values that Pixa's public client sends.
  top_p: 0.95,
  repetition_penalty: 1.3,
  ...speaksOptions.at('config', options),
})

function begin(contextId: string): TtsSaying {
  const text = (content: string, isFinal: boolean) =>
    JSON.stringify({ type: 'text', content, is_final: isFinal, context_id: contextId })
  const halved = halver()
  return {
    write: (clause) => text(`${clause} `, false),
    finish: () => text('', true),
    cancel: () => JSON.stringify({ type: 'cancel', context_id: contextId }),
    decode(raw) {
      if (raw instanceof Uint8Array) return [{ type: 'sound', pcm: halved(raw) }]
      const { type, done, message } = readVendorMessage(Message, raw)
      if (type === 'done' || done) return [{ type: 'end' }]
      return type === 'error' ? [{ type: 'failed', reason: message ?? '' }] : []
    },
  }
}

/** 32 to 16 kHz, in pieces of any size. */
function halver(): (bytes: Uint8Array) => Uint8Array {
  const half = new RateHalver()
  const pairBytes = 4
  let rest = Buffer.alloc(0)
  return (bytes) => {
    const all = Buffer.concat([rest, bytes])
    const whole = all.length - (all.length % pairBytes)
    rest = all.subarray(whole)
    const input = new Int16Array(all.buffer.slice(all.byteOffset, all.byteOffset + whole))
    const output = new Int16Array(input.length / 2)
    half.run(input, output)
    return new Uint8Array(output.buffer)
  }
}
