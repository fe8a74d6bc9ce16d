// One connection to OpenAI's realtime interface: wss /v1/realtime?model=…, 24 kHz, turns decided by us.
//
//   → session.update {session: {type: realtime, instructions, tools, audio: {input, output}}}
//   → input_audio_buffer.append {audio} · input_audio_buffer.commit
//   → conversation.item.create {item} · conversation.item.truncate {item_id, content_index, audio_end_ms}
//   → response.create {response} · response.cancel {response_id}
//   ← conversation.item.input_audio_transcription.delta|completed|failed
//   ← response.created · response.output_audio.delta · response.output_audio_transcript.delta · response.output_text.delta
//   ← response.output_item.done {item: {type: function_call, call_id, name, arguments}} · response.done {response} · error
import { z } from 'zod'
import type { RealtimeOptions } from '../../ports/realtime-mind.ts'
import { vendorUrl } from '../over/wire/vendor-address.ts'
import { VendorSocket } from '../over/wire/vendor-socket.ts'
import { host } from './account.ts'

const Usage = z.object({
  input_tokens: z.number().optional(),
  output_tokens: z.number().optional(),
  input_token_details: z.object({ cached_tokens: z.number().optional() }).nullish(),
})

export const OpenAiMessage = z.object({
  type: z.string(),
  response_id: z.string().optional(),
  item_id: z.string().optional(),
  delta: z.string().optional(),
  transcript: z.string().optional(),
  item: z
    .object({
      id: z.string().optional(),
      type: z.string().optional(),
      call_id: z.string().optional(),
      name: z.string().optional(),
      arguments: z.string().optional(),
    })
    .optional(),
  response: z
    .object({
      id: z.string(),
      status: z.string().optional(),
      status_details: z.object({ error: z.object({ message: z.string().nullish() }).nullish() }).nullish(),
      metadata: z.record(z.string(), z.string()).nullish(),
      usage: Usage.nullish(),
    })
    .optional(),
  error: z.object({ code: z.string().nullish(), message: z.string().nullish() }).nullish(),
})
export type OpenAiMessage = z.infer<typeof OpenAiMessage>

export interface OpenAiListener {
  onMessage(message: OpenAiMessage): void
  onEnd(error: Error): void
}

export const wireRateHz = 24_000
const format = { type: 'audio/pcm', rate: wireRateHz }
// Half a minute of sound while the connection is made.
const mostWaiting = 400

/** Opens with the first message. */
export class OpenAiSession {
  readonly #options: RealtimeOptions
  readonly #listener: OpenAiListener
  #socket: VendorSocket | undefined

  constructor(options: RealtimeOptions, listener: OpenAiListener) {
    this.#options = options
    this.#listener = listener
  }

  open(): VendorSocket {
    this.#socket ??= this.#connect()
    return this.#socket
  }

  send(type: string, body: object = {}): void {
    this.open().send(JSON.stringify({ type, ...body }))
  }

  close(): void {
    this.#socket?.close()
  }

  #connect(): VendorSocket {
    const { model, voice, language, apiKey, baseUrl, headers, lookup } = this.#options
    const transcription = {
      model: 'gpt-4o-mini-transcribe',
      ...(language && language !== 'auto' && { language: language.split(/[-_]/)[0] }),
    }
    const session = {
      type: 'realtime',
      output_modalities: ['audio'],
      audio: {
        // The call decides whose turn it is.
        input: { format, transcription, turn_detection: null },
        output: { format, ...(voice && { voice }) },
      },
    }
    const base = baseUrl.replace(/\/v1\/?$/, '')
    return new VendorSocket(
      {
        url: vendorUrl({ scheme: 'wss', host, baseUrl: base }, '/v1/realtime', { model }),
        headers: { ...headers, authorization: `Bearer ${apiKey}` },
        hello: JSON.stringify({ type: 'session.update', session }),
      },
      {
        name: 'OpenAI',
        service: 'language_model',
        mostWaiting,
        lookup,
        credentials: { apiKey },
        onMessage: (message) => this.#listener.onMessage(OpenAiMessage.parse(JSON.parse(String(message)))),
        onEnd: (error) => this.#listener.onEnd(error),
      },
    )
  }
}
