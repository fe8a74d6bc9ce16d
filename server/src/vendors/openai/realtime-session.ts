// One connection to OpenAI's realtime interface: wss /v1/realtime?model=…, 24 kHz, turns decided by us.
//
//   → session.update {session: {type: realtime, instructions, tools, audio: {input, output}}}
//   → input_audio_buffer.append {audio} · input_audio_buffer.commit
//   → conversation.item.create {item} · conversation.item.truncate {item_id, content_index, audio_end_ms}
//   → response.create {response} · response.cancel {response_id}
//   ← session.created {session: {expires_at}} · input_audio_buffer.committed {item_id}
//   ← conversation.item.input_audio_transcription.delta|completed|failed
//   ← response.created · response.output_audio.delta · response.output_audio_transcript.delta · response.output_text.delta
//   ← response.output_item.done {item: {type: function_call, call_id, name, arguments}} · response.done {response} · error
import { z } from 'zod'
import type { RealtimeOptions } from '../../ports/realtime-mind.ts'
import { readVendorMessage } from '../over/wire/passed-over.ts'
import { vendorUrl } from '../over/wire/vendor-address.ts'
import { VendorSocket } from '../over/wire/vendor-socket.ts'
import { account, host } from './account.ts'
import { serverEvents } from './server-events.ts'
import { transcriptionOf } from './transcription.ts'

const Usage = z.object({
  input_tokens: z.number().optional(),
  output_tokens: z.number().optional(),
  input_token_details: z.object({ cached_tokens: z.number().optional() }).nullish(),
})

export const OpenAiMessage = z.object({
  type: z.enum(serverEvents),
  response_id: z.string().optional(),
  item_id: z.string().optional(),
  delta: z.string().optional(),
  transcript: z.string().optional(),
  session: z.object({ expires_at: z.number().nullish() }).optional(),
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
  error: z
    .object({ code: z.string().nullish(), message: z.string().nullish(), event_id: z.string().nullish() })
    .nullish(),
})
export type OpenAiMessage = z.infer<typeof OpenAiMessage>

export interface OpenAiListener {
  onMessage(message: OpenAiMessage): void
  /** The server will end the session in a few minutes, whatever happens in it. */
  onOld(): void
  onEnd(error: Error): void
}

export const wireRateHz = 24_000
const format = { type: 'audio/pcm', rate: wireRateHz }
// Half a minute of sound while the connection is made.
const mostWaiting = 400
// A session lasts an hour, unless the server says otherwise.
const usualLengthMs = 3_600_000
// Another is opened so long before, when nobody speaks: within five minutes somebody always is silent for a moment.
const renewedBeforeMs = 300_000

/** Opens with the first message. */
export class OpenAiSession {
  readonly #options: RealtimeOptions
  readonly #listener: OpenAiListener
  #socket: VendorSocket | undefined
  #timer: NodeJS.Timeout | undefined
  #hasBegun = false

  constructor(options: RealtimeOptions, listener: OpenAiListener) {
    this.#options = options
    this.#listener = listener
  }

  /** Whether the server has answered. */
  get hasBegun(): boolean {
    return this.#hasBegun
  }

  open(): VendorSocket {
    this.#socket ??= this.#connect()
    return this.#socket
  }

  send(type: string, body: object = {}): void {
    this.open().send(JSON.stringify({ type, ...body }))
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#socket?.close()
  }

  #connect(): VendorSocket {
    const { model, voice, transcription, apiKey, baseUrl, headers, lookup } = this.#options
    const session = {
      type: 'realtime',
      output_modalities: ['audio'],
      audio: {
        // The call decides whose turn it is.
        input: { format, transcription: transcriptionOf(transcription), turn_detection: null },
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
        name: account.label,
        service: 'language_model',
        mostWaiting,
        lookup,
        credentials: { apiKey },
        onMessage: (message) => this.#take(readVendorMessage(OpenAiMessage, JSON.parse(String(message)))),
        onEnd: (error) => {
          clearTimeout(this.#timer)
          this.#listener.onEnd(error)
        },
      },
    )
  }

  #take(message: OpenAiMessage): void {
    if (message.type === 'session.created') this.#begin(message.session?.expires_at)
    this.#listener.onMessage(message)
  }

  #begin(expiresAtSeconds: number | null | undefined): void {
    this.#hasBegun = true
    const lengthMs = expiresAtSeconds ? expiresAtSeconds * 1_000 - Date.now() : usualLengthMs
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#listener.onOld(), Math.max(0, lengthMs - renewedBeforeMs)).unref()
  }
}
