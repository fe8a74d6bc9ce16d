// A bad network between a softphone and us: calls go through it as through a router, and their sound is spoiled by seed.
//
//   softphone ── SIP, as it is ───────────── us      addresses and ports in SDP become those of the path
//   softphone ── sound, lost and late ────── us
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { once } from 'node:events'
import type { Spoiler } from './spoiler.ts'

interface Place {
  readonly address: string
  readonly port: number
}

export interface SpoiledPath {
  /** Of SIP, for the softphone. */
  readonly port: number
  close(): void
}

/** `there`: from the softphone to us. One call. */
export async function openSpoiledPath(
  host: string,
  servicePort: number,
  there: Spoiler,
  back: Spoiler,
): Promise<SpoiledPath> {
  const [sip, sound] = [await bound(host), await bound(host)]
  const timers = new Set<NodeJS.Timeout>()
  let phone: RemoteInfo | null = null
  let [phoneSound, ourSound]: (Place | null)[] = [null, null]

  sip.on('message', (bytes, from) => {
    const isOurs = from.port === servicePort
    if (!isOurs) phone = from
    const { text, place } = withPlace(bytes.toString('latin1'), host, sound.address().port)
    if (place && isOurs) ourSound = place
    else if (place) phoneSound = place
    if (isOurs && phone) sip.send(Buffer.from(text, 'latin1'), phone.port, phone.address)
    else if (!isOurs) sip.send(Buffer.from(text, 'latin1'), servicePort, host)
  })
  sound.on('message', (bytes, from) => {
    const isOurs = from.port === ourSound?.port
    const to = isOurs ? phoneSound : ourSound
    if (!to) return
    for (const ms of (isOurs ? back : there).delaysMs()) {
      const timer = setTimeout(() => {
        timers.delete(timer)
        sound.send(bytes, to.port, to.address)
      }, ms)
      timers.add(timer)
    }
  })
  return {
    port: sip.address().port,
    close() {
      for (const timer of timers) clearTimeout(timer)
      sip.close()
      sound.close()
    },
  }
}

/** The message with sound at our place, and where it was. */
function withPlace(message: string, address: string, port: number): { text: string; place: Place | null } {
  const [head = '', body = ''] = message.split('\r\n\r\n', 2)
  const was = { address: /^c=IN IP4 (\S+)/m.exec(body)?.[1], port: /^m=audio (\d+)/m.exec(body)?.[1] }
  if (!was.address || !was.port) return { text: message, place: null }
  const moved = body
    .replace(/^c=IN IP4 \S+/m, `c=IN IP4 ${address}`)
    .replace(/^m=audio \d+/m, `m=audio ${port}`)
    // Reports go past it.
    .replace(/^a=rtcp:.*\r\n/m, '')
  const length = head.replace(/^(Content-Length|l):.*$/im, `Content-Length: ${moved.length}`)
  return { text: `${length}\r\n\r\n${moved}`, place: { address: was.address, port: Number(was.port) } }
}

async function bound(host: string): Promise<Socket> {
  const socket = createSocket('udp4')
  socket.bind(0, host)
  await once(socket, 'listening')
  return socket
}
