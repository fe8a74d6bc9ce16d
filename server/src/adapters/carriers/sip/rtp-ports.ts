// The UDP ports of calls: an even one for RTP and the next for RTCP, from a range that a firewall can be opened for.
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'

export interface PortRange {
  readonly from: number
  readonly to: number
}

export interface RtpPort {
  readonly port: number
  readonly socket: Socket
  readonly rtcpSocket: Socket
  close(): void
}

const receiveBufferBytes = 256 * 1024

export class RtpPorts {
  readonly #host: string
  readonly #range: PortRange
  readonly #taken = new Set<number>()
  #next: number

  constructor(host: string, range: PortRange) {
    this.#host = host
    this.#range = { from: range.from + (range.from % 2), to: range.to }
    this.#next = this.#range.from
  }

  get free(): number {
    return Math.floor((this.#range.to - this.#range.from + 1) / 2) - this.#taken.size
  }

  /** null: all ports of the range are in use. */
  async open(): Promise<RtpPort | null> {
    for (let tries = Math.floor((this.#range.to - this.#range.from + 1) / 2); tries > 0; tries--) {
      const port = this.#next
      this.#next = port + 3 > this.#range.to ? this.#range.from : port + 2
      if (this.#taken.has(port)) continue
      this.#taken.add(port)
      const opened = await this.#bindPair(port)
      if (opened) return opened
      this.#taken.delete(port)
    }
    return null
  }

  async #bindPair(port: number): Promise<RtpPort | null> {
    const socket = await bind(port, this.#host)
    const rtcpSocket = socket && (await bind(port + 1, this.#host))
    if (!socket || !rtcpSocket) {
      socket?.close()
      return null
    }
    return {
      port,
      socket,
      rtcpSocket,
      close: () => {
        socket.close()
        rtcpSocket.close()
        this.#taken.delete(port)
      },
    }
  }
}

async function bind(port: number, host: string): Promise<Socket | null> {
  const socket = createSocket({ type: isIPv6(host) ? 'udp6' : 'udp4', recvBufferSize: receiveBufferBytes })
  try {
    socket.bind(port, host)
    await once(socket, 'listening')
  } catch {
    socket.close()
    return null
  }
  // ICMP errors of a far end that is gone; the watch on its packets finds out.
  socket.on('error', () => {})
  return socket
}
