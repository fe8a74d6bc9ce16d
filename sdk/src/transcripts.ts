// The speech-to-text service: new SpeechToText({ baseUrl, apiKey }).transcribe(file, { diarize: true })
import { transcriptAddresses as addresses } from '@parley/contract/addresses'
import type { Page, PageQuery } from './requests.ts'
import { ask, requestTo, send, type TransportOptions } from './transport.ts'
import type {
  Corrections,
  NewCorrections,
  NewTranscript,
  SpeechFile,
  Transcript,
  TranscriptFormat,
  TranscriptStatus,
  TranscriptSummary,
} from './wire.ts'

export interface SpeechToTextOptions {
  /** The address of the service, which ends in /v1. */
  baseUrl: string
  apiKey: string
  /**
   * How many times a request is retried after a network failure, a 429 or a 5xx. Uploads and orders for transcripts are
   * never retried.
   */
  maxRetries?: number
  fetch?: typeof fetch
}

export type TranscriptOptions = Omit<NewTranscript, 'file_id' | 'audio_url'>

export interface WaitOptions {
  /** Called with the share that is done, from 0 to 1. */
  onProgress?: (share: number) => void
  signal?: AbortSignal
}

// The service writes the progress once a second.
const pollEveryMs = 1_000

export class SpeechToText {
  readonly #transport: TransportOptions
  readonly #once: TransportOptions

  constructor({ baseUrl, apiKey, maxRetries = 3, fetch = globalThis.fetch }: SpeechToTextOptions) {
    this.#transport = { baseUrl, apiKey, maxRetries, fetch, keyHeader: 'authorization' }
    // This service has no idempotency keys: a POST that is sent twice is carried out twice.
    this.#once = { ...this.#transport, maxRetries: 0 }
  }

  /** Uploads a file. It is streamed: the Blob of `fs.openAsBlob` is never in memory as a whole. */
  upload(file: Blob, filename = 'recording'): Promise<SpeechFile> {
    const body = new FormData()
    body.set('file', file, filename)
    return send(this.#once, { ...requestTo(addresses.uploadFile), body })
  }

  file(fileId: string): Promise<SpeechFile> {
    return send(this.#transport, requestTo(addresses.getFile, { id: fileId }))
  }

  deleteFile(fileId: string): Promise<{ file_id: string; deleted: true }> {
    return send(this.#transport, requestTo(addresses.deleteFile, { id: fileId }))
  }

  /** Orders a transcript, which is made in the background; see `wait`. */
  create(body: NewTranscript): Promise<{ transcript_id: string; status: 'queued' }> {
    return send(this.#once, { ...requestTo(addresses.createTranscript), body })
  }

  /** Transcribes in one request, for recordings of a few minutes. A longer one may still be `processing` in the answer. */
  createAndWait(body: NewTranscript): Promise<Transcript> {
    return send(this.#once, { ...requestTo(addresses.transcribeNow), body })
  }

  /** Uploads the file, waits as long as it takes, and returns the transcript, completed or failed. */
  async transcribe(
    file: Blob,
    { filename, ...options }: TranscriptOptions & { filename?: string } = {},
    waitOptions: WaitOptions = {},
  ): Promise<Transcript> {
    const { file_id } = await this.upload(file, filename)
    const { transcript_id } = await this.create({ ...options, file_id })
    return this.wait(transcript_id, waitOptions)
  }

  async wait(transcriptId: string, { onProgress, signal }: WaitOptions = {}): Promise<Transcript> {
    for (;;) {
      signal?.throwIfAborted()
      const transcript = await this.get(transcriptId)
      onProgress?.(transcript.progress)
      if (transcript.completed_at !== null) return transcript
      await new Promise((resolve) => setTimeout(resolve, pollEveryMs))
    }
  }

  list(query: PageQuery & { status?: TranscriptStatus } = {}): Promise<Page<TranscriptSummary>> {
    return send(this.#transport, { ...requestTo(addresses.listTranscripts), query })
  }

  get(transcriptId: string): Promise<Transcript> {
    return send(this.#transport, requestTo(addresses.getTranscript, { id: transcriptId }))
  }

  /** The transcript as plain text or subtitles. */
  async text(transcriptId: string, format: Exclude<TranscriptFormat, 'json'> = 'text'): Promise<string> {
    const request = requestTo(addresses.getTranscript, { id: transcriptId })
    return (await ask(this.#transport, { ...request, query: { format } })).text()
  }

  delete(transcriptId: string): Promise<{ transcript_id: string; deleted: true }> {
    return send(this.#transport, requestTo(addresses.deleteTranscript, { id: transcriptId }))
  }

  /** The corrections that people have made: names of speakers, words. */
  corrections(transcriptId: string): Promise<Corrections> {
    return send(this.#transport, requestTo(addresses.getTranscriptCorrections, { id: transcriptId }))
  }

  /** Replaces all corrections; refused with CORRECTIONS_CONFLICT if somebody has saved others meanwhile. */
  putCorrections(transcriptId: string, body: NewCorrections): Promise<Corrections> {
    const request = requestTo(addresses.putTranscriptCorrections, { id: transcriptId })
    return send(this.#transport, { ...request, body })
  }

  /** The secret that signs the callbacks of the workspace. */
  callbackSecret(): Promise<{ secret: string }> {
    return send(this.#transport, requestTo(addresses.getCallbackSecret))
  }

  rotateCallbackSecret(): Promise<{ secret: string }> {
    return send(this.#once, requestTo(addresses.rotateCallbackSecret))
  }
}
