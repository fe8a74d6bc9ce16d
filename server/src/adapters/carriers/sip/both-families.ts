// One set of sockets for IPv4 and one for IPv6, used as one; where a machine has no IPv6 there is only the first.
import { isIPv6 } from 'node:net'
import { type OpenSockets, openSockets, type SocketListener, type SocketSettings } from './sockets.ts'
import type { Destination, Transports } from './transport.ts'

export interface BothFamilies extends Transports {
  readonly port: number
  readonly tlsPort: number | null
}

export async function openBothFamilies(
  { advertisedHost, ...settings }: Omit<SocketSettings, 'host'>,
  listener: SocketListener,
): Promise<BothFamilies> {
  const told = (isSix: boolean) =>
    advertisedHost !== null && isIPv6(advertisedHost) === isSix ? advertisedHost : null
  const four = await openSockets({ ...settings, host: '0.0.0.0', advertisedHost: told(false) }, listener)
  const tls = settings.tls && { ...settings.tls, port: four.tlsPort ?? settings.tls.port }
  const six = await openSockets(
    { ...settings, host: '::', port: four.port, tls, advertisedHost: told(true) },
    listener,
  ).catch((): OpenSockets | null => null)
  const socketsFor = (address: string): OpenSockets => (isIPv6(address) ? (six ?? four) : four)
  return {
    port: four.port,
    tlsPort: four.tlsPort,
    send: (bytes, to, onFailure) => socketsFor(to.address).send(bytes, to, onFailure),
    ping: (to) => socketsFor(to.address).ping(to),
    watch: (to, onLost) => socketsFor(to.address).watch(to, onLost),
    localAddress(to) {
      const local = socketsFor(to.address).localAddress(to)
      // A program on this machine need not reach us from outside.
      return isLoopback(to.address) ? { ...local, host: to.address } : local
    },
    async close() {
      await Promise.all([four.close(), six?.close()])
    },
  }
}

const isLoopback = (address: Destination['address']): boolean => /^(?:127\.|::1$)/.test(address)
