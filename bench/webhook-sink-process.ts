// The webhook receiver as a child process, with a certificate trusted only by those that are given it.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generate } from 'selfsigned'
import { answers, type Child, freePort, startNode } from './service-process.ts'

/** One request, as the receiver saw it. */
export interface Arrival {
  readonly deliveryId: string
  readonly atMs: number
  /** When it was sent, by the timestamp of its signature, which is in whole seconds. */
  readonly sentAtMs: number
  /** When its event was created, according to the event. */
  readonly madeAtMs: number
  readonly sha256: string
  /** The status it was answered with, if any. */
  status: number | null
  answeredAtMs: number | null
}

export interface Sink {
  readonly child: Child
  /** One per endpoint. */
  readonly origins: readonly string[]
  /** For NODE_EXTRA_CA_CERTS. */
  readonly certificateFile: string
  /** Requests to /count since the start. */
  count(): Promise<number>
  /** Other requests that have not been answered yet. */
  underWay(): Promise<number>
  /** All other requests, in order. */
  arrivals(): Promise<Arrival[]>
  forgetArrivals(): Promise<void>
  /** The first arrival among the events created since then. */
  firstMadeSince(ms: number): Promise<Arrival | undefined>
}

const main = fileURLToPath(new URL('./webhook-sink.ts', import.meta.url))

export async function startSink(folder: string, endpoints: number): Promise<Sink> {
  const { keyFile, certificateFile } = await makeCertificate(folder)
  const [controlPort = 0, ...ports] = await freePorts(1 + endpoints)
  const control = `http://127.0.0.1:${controlPort}`
  const args = [main, keyFile, certificateFile, ...[controlPort, ...ports].map(String)]
  const child = await startNode(args, {}, join(folder, 'sink.log'), () => answers(`${control}/healthz`))
  const ask = async <T>(path: string, method = 'GET') =>
    (await (await fetch(`${control}${path}`, { method })).json()) as T
  return {
    child,
    origins: ports.map((port) => `https://127.0.0.1:${port}`),
    certificateFile,
    count: () => ask('/count'),
    underWay: () => ask('/under-way'),
    arrivals: () => ask('/arrivals'),
    forgetArrivals: () => ask('/arrivals', 'DELETE'),
    firstMadeSince: async (ms) => (await ask<Arrival | null>(`/first?made_since=${ms}`)) ?? undefined,
  }
}

async function makeCertificate(folder: string): Promise<{ keyFile: string; certificateFile: string }> {
  const made = await generate([{ name: 'commonName', value: 'sink' }], {
    // The most common handshake on the internet, and the cheaper one.
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  })
  const keyFile = join(folder, 'sink-key.pem')
  const certificateFile = join(folder, 'sink-certificate.pem')
  await writeFile(keyFile, made.private, { mode: 0o600 })
  await writeFile(certificateFile, made.cert)
  return { keyFile, certificateFile }
}

async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>()
  while (ports.size < count) ports.add(await freePort())
  return [...ports]
}
