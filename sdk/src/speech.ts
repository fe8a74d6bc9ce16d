// new SpeechToText({ baseUrl, apiKey }).transcribe(file, { diarize: true })
import type {
  BodyOf,
  createTranscript,
  Pagination,
  SpeechFile,
  Transcript,
  TranscriptFormat,
  TranscriptStatus,
  TranscriptSummary,
} from '@parley/contract'
import { ask, send, type TransportOptions } from './transport.ts'

export interface SpeechToTextOptions {
  /** Ends in /v1. */
  baseUrl: string
  apiKey: string
  /** How often a request is tried again after a network failure, a 429 or a 5xx. Uploads and wishes are sent once. */
  maxRetries?: number
  fetch?: typeof fetch
}

type NewTranscript = BodyOf<typeof createTranscript>
type Options = Omit<NewTranscript, 'file_id' | 'audio_url'>

interface Watching {
  onProgress?: (share: number) => void
  signal?: AbortSignal
}

// A second is what the service itself needs to know more.
const lookEveryMs = 1_000

export class SpeechToText {
  private readonly transport: TransportOptions
  private readonly once: TransportOptions

  constructor({ baseUrl, apiKey, maxRetries = 3, fetch = globalThis.fetch }: SpeechToTextOptions) {
    this.transport = { baseUrl, apiKey, maxRetries, fetch, carries: 'authorization' }
    // Nothing here is replayed: sent twice, it would be done twice.
    this.once = { ...this.transport, maxRetries: 0 }
  }

  /** Sent as it comes: a Blob of `fs.openAsBlob` is never whole in memory. */
  async upload(file: Blob, filename = 'recording'): Promise<SpeechFile> {
    const form = new FormData()
    form.set('file', file, filename)
    const response = await ask(this.once, { method: 'POST', path: '/files' }, { body: form })
    return ((await response.json()) as { data: SpeechFile }).data
  }

  file(fileId: string): Promise<SpeechFile> {
    return send(this.transport, { method: 'GET', path: `/files/${fileId}` })
  }

  deleteFile(fileId: string): Promise<{ file_id: string; deleted: true }> {
    return send(this.transport, { method: 'DELETE', path: `/files/${fileId}` })
  }

  /** In the background; see `wait`. */
  create(body: NewTranscript): Promise<{ transcript_id: string; status: 'queued' }> {
    return send(this.once, { method: 'POST', path: '/transcripts', body })
  }

  /** In one request, for recordings of some minutes; the answer may still be `processing` when it takes longer. */
  createAndWait(body: NewTranscript): Promise<Transcript> {
    return send(this.once, { method: 'POST', path: '/transcripts/sync', body })
  }

  /** Uploads, waits for as long as it takes, and answers with the transcript, completed or failed. */
  async transcribe(
    file: Blob,
    { filename, ...options }: Options & { filename?: string } = {},
    watching: Watching = {},
  ): Promise<Transcript> {
    const { file_id } = await this.upload(file, filename)
    const { transcript_id } = await this.create({ ...options, file_id })
    return this.wait(transcript_id, watching)
  }

  async wait(transcriptId: string, { onProgress, signal }: Watching = {}): Promise<Transcript> {
    for (;;) {
      signal?.throwIfAborted()
      const transcript = await this.get(transcriptId)
      onProgress?.(transcript.progress)
      if (transcript.completed_at !== null) return transcript
      await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
    }
  }

  list(
    query: { page?: number; limit?: number; status?: TranscriptStatus } = {},
  ): Promise<{ data: TranscriptSummary[]; pagination: Pagination }> {
    return send(this.transport, { method: 'GET', path: '/transcripts', query })
  }

  get(transcriptId: string): Promise<Transcript> {
    return send(this.transport, { method: 'GET', path: `/transcripts/${transcriptId}` })
  }

  /** As plain text or subtitles. */
  async text(transcriptId: string, format: Exclude<TranscriptFormat, 'json'> = 'text'): Promise<string> {
    const path = `/transcripts/${transcriptId}`
    return (await ask(this.transport, { method: 'GET', path, query: { format } })).text()
  }

  delete(transcriptId: string): Promise<{ transcript_id: string; deleted: true }> {
    return send(this.transport, { method: 'DELETE', path: `/transcripts/${transcriptId}` })
  }

  /** Signs every callback of the workspace. */
  callbackSecret(): Promise<{ secret: string }> {
    return send(this.transport, { method: 'GET', path: '/callback-secret' })
  }

  rotateCallbackSecret(): Promise<{ secret: string }> {
    return send(this.once, { method: 'POST', path: '/callback-secret/rotate' })
  }
}
