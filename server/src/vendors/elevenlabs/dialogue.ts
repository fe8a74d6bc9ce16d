// ElevenLabs' models of the third generation, which speak over Text to Dialogue only, here with one voice.
// wss /v1/text-to-dialogue/multi-stream-input, `xi-api-key`: a context for each saying, and one that keeps the connection.
//
//   → {"context_id":"…","voices":["…"],"voice_settings":{"stability":0.5}} · {"context_id":"…","inputs":[{"text":"…","voice_id":"…"}]}
//   → {"context_id":"…","flush":true} · {"context_id":"…","close_context":true} · {"context_id":"…","keep_alive":true}
//   ← {"context_id":"…","audio":"base64","alignment":{"chars":[…],"char_start_times_ms":[…],"char_durations_ms":[…]}}
//   ← {"context_id":"…","is_final_audio_for_turn":true} · {"context_id":"…","is_final":true} · {"error":"…","message":"…"}
//
// A connection is closed after 20 s without a message, and every message names a context that is open.
import { z } from 'zod'
import type { SynthesizerOptions } from '../../ports/synthesizer.ts'
import { withOwn } from '../over/own-options.ts'
import type { TtsSaying } from '../over/speaks/dialect.ts'
import { voiceOf, within } from '../over/speaks/options.ts'
import type { Query } from '../over/wire/vendor-address.ts'
import { writtenLanguage } from '../over/written-language.ts'
import { speaksOptions } from './own-options.ts'

export const dialoguePath = '/v1/text-to-dialogue/multi-stream-input'

export function dialogueQuery(options: SynthesizerOptions): Query {
  const { apply_text_normalization: normalization, ...own } = speaksOptions.query('query', options)
  return {
    model_id: options.model,
    output_format: `pcm_${options.rateHz}`,
    language_code: writtenLanguage(options.language, { region: 'never', own: { nb: 'no' } }),
    sync_alignment: true,
    ...own,
    // There it is on or off.
    apply_text_normalization: normalization === 'auto' ? undefined : normalization,
  }
}

const keptContext = 'kept-open'

/** The first message of a connection: it opens the context that keeps it. */
export const dialogueHello = (options: SynthesizerOptions, usualVoice: string): string =>
  JSON.stringify({ context_id: keptContext, voices: [voiceOf(options, usualVoice)] })

export const dialogueKeepAlive = {
  everyMs: 10_000,
  message: JSON.stringify({ context_id: keptContext, keep_alive: true }),
}

export function beginDialogue(
  contextId: string,
  options: SynthesizerOptions,
  usualVoice: string,
): Omit<TtsSaying, 'decode'> {
  const voice = voiceOf(options, usualVoice)
  const stability = within(0, 1, options.temperature)
  const message = (more: object) => JSON.stringify({ context_id: contextId, ...more })
  const close = message({ close_context: true })
  return {
    hello: message(
      withOwn(
        { voices: [voice], ...(stability !== undefined && { voice_settings: { stability } }) },
        speaksOptions.at('hello', options),
      ),
    ),
    write: (clause) => message({ inputs: [{ text: `${clause} `, voice_id: voice }] }),
    flush: () => message({ flush: true }),
    finish: () => close,
    cancel: () => close,
  }
}

const OfContext = z.object({
  context_id: z.string(),
  audio: z.string().nullish(),
  alignment: z
    .object({
      chars: z.array(z.string()),
      char_start_times_ms: z.array(z.number()),
      char_durations_ms: z.array(z.number()).optional(),
    })
    .nullish(),
  is_final: z.boolean().nullish(),
})

/** A message in the names that the other models use; those that have them already are passed on. */
export function inUsualNames(raw: unknown): unknown {
  const { data } = OfContext.safeParse(raw)
  if (!data) return raw
  const { context_id: contextId, audio, alignment, is_final: isFinal } = data
  return {
    contextId,
    audio,
    isFinal,
    alignment: alignment && {
      chars: alignment.chars,
      charStartTimesMs: alignment.char_start_times_ms,
      charDurationsMs: alignment.char_durations_ms,
    },
  }
}
