// Messages of Azure's speech sockets, as its own library has them: headers, then a body. Before the headers of a binary
// message is their length, in two bytes. `X-RequestId` says which turn a message belongs to.
import { randomUUID } from 'node:crypto'
import type { VendorRequest } from '../over/wire/vendor-request.ts'
import type { SocketAddress } from '../over/wire/vendor-socket.ts'

export const azureId = (): string => randomUUID().replaceAll('-', '')

/** A position or a length in Azure's time, which has steps of 100 ns. */
export const azureMs = (steps: number): number => steps / 10_000

const headersOf = (path: string, requestId: string, type?: string): string =>
  [
    `Path: ${path}`,
    `X-RequestId: ${requestId}`,
    `X-Timestamp: ${new Date().toISOString()}`,
    ...(type ? [`Content-Type: ${type}`] : []),
    '',
  ].join('\r\n')

/** How every socket begins. */
export const azureSession = ({ url, headers }: VendorRequest): SocketAddress => ({
  url,
  headers: { ...headers, 'x-connectionid': azureId() },
  hello: azureJson('speech.config', azureId(), { context: { system: { name: 'Parley', version: '1' } } }),
})

export const azureJson = (path: string, requestId: string, body: object): string =>
  azureText(path, requestId, JSON.stringify(body), 'application/json')

export const azureText = (path: string, requestId: string, body: string, type: string): string =>
  `${headersOf(path, requestId, type)}\r\n${body}`

/** Without a body: the end of the turn. */
export function azureAudio(
  requestId: string,
  body: Uint8Array = new Uint8Array(),
  type?: string,
): Uint8Array {
  const headers = Buffer.from(headersOf('audio', requestId, type), 'latin1')
  const length = Buffer.alloc(2)
  length.writeUInt16BE(headers.length)
  return Buffer.concat([length, headers, body])
}

interface AzureHead {
  /** In small letters; undefined: this is no such message. */
  readonly path: string | undefined
  readonly requestId: string | undefined
}

export function parseAzureText(text: string): AzureHead & { readonly body: string } {
  const [headers = '', ...body] = text.split('\r\n\r\n')
  return { ...headIn(headers), body: body.join('\r\n\r\n') }
}

export function parseAzureAudio(bytes: Uint8Array): AzureHead & { readonly body: Uint8Array } {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const end = 2 + all.readUInt16BE(0)
  return { ...headIn(all.toString('latin1', 2, end)), body: all.subarray(end) }
}

const headIn = (headers: string): AzureHead => ({
  path: /^path:\s*(\S+)/im.exec(headers)?.[1]?.toLowerCase(),
  requestId: /^x-requestid:\s*(\S+)/im.exec(headers)?.[1]?.toLowerCase(),
})
