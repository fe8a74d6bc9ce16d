// Where browsers come in: a WebSocket whose first message is the token of a call.
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { Join, type ToBrowser } from '@parley/contract'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Log } from '../../../platform/log.ts'
import type { BrowserLink } from '../../../ports/browser-link.ts'
import { BrowserSocket } from './socket.ts'

export type Admission =
  | { readonly is: 'in'; readonly sessionId: string }
  | { readonly is: 'unknown' }
  | { readonly is: 'full' }

export interface BrowserDoorOptions {
  readonly path: string
  /** Other sites whose pages may come. */
  readonly origins: readonly string[]
  readonly log: Log
  join(token: string, link: BrowserLink): Promise<Admission>
}

export interface BrowserDoor {
  /** Everybody who is still there is sent away. */
  close(): void
}

// The longest thing that a browser says is its offer.
const mostBytes = 65_536
// A page has its token at hand when it connects.
const joinMs = 5_000
// Sockets that have not shown a token yet; more than a thousand at a time are no people.
const mostWaiting = 1_000

const turnedAway = {
  unknown: 'This call cannot be joined: the token was used already, or is too old.',
  full: 'Every line is busy at the moment. Try again in a moment.',
  broken: 'Something went wrong on our side. Try again in a moment.',
} as const

export function openBrowserDoor(server: Server, options: BrowserDoorOptions): BrowserDoor {
  const { path, log } = options
  const sockets = new WebSocketServer({ noServer: true, maxPayload: mostBytes, perMessageDeflate: false })
  let waiting = 0

  const onUpgrade = (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on('error', () => {})
    if (request.url?.split('?', 1)[0] !== path) return refuse(stream, '404 Not Found')
    if (!mayCome(request, options.origins)) return refuse(stream, '403 Forbidden')
    if (waiting >= mostWaiting) return refuse(stream, '503 Service Unavailable')
    sockets.handleUpgrade(request, stream, head, meet)
  }

  const meet = (socket: WebSocket) => {
    waiting++
    const impatient = setTimeout(() => socket.close(1008), joinMs)
    // A broken frame or one that is too long; ws closes the socket itself.
    socket.on('error', () => {})
    const settled = () => {
      clearTimeout(impatient)
      waiting--
    }
    socket.once('close', settled)
    socket.once('message', (data, binary) => {
      socket.off('close', settled)
      settled()
      const token = binary ? undefined : tokenIn(String(data))
      if (token === undefined) return socket.close(1008)
      void admit(socket, token)
    })
  }

  const admit = async (socket: WebSocket, token: string) => {
    // What it says before it is in waits in the network.
    socket.pause()
    const browser = new BrowserSocket(socket)
    const admission = await options.join(token, browser.link).catch((err: unknown) => {
      log.warn({ err }, 'a browser could not join')
      return { is: 'broken' } as const
    })
    socket.resume()
    if (admission.is === 'in') return browser.send({ type: 'joined', session_id: admission.sessionId })
    browser.send({ type: 'refused', message: turnedAway[admission.is] } satisfies ToBrowser)
    browser.close(1008)
  }

  server.on('upgrade', onUpgrade)
  return {
    close() {
      server.off('upgrade', onUpgrade)
      for (const socket of sockets.clients) socket.terminate()
    },
  }
}

function tokenIn(text: string): string | undefined {
  try {
    return Join.safeParse(JSON.parse(text)).data?.token
  } catch {
    return undefined
  }
}

/** The token is what lets in; this keeps strange pages from even trying. Programs send no origin. */
function mayCome({ headers }: IncomingMessage, origins: readonly string[]): boolean {
  const { origin, host } = headers
  return origin === undefined || origins.includes(origin) || /^https?:\/\/(.*)$/.exec(origin)?.[1] === host
}

const refuse = (stream: Duplex, status: string): void => {
  stream.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}
