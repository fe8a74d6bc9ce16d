// One conversation with Gemini Live: wss …/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent.
//
//   → {setup: {model, generationConfig, systemInstruction, tools, realtimeInputConfig, sessionResumption}}, once
//   → {clientContent: {turns, turnComplete}} · {toolResponse: {functionResponses}}
//   → {realtimeInput: {activityStart} | {audio} | {text} | {activityEnd}}
//   ← {setupComplete} · {serverContent: {modelTurn, outputTranscription, interrupted, generationComplete, turnComplete}}
//   ← {toolCall: {functionCalls}} · {usageMetadata} · {sessionResumptionUpdate: {newHandle}} · {goAway}
//
// What was set up stays for the length of a connection, and a connection lasts ten minutes. The next one takes up the
// conversation by the handle that the server gave last.
import { z } from 'zod'
import type { RealtimeOptions } from '../../ports/realtime-mind.ts'
import { hasAnyField, readVendorMessage } from '../over/wire/passed-over.ts'
import { vendorUrl } from '../over/wire/vendor-address.ts'
import { VendorSocket } from '../over/wire/vendor-socket.ts'
import { account, host } from './account.ts'

const Blob = z.object({ mimeType: z.string().optional(), data: z.string() })
const Transcription = z.object({ text: z.string().optional() })

// The messages of genai 3.1; what is not read here is known all the same.
export const GeminiMessage = z
  .object({
    setupComplete: z.object({}).optional(),
    serverContent: z
      .object({
        modelTurn: z
          .object({ parts: z.array(z.object({ inlineData: Blob.optional() })).default([]) })
          .optional(),
        outputTranscription: Transcription.optional(),
        interrupted: z.boolean().optional(),
        generationComplete: z.boolean().optional(),
        turnComplete: z.boolean().optional(),
      })
      .optional(),
    toolCall: z
      .object({
        functionCalls: z.array(
          z.object({ id: z.string(), name: z.string(), args: z.record(z.string(), z.unknown()).optional() }),
        ),
      })
      .optional(),
    usageMetadata: z
      .object({
        promptTokenCount: z.number().optional(),
        responseTokenCount: z.number().optional(),
        cachedContentTokenCount: z.number().optional(),
      })
      .optional(),
    sessionResumptionUpdate: z
      .object({ newHandle: z.string().optional(), resumable: z.boolean().optional() })
      .optional(),
    goAway: z.object({}).optional(),
    toolCallCancellation: z.unknown().optional(),
    voiceActivityDetectionSignal: z.unknown().optional(),
    voiceActivity: z.unknown().optional(),
  })
  .refine(hasAnyField)
export type GeminiMessage = z.infer<typeof GeminiMessage>

export interface GeminiListener {
  onMessage(message: GeminiMessage): void
  onEnd(error: Error): void
}

const path = '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent'
const mostWaiting = 400

export class GeminiSession {
  readonly #options: RealtimeOptions
  readonly #listener: GeminiListener
  #socket: VendorSocket | undefined
  /** Messages that wait for the server to confirm the setup; undefined: it has. */
  #waiting: string[] | undefined
  #setup: 'none' | 'asked for' | 'confirmed' | 'ending' = 'none'
  #handle: string | undefined

  constructor(options: RealtimeOptions, listener: GeminiListener) {
    this.#options = options
    this.#listener = listener
  }

  /** Whether what was set up is still in force. */
  get isSetUp(): boolean {
    return this.#setup === 'asked for' || this.#setup === 'confirmed'
  }

  /** Whether the server has accepted what was set up. */
  get hasBegun(): boolean {
    return this.#setup === 'confirmed' || this.#setup === 'ending'
  }

  /** Whether the next setup takes up the conversation so far. */
  get isContinuable(): boolean {
    return this.#handle !== undefined
  }

  /** Connects before the first turn. */
  open(): void {
    this.#socket ??= this.#connect()
  }

  /** Begins, or goes on with other instructions and tools. */
  setUp(setup: object): void {
    if (this.#setup !== 'none') this.close()
    this.open()
    this.#setup = 'asked for'
    this.#waiting = []
    const resumption = this.#handle === undefined ? {} : { handle: this.#handle }
    const model = this.#options.model.replace(/^(?:models\/)?/, 'models/')
    this.#socket?.send(JSON.stringify({ setup: { model, ...setup, sessionResumption: resumption } }))
  }

  send(message: object): void {
    const text = JSON.stringify(message)
    if (this.#waiting) this.#waiting.push(text)
    else this.#socket?.send(text)
  }

  close(): void {
    this.#socket?.close()
    this.#socket = undefined
    this.#setup = 'none'
    this.#waiting = undefined
  }

  /** The next setup begins another conversation. */
  forget(): void {
    this.close()
    this.#handle = undefined
  }

  #connect(): VendorSocket {
    const { apiKey, baseUrl, headers, lookup } = this.#options
    const base = baseUrl.replace(/\/v1\w*\/?$/, '')
    const socket: VendorSocket = new VendorSocket(
      {
        url: vendorUrl({ scheme: 'wss', host, baseUrl: base }, path),
        headers: { ...headers, 'x-goog-api-key': apiKey },
      },
      {
        name: account.label,
        service: 'language_model',
        mostWaiting,
        lookup,
        credentials: { apiKey },
        onMessage: (raw) => this.#take(readVendorMessage(GeminiMessage, JSON.parse(textOf(raw)))),
        onEnd: (error) => {
          if (this.#socket === socket) this.#listener.onEnd(error)
        },
      },
    )
    return socket
  }

  #take(message: GeminiMessage): void {
    if (message.setupComplete) {
      this.#setup = 'confirmed'
      for (const text of this.#waiting ?? []) this.#socket?.send(text)
      this.#waiting = undefined
    }
    const { newHandle, resumable = true } = message.sessionResumptionUpdate ?? {}
    if (newHandle && resumable) this.#handle = newHandle
    // The server closes the connection soon: the next turn is taken on another one.
    if (message.goAway && this.#setup === 'confirmed') this.#setup = 'ending'
    this.#listener.onMessage(message)
  }
}

/** The server sends its JSON as bytes. */
const textOf = (raw: string | Uint8Array): string =>
  typeof raw === 'string' ? raw : Buffer.from(raw).toString()
