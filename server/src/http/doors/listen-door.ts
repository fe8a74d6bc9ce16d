// Where people listen in to running calls: a WebSocket with the session cookie of the dashboard, whose first message
// names the call. Sound that the network does not take is dropped.
import type { IncomingMessage } from 'node:http'
import { ListenTo, listenPath, listenRole, type ToListener } from '@parley/contract'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Log } from '../../platform/log.ts'
import { refuseUpgrade, type Upgrades } from '../../platform/upgrades.ts'
import { Failure } from '../failure.ts'
import type { Admissions } from './admissions.ts'
import { mustHaveRole, type Person, personWith, type Sessions, tokenIn } from './dashboard-door.ts'

export interface ListenerEvents {
  onSound(bytes: Buffer, rateHz: number): void
  onEnd(why: string | undefined): void
}

export interface ListenDoorParts {
  readonly sessions: Sessions
  readonly admissions: Admissions
  readonly log: Log
  /** Throws if there is no such call in the workspace. */
  readonly mustExist: (workspaceId: string, sessionId: string) => Promise<unknown>
  readonly listen: (sessionId: string, by: string, events: ListenerEvents) => Promise<{ stop(): void }>
}

// A page names the call as soon as it is connected.
const namingMs = 5_000
const mostBytes = 1_024
// About half a second of sound.
const mostUnsentBytes = 50_000

export function listenDoor(upgrades: Upgrades, parts: ListenDoorParts): { close(): void } {
  const { sessions, admissions, log } = parts
  const sockets = new WebSocketServer({ noServer: true, maxPayload: mostBytes, perMessageDeflate: false })

  const serve = async (socket: WebSocket, person: Person, token: string): Promise<void> => {
    const named = ListenTo.parse(await firstMessage(socket))
    const { workspace_id: workspaceId, session_id: sessionId } = named
    const admit = async () =>
      mustHaveRole(sessions, await personWith(sessions, token), workspaceId, listenRole)
    await admit()
    await parts.mustExist(workspaceId, sessionId)
    const listening = await parts.listen(sessionId, nameOf(person), eventsOf(socket))
    log.info({ user_id: person.user.user_id, session_id: sessionId }, 'somebody listens in to a call')
    if (socket.readyState !== socket.OPEN) return listening.stop()
    socket.once('close', () => listening.stop())
    admissions.watch(admit, {
      once: (event, gone) => socket.once(event, gone),
      destroy: () => socket.close(1008),
    })
  }

  upgrades.take(listenPath, async (request, stream, head) => {
    const token = tokenIn(request.headers.cookie)
    const person = isOwnPage(request) ? await personWith(sessions, token).catch(() => undefined) : undefined
    if (!person || !token) return refuseUpgrade(stream, '401 Unauthorized')
    sockets.handleUpgrade(request, stream, head, (socket) => {
      // ws itself closes the socket on a broken or oversized frame.
      socket.on('error', () => {})
      serve(socket, person, token).catch((error: unknown) => {
        const message = error instanceof Failure ? error.message : 'Say which call, as the dashboard does.'
        end(socket, message)
      })
    })
  })
  return {
    close() {
      for (const socket of sockets.clients) socket.terminate()
    },
  }
}

const send = (socket: WebSocket, message: ToListener) => socket.send(JSON.stringify(message))

function end(socket: WebSocket, message: string | undefined): void {
  if (socket.readyState !== socket.OPEN) return
  send(socket, message === undefined ? { type: 'over' } : { type: 'refused', message })
  socket.close(1000)
}

function eventsOf(socket: WebSocket): ListenerEvents {
  let toldHz = 0
  return {
    onSound(bytes, rateHz) {
      if (socket.readyState !== socket.OPEN || socket.bufferedAmount > mostUnsentBytes) return
      if (toldHz !== rateHz) send(socket, { type: 'sound', rate_hz: rateHz })
      toldHz = rateHz
      socket.send(bytes)
    },
    onEnd: (why) => end(socket, why),
  }
}

const firstMessage = (socket: WebSocket): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const impatient = setTimeout(() => reject(new Error('nothing was said')), namingMs)
    socket.once('close', () => clearTimeout(impatient))
    socket.once('message', (data) => {
      clearTimeout(impatient)
      try {
        resolve(JSON.parse(String(data)))
      } catch (error) {
        reject(error as Error)
      }
    })
  })

/** The cookie is sent from pages of our own site only; this stops others all the same. */
const isOwnPage = ({ headers: { origin, host } }: IncomingMessage): boolean =>
  origin === undefined || /^https?:\/\/(.*)$/.exec(origin)?.[1] === host

const nameOf = ({ user }: Person): string => user.name ?? user.email
