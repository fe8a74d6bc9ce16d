// A whole service with the speech-to-text API, used over HTTP.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { boundKey, openService, type Reply, type TestDatabase, type TestService } from '../service.ts'
import { type ScriptedEngine, scriptedEngine } from './scripted-engine.ts'

export interface TranscriptionFixture extends TestService {
  readonly engine: ScriptedEngine
  /** One request to the speech-to-text API, by default with the bound key. */
  speak(method: string, path: string, ask?: SpeechAsk): Promise<Reply>
  /** A raw body, sent as it is. */
  upload(content: Buffer, type?: string): Promise<Reply>
  /** A form with a file and these fields. */
  form(path: string, content: Buffer | undefined, fields?: Record<string, string>): Promise<Reply>
  /** The file_id of a new file. */
  fileOf(content: Buffer): Promise<string>
  /** The transcript once it has ended. */
  ended(transcriptId: string): Promise<Reply['body']>
  /** The names of all stored objects. */
  stored(): Promise<string[]>
}

export interface SpeechAsk {
  headers?: Record<string, string>
  body?: unknown
}

export async function openTranscriptionFixture(
  env: Record<string, string> = {},
  shared?: TestDatabase,
): Promise<TranscriptionFixture> {
  const engine = scriptedEngine()
  const service = await openService(env, shared, undefined, engine.open)

  const send = async (path: string, body: Buffer | FormData, headers: Record<string, string>) => {
    const response = await fetch(`${service.url}/v1${path}`, {
      method: 'POST',
      headers: { authorization: boundKey, ...headers },
      body: body instanceof FormData ? body : new Uint8Array(body),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: JSON.parse(text) }
  }
  const speak: TranscriptionFixture['speak'] = (method, path, { headers, body } = {}) =>
    service.bare(method, `/v1${path}`, { headers: { authorization: boundKey, ...headers }, body })
  const upload: TranscriptionFixture['upload'] = (content, type = 'audio/wav') =>
    send('/files', content, { 'content-type': type })

  return {
    ...service,
    engine,
    speak,
    upload,
    form(path, content, fields = {}) {
      const form = new FormData()
      for (const [name, value] of Object.entries(fields)) form.append(name, value)
      if (content) form.set('file', new Blob([new Uint8Array(content)]), 'sound.bin')
      return send(path, form, {})
    },
    async fileOf(content) {
      const { status, body, text } = await upload(content)
      if (status !== 201) throw new Error(text)
      return body.data.file_id
    },
    async ended(transcriptId) {
      for (;;) {
        const { body } = await speak('GET', `/transcripts/${transcriptId}`)
        if (!['queued', 'processing'].includes(body.data.status)) return body.data
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    },
    stored: () => readdir(join(service.dataDir, 'uploads', 'files')),
  }
}
