// A caller on one UDP socket: calls by SIP with PCMU, reports the answer, and sends and receives packets of sound.
import { randomBytes } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'

export interface AnsweredLine {
  /** The time of the 200. */
  readonly answeredMs: number
  /** Where its sound is sent to and comes from. */
  readonly sound: Socket
  readonly farSound: { readonly address: string; readonly port: number }
  /** Resolves when the far end has hung up. */
  readonly left: Promise<void>
  hangUp(): Promise<void>
}

export interface Call {
  readonly from: string
  readonly to: string
  readonly address: string
  readonly port: number
  readonly onSound?: (packet: Buffer) => void
}

export async function callBySip({
  from,
  to,
  address,
  port,
  onSound = () => {},
}: Call): Promise<AnsweredLine> {
  const [signalling, sound] = [await bound(from), await bound(from)]
  sound.on('message', onSound)
  const [callId, tag] = [randomBytes(8).toString('hex'), randomBytes(4).toString('hex')]
  const here = `${from}:${signalling.address().port}`
  let toHeader = `<${to}>`
  const request = (method: string, uri: string, number: number, body = '') =>
    [
      `${method} ${uri} SIP/2.0`,
      `Via: SIP/2.0/UDP ${here};rport;branch=z9hG4bK${randomBytes(6).toString('hex')}`,
      'Max-Forwards: 70',
      `From: <sip:bench@${here}>;tag=${tag}`,
      `To: ${toHeader}`,
      `Call-ID: ${callId}`,
      `CSeq: ${number} ${method}`,
      `Contact: <sip:bench@${here}>`,
      ...(body ? ['Content-Type: application/sdp'] : []),
      `Content-Length: ${body.length}`,
      '',
      body,
    ].join('\r\n')
  const send = (text: string) => signalling.send(text, port, address)

  const left = new Promise<void>((resolve) =>
    signalling.on('message', (bytes, { address: host, port: at }) => {
      const text = bytes.toString()
      if (!text.startsWith('BYE ')) return
      const repeated = text.split('\r\n').filter((line) => /^(?:via|from|to|call-id|cseq):/i.test(line))
      signalling.send(['SIP/2.0 200 OK', ...repeated, 'Content-Length: 0', '', ''].join('\r\n'), at, host)
      resolve()
    }),
  )
  const answered = final(signalling, 'INVITE')
  send(request('INVITE', to, 1, offer(from, sound.address().port)))
  const { text, atMs } = await answered
  toHeader = /^To: *(.*)\r$/im.exec(text)?.[1] ?? toHeader
  const target = /^Contact: *<([^>]+)>/im.exec(text)?.[1] ?? to
  send(request('ACK', target, 1))
  if (!text.startsWith('SIP/2.0 200')) throw new Error(`The call was refused: ${text.split('\r\n', 1)[0]}.`)
  return {
    answeredMs: atMs,
    left,
    sound,
    farSound: {
      address: /^c=IN IP4 (\S+)/m.exec(text)?.[1] ?? address,
      port: Number(/^m=audio (\d+)/m.exec(text)?.[1]),
    },
    async hangUp() {
      const gone = final(signalling, 'BYE')
      send(request('BYE', target, 2))
      await Promise.race([gone, left])
      signalling.close()
      sound.close()
    },
  }
}

/** The last answer to a request of this kind. */
function final(socket: Socket, method: string): Promise<{ text: string; atMs: number }> {
  return new Promise((resolve) => {
    const read = (bytes: Buffer) => {
      const text = bytes.toString()
      if (!/^SIP\/2.0 [2-6]/.test(text) || !text.includes(` ${method}\r\n`)) return
      socket.off('message', read)
      resolve({ text, atMs: performance.now() })
    }
    socket.on('message', read)
  })
}

const offer = (address: string, port: number) =>
  [
    'v=0',
    `o=bench 1 1 IN IP4 ${address}`,
    's=-',
    `c=IN IP4 ${address}`,
    't=0 0',
    `m=audio ${port} RTP/AVP 0 101`,
    'a=rtpmap:101 telephone-event/8000',
    'a=ptime:20',
    '',
  ].join('\r\n')

async function bound(address: string): Promise<Socket> {
  const socket = createSocket('udp4')
  socket.bind(0, address)
  await once(socket, 'listening')
  return socket
}
