// A vendor's server on loopback: replies as scripted and records every request.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Busboy } from '@fastify/busboy'
import type {
  TranscriptionJob,
  TranscriptionOptions,
  TranscriptionResult,
} from '../../../src/ports/transcription.ts'
import { transcriptionOverHttp } from '../../../src/vendors/over/recordings/over-http.ts'
import type { TranscriptionServer, TranscriptionVendor } from '../../../src/vendors/over/recordings/vendor.ts'
import type { Pace } from '../../../src/vendors/over/recordings/wire.ts'

export interface ReceivedRequest {
  /** As in 'POST /v1/listen'. */
  readonly what: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly fields: Record<string, string[]>
  /** The uploaded file of a form, otherwise the body. */
  readonly bytes: Buffer
}

/** `drop` closes the connection; `hang` never replies. */
export type Reply =
  | { readonly status?: number; readonly headers?: Record<string, string>; readonly body?: unknown }
  | 'drop'
  | 'hang'
/** Replies by method and path, '*' for all others. The last reply of a list repeats. */
export type Script = Readonly<
  Record<string, Reply | readonly Reply[] | ((received: ReceivedRequest) => Reply)>
>

export const apiKey = 'sk-test-key'
export const plain: TranscriptionOptions = { align: false, keyterms: [] }
// Delays that do not slow down a test.
export const hasty: Pace = {
  firstMs: 1,
  mostMs: 2,
  mostRetryAfterMs: 2,
  mostAgain: 3,
  patienceMs: () => 10_000,
}

export interface Loopback {
  readonly server: TranscriptionServer & { readonly baseUrl: string }
  readonly folder: string
  readonly received: ReceivedRequest[]
  /** Method and path of every request, in order. */
  asked(): string[]
  script: Script
  /** Clears the recorded requests and the script. */
  reset(): void
  close(): Promise<void>
}

export async function openLoopback(): Promise<Loopback> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-servers-'))
  const received: ReceivedRequest[] = []
  const http = createServer(async (request, response) => {
    const one = await readRequest(request).catch(() => undefined)
    // The client gave up while it sent.
    if (!one) return
    const before = received.filter(({ what }) => what === one.what).length
    received.push(one)
    const reply = replyTo(one, before, fixture.script)
    if (reply === 'hang') return
    if (reply === 'drop') return void request.socket.destroy()
    response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers })
    response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body ?? {}))
  })
  await new Promise<void>((ready) => http.listen(0, '127.0.0.1', ready))
  const baseUrl = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const fixture: Loopback = {
    server: { baseUrl, model: undefined, apiKey },
    folder,
    received,
    asked: () => received.map(({ what }) => what),
    script: {},
    reset() {
      received.length = 0
      fixture.script = {}
    },
    async close() {
      http.closeAllConnections()
      await new Promise((done) => http.close(done))
      await rm(folder, { recursive: true, force: true })
    },
  }
  return fixture
}

function replyTo(received: ReceivedRequest, before: number, script: Script): Reply {
  const reply = script[received.what] ?? script['*'] ?? { status: 404, body: { error: 'no such thing' } }
  if (typeof reply === 'function') return reply(received)
  return Array.isArray(reply) ? reply[Math.min(before, reply.length - 1)] : (reply as Reply)
}

async function readRequest(request: IncomingMessage): Promise<ReceivedRequest> {
  const fields: Record<string, string[]> = {}
  const chunks: Buffer[] = []
  const type = request.headers['content-type'] ?? ''
  if (type.startsWith('multipart/')) {
    const form = new Busboy({ headers: { ...request.headers, 'content-type': type } })
    form.on('field', (name, value) => (fields[name] = [...(fields[name] ?? []), value]))
    form.on('file', (name, stream) => {
      fields[name] = []
      stream.on('data', (chunk) => chunks.push(chunk))
    })
    await new Promise((done) => request.pipe(form).on('finish', done))
  } else for await (const chunk of request) chunks.push(chunk)
  const url = new URL(request.url ?? '', 'http://here')
  const what = `${request.method} ${url.pathname}`
  return { what, query: url.searchParams, headers: request.headers, fields, bytes: Buffer.concat(chunks) }
}

/** A job with a steady tone, silent for 100 ms at 25 s, and the progress and notes it recorded. */
export async function jobIn(
  folder: string,
  seconds: number,
  wishes: TranscriptionOptions,
  kept = new Map<string, string>(),
) {
  const pcmFile = join(folder, 'sound.pcm')
  const samples = new Int16Array(seconds * 16_000).fill(5_000)
  samples.fill(0, 25 * 16_000, 25 * 16_000 + 1_600)
  await writeFile(pcmFile, Buffer.from(samples.buffer))
  const progress: number[] = []
  const job: TranscriptionJob = {
    sound: { pcmFile, durationSeconds: seconds },
    wishes,
    notes: { get: (name) => kept.get(name), put: (name, json) => void kept.set(name, json) },
    onProgress: (share) => void progress.push(share),
  }
  return { job, progress, kept }
}

export async function run(
  vendor: TranscriptionVendor,
  job: TranscriptionJob,
  signal = new AbortController().signal,
  pace = hasty,
): Promise<TranscriptionResult> {
  const engine = transcriptionOverHttp(vendor, { apiKey }, pace)
  try {
    return await engine.transcribe(job, signal)
  } finally {
    await engine.close()
  }
}
