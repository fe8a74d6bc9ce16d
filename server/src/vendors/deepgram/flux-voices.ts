// Deepgram's Flux voices. wss /v2/speak, `Authorization: Token`: a turn for each saying.
//
//   → {"type":"Speak","text":"…"} · {"type":"Flush"}, which ends the turn · {"type":"Interrupt"} · {"type":"Close"}
//   ← {"type":"SpeechStarted"} · binary PCM · {"type":"SpeechMetadata"}, after the last sound of the turn
//   ← {"type":"SpeechInterrupted"} · {"type":"Flushed"} · {"type":"Warning","code":"…"} · {"type":"Error","description":"…"}
//
// It finds by itself how much text to begin with. An interruption is passed over while nothing has been synthesized, so the
// turn is ended as well.
import { z } from 'zod'
import type { TtsMessage, TtsSaying } from '../over/speaks/dialect.ts'
import { readVendorMessage } from '../over/wire/passed-over.ts'

export const isFluxVoice = (model: string): boolean => model.startsWith('flux-')

/** It takes steps of 0.05. */
export const fluxSpeed = (speed: number | undefined): number | undefined =>
  speed === undefined ? undefined : Math.round(Math.min(1.5, Math.max(0.5, speed)) * 20) / 20

// The messages of deepgram 5.13.
const types = [
  ...(['Connected', 'SpeechStarted', 'SpeechMetadata', 'SpeechInterrupted', 'Flushed'] as const),
  ...(['SessionMetadata', 'ConfigureSuccess', 'ConfigureFailure', 'Warning', 'Error'] as const),
]
const Message = z.object({ type: z.enum(types), description: z.string().optional() })

const flush = '{"type":"Flush"}'
const interrupt = '{"type":"Interrupt"}'

export function beginTurn(): TtsSaying {
  let isOpen = false
  let isFlushed = false
  let isCancelled = false
  return {
    write(clause) {
      isOpen = true
      return JSON.stringify({ type: 'Speak', text: `${clause} ` })
    },
    flush(isLast) {
      if (!isLast) return undefined
      isFlushed = true
      return flush
    },
    cancel() {
      isCancelled = true
      if (!isOpen) return []
      return isFlushed ? interrupt : [interrupt, flush]
    },
    isIdle: () => !isOpen,
    decode(raw): readonly TtsMessage[] {
      if (raw instanceof Uint8Array) return [{ type: 'sound', pcm: raw }]
      const { type, description } = readVendorMessage(Message, raw)
      if (type === 'Error') return [{ type: 'failed', reason: description ?? 'no reason was given' }]
      if (type !== 'SpeechMetadata' && type !== 'SpeechInterrupted') return []
      isOpen = false
      return [{ type: isCancelled ? 'cleared' : 'flushed' }]
    },
  }
}
