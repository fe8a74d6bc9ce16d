// A vendor on a loopback address: HTTP and WebSockets on one port, a key that it knows, and the ways in which vendors
// fail. What it says is up to the vendor's own file.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type WebSocket, WebSocketServer } from 'ws'

/** A fault that every message and every piece of sound of the server goes through. */
export type Fault =
  /** Nothing is sent, after so many more messages. */
  | { readonly is: 'stall'; readonly after?: number }
  /** Connections and requests are not answered. */
  | { readonly is: 'hold' }
  /** Connections and requests are broken off before they are answered. */
  | { readonly is: 'drop' }
  /** This is sent instead of the next message. */
  | { readonly is: 'garble'; readonly message: string }
  /** This is sent before the next message. */
  | { readonly is: 'add'; readonly message: string }
  /** The connection is closed after so many more messages; of a socket, with a code and a reason. */
  | { readonly is: 'break'; readonly after: number }
  /** Messages with sound are left out; as a vendor knows them. */
  | { readonly is: 'mute' }
  /** Every message waits so long. */
  | { readonly is: 'delay'; readonly ms: number }
  /** No connection and no request is accepted. */
  | { readonly is: 'refuse'; readonly status: number }

export interface VendorRequest {
  readonly method: string
  readonly url: URL
  readonly headers: IncomingHttpHeaders
}

/** One socket, or one request. */
export interface VendorClient extends VendorRequest {
  /** The body of a request; of a socket, empty. */
  readonly body: Buffer
  send(message: string | Uint8Array): void
  /** The end of an answer; of a socket, closes it. */
  end(code?: number, reason?: string): void
  /** The status and headers of an answer, before anything is sent. */
  head(status: number, headers?: Readonly<Record<string, string>>): void
  onMessage(listener: (message: string | Buffer) => void): void
}

export interface VendorServer {
  readonly baseUrl: string
  /** Every request and every opened socket, refused ones too. */
  readonly asked: VendorRequest[]
  /** Open sockets. */
  readonly connections: ReadonlySet<WebSocket>
  /** How many connections were made to it, for whatever reason. */
  readonly dialled: number
  /** Closes every connection, as a vendor does with idle ones. */
  hangUp(): void
  /** Breaks off every connection, without a word. */
  breakOff(): void
  /** How often a client's ping was answered and its pong to ours has come back. */
  readonly roundTrips: number
  fault: Fault | undefined
  close(): Promise<void>
}

export interface VendorRules {
  /** Whether the key is right; others are refused with 401. */
  knows(asked: VendorRequest): boolean
  socket?(client: VendorClient): void
  request?(client: VendorClient): void
}

/** Why it refuses whomever it refuses. */
export const whyRefused = 'It was refused.'
const refusalBody = JSON.stringify({ error: { message: whyRefused } })

