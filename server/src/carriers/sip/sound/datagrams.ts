// One UDP socket for sound: packets of IPv4 and IPv6 alike, sent at once and without copying.
import { createSocket, type Socket } from 'node:dgram'
import { lookup } from 'node:dns'
import { once } from 'node:events'
import { isIP, isIPv4, isIPv6 } from 'node:net'

export type OnDatagram = (bytes: Uint8Array, address: string, port: number) => void

export interface Datagrams {
  /** Sends now, or loses the packet. The bytes may be reused after the next few packets. */
  send(bytes: Uint8Array, address: string, port: number): void
  /** Sets the only listener; null: packets are dropped. */
  listen(onDatagram: OnDatagram | null): void
}

export interface DatagramSocket extends Datagrams {
  close(): void
}

// Room for a second of packets, in case the thread stalls.
const receiveBufferBytes = 256 * 1024
const mapped = '::ffff:'

type LookupCallback = (error: NodeJS.ErrnoException | null, address: string, family: number) => void

/** Addresses are not resolved: Node's resolver would send each packet a turn later, when its buffer may be reused. */
function resolver(): (host: string, options: unknown, found: LookupCallback) => void {
  let [known, family] = ['', 0]
  return (host, _options, found) => {
    // The host is nearly always the same as before.
    if (host !== known) {
      family = isIP(host)
      known = family === 0 ? '' : host
    }
    if (family === 0) lookup(host, found)
    else found(null, host, family)
  }
}

/** Opens a socket. null: the port is in use. */
export async function openDatagrams(host: string, port: number): Promise<DatagramSocket | null> {
  const isWide = isIPv6(host)
  const socket = createSocket({
    type: isWide ? 'udp6' : 'udp4',
    recvBufferSize: receiveBufferBytes,
    lookup: resolver(),
  })
  try {
    // The listener is added first: an address that needs no resolver is bound at once.
    const listening = once(socket, 'listening')
    socket.bind(port, host)
    await listening
  } catch (error) {
    socket.close()
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return null
    throw error
  }
  return over(socket, isWide)
}

function over(socket: Socket, isWide: boolean): DatagramSocket {
  let listener: OnDatagram | null = null
  let isClosed = false
  socket.on('message', (bytes, { address, port }) => {
    listener?.(bytes, address.startsWith(mapped) ? address.slice(mapped.length) : address, port)
  })
  // ICMP errors of a far end that is gone: the session notices that its packets stop.
  socket.on('error', () => {})
  return {
    send(bytes, address, port) {
      if (isClosed) return
      socket.send(bytes, port, isWide && isIPv4(address) ? mapped + address : address)
    },
    listen(onDatagram) {
      listener = onDatagram
    },
    close() {
      if (isClosed) return
      isClosed = true
      socket.close()
    },
  }
}
