// ElevenLabs' Text to Dialogue as part of the loopback synthesizer, as in the types of its own library. What breaks its
// rules closes the connection.
import { z } from 'zod'
import { soundOf, wordMs, wordsOf } from './spoken-words.ts'
import type { VendorClient } from './vendor-server.ts'

export const dialoguePath = '/v1/text-to-dialogue/multi-stream-input'

const mostContexts = 5

const Message = z.strictObject({
  context_id: z.string(),
  voices: z.array(z.string()).min(1).max(10).optional(),
  voice_settings: z.strictObject({ stability: z.number().min(0).max(1).optional() }).optional(),
  pronunciation_dictionary_locators: z
    .array(z.strictObject({ pronunciation_dictionary_id: z.string(), version_id: z.string().optional() }))
    .max(3)
    .optional(),
  inputs: z.array(z.strictObject({ text: z.string(), voice_id: z.string() })).optional(),
  flush: z.boolean().optional(),
  close_context: z.boolean().optional(),
  keep_alive: z.boolean().optional(),
})

interface DialogueRecord {
  readonly texts: string[]
  readonly told: string[]
  /** The first message of every context. */
  readonly contexts: Record<string, unknown>[]
}

export function serveDialogue(
  client: VendorClient,
  { texts, told, contexts }: DialogueRecord,
  isMute: () => boolean,
): void {
  const { searchParams } = client.url
  const rateHz = Number(searchParams.get('output_format')?.replace('pcm_', ''))
  const open = new Map<string, { readonly voices: readonly string[]; text: string }>()
  const refuse = (message: string) => {
    client.send(JSON.stringify({ message, error: 'invalid_message', code: 1008 }))
    client.end(1008, message)
  }
  const speak = (id: string) => {
    const context = open.get(id)
    for (const word of isMute() ? [] : wordsOf(context?.text ?? '')) {
      const chars = [...word, ' ']
      const alignment = {
        chars,
        char_start_times_ms: chars.map((_, i) => Math.floor((i * wordMs) / chars.length)),
        char_durations_ms: chars.map(() => Math.floor(wordMs / chars.length)),
      }
      const audio = soundOf(word, rateHz).toString('base64')
      client.send(
        JSON.stringify({
          audio,
          ...(searchParams.get('sync_alignment') === 'true' && { alignment }),
          normalized_alignment: null,
          context_id: id,
        }),
      )
    }
    if (context) context.text = ''
  }
  client.onMessage((raw) => {
    const { data: message, error } = Message.safeParse(JSON.parse(raw.toString()))
    if (!message) return refuse(`Not understood: ${error.issues[0]?.message}`)
    const { context_id: id, voices, inputs = [] } = message
    const known = open.get(id)
    if (known && voices) return refuse('Do not resend voices.')
    if (!known) {
      if (!voices) return refuse('The first message of a context needs voices.')
      if (open.size >= mostContexts) return refuse('Too many contexts.')
      contexts.push(message)
      open.set(id, { voices, text: '' })
    }
    const context = open.get(id)
    for (const { text, voice_id: voice } of inputs) {
      if (!context?.voices.includes(voice)) return refuse('This voice is not registered.')
      texts.push(text)
      context.text += text
    }
    if (message.keep_alive) told.push('keep-alive')
    if (message.flush) {
      told.push('flush')
      speak(id)
      client.send(JSON.stringify({ is_final_audio_for_turn: true, context_id: id }))
    }
    if (message.close_context) {
      told.push('close')
      speak(id)
      open.delete(id)
      client.send(JSON.stringify({ is_final: true, context_id: id }))
    }
  })
}