export async function openVendorServer(rules: VendorRules): Promise<VendorServer> {
  const http = createServer()
  const sockets = new WebSocketServer({ noServer: true })
  const asked: VendorRequest[] = []
  let roundTrips = 0
  let dialled = 0
  /** What was asked to be upgraded and is not answered. */
  const held = new Set<Duplex>()
  http.on('connection', () => dialled++)
  const server: VendorServer = {
    get baseUrl() {
      return `http://127.0.0.1:${(http.address() as AddressInfo).port}`
    },
    asked,
    connections: sockets.clients,
    get roundTrips() {
      return roundTrips
    },
    get dialled() {
      return dialled
    },
    hangUp() {
      for (const client of sockets.clients) client.close(1000)
      http.closeIdleConnections()
    },
    breakOff() {
      for (const client of sockets.clients) client.terminate()
      http.closeAllConnections()
    },
    fault: undefined,
    close() {
      server.breakOff()
      for (const stream of held) stream.destroy()
      return new Promise((done) => http.close(() => done()))
    },
  }
  const admit = (request: IncomingMessage): { asked: VendorRequest; refusal: number | undefined } => {
    const { method = 'GET', url = '/', headers } = request
    const one = { method, url: new URL(`http://vendor${url}`), headers }
    asked.push(one)
    const refusal = server.fault?.is === 'refuse' ? server.fault.status : rules.knows(one) ? undefined : 401
    return { asked: one, refusal }
  }

  http.on('upgrade', (request, stream, head) => {
    const { asked: one, refusal } = admit(request)
    if (server.fault?.is === 'hold') return void held.add(stream)
    if (server.fault?.is === 'drop') return void stream.destroy()
    if (refusal !== undefined || !rules.socket) {
      const length = refusalBody.length
      stream.end(
        `HTTP/1.1 ${refusal ?? 404} No\r\ncontent-length: ${length}\r\nconnection: close\r\n\r\n${refusalBody}`,
      )
      return
    }
    sockets.handleUpgrade(request, stream, head, (socket) => {
      socket.on('ping', () => socket.ping())
      socket.on('pong', () => roundTrips++)
      rules.socket?.(socketClient(one, socket, server))
    })
  })
  http.on('request', async (request, response) => {
    const { asked: one, refusal } = admit(request)
    const sent = await buffer(request).catch(() => undefined)
    // The client gave up while it sent.
    if (!sent || server.fault?.is === 'hold') return
    if (server.fault?.is === 'drop') return void request.socket.destroy()
    if (refusal !== undefined || !rules.request) {
      response.writeHead(refusal ?? 404, { 'content-type': 'application/json' })
      response.end(refusalBody)
      return
    }
    rules.request(requestClient(one, sent, response, server))
  })
  await new Promise<void>((ready) => http.listen(0, '127.0.0.1', ready))
  return server
}

function socketClient(asked: VendorRequest, socket: WebSocket, server: VendorServer): VendorClient {
  const post = (message: string | Uint8Array) => socket.send(message)
  return {
    ...asked,
    body: Buffer.alloc(0),
    send: faulty(server, post, () => socket.close(1011, 'out of breath')),
    end: (code = 1000, reason = '') => socket.close(code, reason),
    head() {},
    onMessage: (listener) =>
      socket.on('message', (data: Buffer, isBinary) => listener(isBinary ? data : data.toString())),
  }
}

function requestClient(
  asked: VendorRequest,
  body: Buffer,
  response: ServerResponse,
  server: VendorServer,
): VendorClient {
  let isEnded = false
  const end = () => {
    if (!isEnded && !isStalled(server)) response.end()
    isEnded = true
  }
  const post = (message: string | Uint8Array) => void response.write(message)
  return {
    ...asked,
    body,
    send: faulty(server, post, () => response.destroy()),
    // Sent after the messages that still wait.
    end: () => (server.fault?.is === 'delay' ? setTimeout(end, server.fault.ms) : end()),
    head: (status, headers = {}) => {
      response.writeHead(status, headers)
      response.flushHeaders()
    },
    onMessage() {},
  }
}

/** The answer to a harmless request. */
export function answerJson(client: VendorClient, json: object): void {
  client.head(200, { 'content-type': 'application/json' })
  client.send(JSON.stringify(json))
  client.end()
}

/** Whether nothing is sent any more; counts the messages until then. */
function isStalled(server: VendorServer): boolean {
  const { fault } = server
  if (fault?.is !== 'stall') return false
  if (!fault.after) return true
  server.fault = { is: 'stall', after: fault.after - 1 }
  return false
}

function faulty(server: VendorServer, post: (message: string | Uint8Array) => void, breakOff: () => void) {
  let isBroken = false
  return (message: string | Uint8Array): void => {
    const { fault } = server
    if (isBroken || isStalled(server)) return
    if (fault?.is === 'delay') setTimeout(() => post(message), fault.ms)
    else if (fault?.is === 'garble') {
      server.fault = undefined
      post(fault.message)
    } else if (fault?.is === 'add') {
      server.fault = undefined
      post(fault.message)
      post(message)
    } else if (fault?.is === 'break' && fault.after === 0) {
      server.fault = undefined
      isBroken = true
      breakOff()
    } else {
      if (fault?.is === 'break') server.fault = { is: 'break', after: fault.after - 1 }
      post(message)
    }
  }
}
