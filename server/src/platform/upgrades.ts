// HTTP upgrades of one server, routed by path, so that several can accept WebSockets on the same port.
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

export type TakeUpgrade = (request: IncomingMessage, stream: Duplex, head: Buffer) => void

export interface Upgrades {
  /** Matches the path exactly; an unmatched upgrade is answered 404. */
  take(path: string, take: TakeUpgrade): void
  close(): void
}

export function routeUpgrades(server: Server): Upgrades {
  const takers = new Map<string, TakeUpgrade>()
  const onUpgrade: TakeUpgrade = (request, stream, head) => {
    stream.on('error', () => {})
    const take = takers.get(request.url?.split('?', 1)[0] ?? '')
    if (take) take(request, stream, head)
    else refuseUpgrade(stream, '404 Not Found')
  }
  server.on('upgrade', onUpgrade)
  return {
    take: (path, take) => void takers.set(path, take),
    close: () => void server.off('upgrade', onUpgrade),
  }
}

export const refuseUpgrade = (stream: Duplex, status: string): void => {
  stream.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}
