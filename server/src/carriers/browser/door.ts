// Where browsers connect: a WebSocket whose first message is the token of a call.
import type { IncomingMessage } from 'node:http'
import { Join, type ToBrowser } from '@parley/contract'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Log } from '../../platform/log.ts'
import { refuseUpgrade, type TakeUpgrade, type Upgrades } from '../../platform/upgrades.ts'
import type { Admit } from '../../ports/arrival.ts'
import type { Door } from '../description.ts'
import { BrowserSocket, readMessage } from './socket.ts'

export interface BrowserDoorOptions {
  readonly path: string
  /** Other origins whose pages may connect. */
  readonly origins: readonly string[]
  readonly log: Log
  readonly admit: Admit
}

// The longest message from a browser is its SDP offer.
const mostBytes = 65_536
// A page already has its token when it connects.
const joinMs = 5_000
// Sockets that have not sent a token yet; more than a thousand at once are an attack.
const mostWaiting = 1_000

const turnedAway = {
  unknown: 'This call cannot be joined: the token was used already, or is too old.',
  full: 'Every line is busy at the moment. Try again in a moment.',
  draining: 'This server is being restarted and takes no new calls. Try again in a moment.',
  overloaded: 'This server is too busy to carry another call well. Try again in a moment.',
  broken: 'Something went wrong on our side. Try again in a moment.',
} as const

export function openBrowserDoor(upgrades: Upgrades, options: BrowserDoorOptions): Door {
  const { path, log } = options
  const sockets = new WebSocketServer({ noServer: true, maxPayload: mostBytes, perMessageDeflate: false })
  let waiting = 0

  const onUpgrade: TakeUpgrade = (request, stream, head) => {
    if (!mayCome(request, options.origins)) return refuseUpgrade(stream, '403 Forbidden')
    if (waiting >= mostWaiting) return refuseUpgrade(stream, '503 Service Unavailable')
    sockets.handleUpgrade(request, stream, head, meet)
  }

  const meet = (socket: WebSocket) => {
    waiting++
    const impatient = setTimeout(() => socket.close(1008), joinMs)
    // ws itself closes the socket on a broken or oversized frame.
    socket.on('error', () => {})
    const settled = () => {
      clearTimeout(impatient)
      waiting--
    }
    socket.once('close', settled)
    socket.once('message', (data, binary) => {
      socket.off('close', settled)
      settled()
      const token = binary ? undefined : readMessage(Join, String(data))?.token
      if (token === undefined) return socket.close(1008)
      void join(socket, token)
    })
  }

  const join = async (socket: WebSocket, token: string) => {
    // What it sends before it is admitted stays in the network buffers.
    socket.pause()
    const browser = new BrowserSocket(socket)
    const admission = await options.admit({ by: 'token', token }, browser.arrival).catch((err: unknown) => {
      log.warn({ err }, 'a browser could not join')
      return { is: 'broken' } as const
    })
    socket.resume()
    if (admission.is === 'in') return browser.send({ type: 'joined', session_id: admission.sessionId })
    browser.send({ type: 'refused', message: turnedAway[admission.is] } satisfies ToBrowser)
    browser.close(1008)
  }

  upgrades.take(path, onUpgrade)
  return {
    close() {
      for (const socket of sockets.clients) socket.terminate()
    },
  }
}

/** The token authorises; this stops pages of other origins early. Programs send no origin. */
function mayCome({ headers }: IncomingMessage, origins: readonly string[]): boolean {
  const { origin, host } = headers
  return origin === undefined || origins.includes(origin) || /^https?:\/\/(.*)$/.exec(origin)?.[1] === host
}
