// A SIP peer made of one real UDP socket: it sends what a test writes and keeps what comes.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'

export interface UdpPeer {
  readonly port: number
  /** Everything that has come, in order. */
  readonly received: string[]
  /** Called with every request that comes; what it returns is sent back. */
  onRequest: (text: string) => string | null
  send(text: string, port: number, address?: string): void
  close(): void
}

export async function openUdpPeer(address = '127.0.0.1'): Promise<UdpPeer> {
  const socket = createSocket('udp4')
  socket.bind(0, address)
  await once(socket, 'listening')
  const received: string[] = []
  const peer: UdpPeer = {
    port: socket.address().port,
    received,
    onRequest: () => null,
    send: (text, port, to = '127.0.0.1') => socket.send(text, port, to),
    close: () => socket.close(),
  }
  socket.on('message', (bytes, from) => {
    const text = bytes.toString()
    received.push(text)
    const answer = text.startsWith('SIP/2.0') ? null : peer.onRequest(text)
    if (answer !== null) socket.send(answer, from.port, from.address)
  })
  return peer
}

/** The headers that an answer repeats, with a status line. */
export function answerText(request: string, status: string, more: readonly string[] = []): string {
  const repeated = request.split('\r\n').filter((line) => /^(?:via|from|to|call-id|cseq):/i.test(line))
  const tagged = repeated.map((line) =>
    /^to:/i.test(line) && !/tag=/.test(line) ? `${line};tag=peer` : line,
  )
  return [`SIP/2.0 ${status}`, ...tagged, ...more, 'Content-Length: 0', '', ''].join('\r\n')
}
