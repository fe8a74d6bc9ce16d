// Messages of Azure's speech sockets as its servers read and write them.

export interface AzureMessage {
  readonly path: string
  readonly requestId: string
  readonly body: Buffer
}

export const readAzure = (raw: string | Buffer): AzureMessage =>
  typeof raw === 'string' ? readText(raw) : readBinary(raw)

export const azureText = (path: string, requestId: string, body: object): string =>
  `X-RequestId:${requestId}\r\nContent-Type:application/json; charset=utf-8\r\nPath:${path}\r\n\r\n${JSON.stringify(body)}`

export function azureSound(requestId: string, streamId: string, sound: Buffer): Buffer {
  const head = Buffer.from(
    `X-RequestId:${requestId}\r\nContent-Type:audio/x-wav\r\nX-StreamId:${streamId}\r\nPath:audio\r\n`,
  )
  const length = Buffer.alloc(2)
  length.writeUInt16BE(head.length)
  return Buffer.concat([length, head, sound])
}

function readText(text: string): AzureMessage {
  const [head = '', ...body] = text.split('\r\n\r\n')
  return { ...readHead(head), body: Buffer.from(body.join('\r\n\r\n')) }
}

function readBinary(bytes: Buffer): AzureMessage {
  const length = bytes.readUInt16BE(0)
  return { ...readHead(bytes.subarray(2, 2 + length).toString('latin1')), body: bytes.subarray(2 + length) }
}

function readHead(head: string): { path: string; requestId: string } {
  const value = (name: string) => new RegExp(`^${name}:\\s*(\\S+)`, 'im').exec(head)?.[1] ?? ''
  return { path: value('Path').toLowerCase(), requestId: value('X-RequestId') }
}
