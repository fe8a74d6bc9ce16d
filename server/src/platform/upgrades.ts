// HTTP upgrades of one server, routed by path, so that several can accept WebSockets on the same port.
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

export type TakeUpgrade = (request: IncomingMessage, stream: Duplex, head: Buffer) => void

export interface Upgrades {
  /** Matches the path exactly. */
  take(path: string, take: TakeUpgrade): void
}

export class UpgradeRoutes implements Upgrades {
  readonly #takers = new Map<string, TakeUpgrade>()

  take(path: string, take: TakeUpgrade): void {
    this.#takers.set(path, take)
  }

  /**
   * Whether the request asks for an upgrade that somebody takes; a request that does not is answered as if it had not
   * asked. Java's client and curl offer HTTP/2 in this way with every request.
   */
  takes(request: IncomingMessage): boolean {
    return this.#takers.has(pathOf(request))
  }

  attachTo(server: Server): void {
    server.on('upgrade', (request, stream, head) => {
      stream.on('error', () => {})
      const take = this.#takers.get(pathOf(request))
      if (take) take(request, stream, head)
      // Only Node before 24.9, which does not ask first, gets here.
      else refuseUpgrade(stream, '404 Not Found')
    })
  }
}

const pathOf = ({ url = '' }: IncomingMessage): string => url.split('?', 1)[0] ?? ''

export const refuseUpgrade = (stream: Duplex, status: string): void => {
  stream.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}
