// The process that runs WebRTC, one peer per browser; controlled over the pipe on descriptor 3.
import { Socket } from 'node:net'
import { webSound } from '@parley/contract/web-sound'
import { makeFrame } from '../../media/frame.ts'
import { kind, PipeReader, PipeWriter, readSound, type Word } from './pipe.ts'
import type { Wrtc } from './rtc-peer.ts'
import { RtcPeer } from './rtc-peer.ts'

const { rateHz, frameSamples, frameBytes } = webSound
// If the library cannot be loaded, every peer is lost at once and browsers use their sockets.
const wrtc = await import('@roamhq/wrtc').then(
  (module) => module.default as unknown as Wrtc,
  () => undefined,
)

const pipe = new Socket({ fd: 3, readable: true, writable: true })
const writer = new PipeWriter(pipe, frameSamples)
const peers = new Map<number, RtcPeer>()
const frame = makeFrame(rateHz)

const close = (peer: number) => {
  peers.get(peer)?.close()
  peers.delete(peer)
}
const lose = (peer: number) => {
  close(peer)
  writer.word(peer, { type: 'lost' })
}

const open = (library: Wrtc, peer: number): RtcPeer => {
  const made = new RtcPeer(library, {
    onSignal: (signal) => writer.word(peer, signal),
    onReached: () => writer.word(peer, { type: 'reached' }),
    onFrame: (samples) => writer.sound(peer, samples),
    onLost: () => lose(peer),
  })
  peers.set(peer, made)
  return made
}

const hear = (peer: number, word: Word) => {
  if (word.type === 'close') close(peer)
  else if (word.type === 'candidate') peers.get(peer)?.signal(word)
  else if (word.type === 'offer') wrtc ? open(wrtc, peer).signal(word) : lose(peer)
}

const reader = new PipeReader((peer, what, body) => {
  if (what === kind.word) return hear(peer, JSON.parse(body.toString()))
  if (body.length !== frameBytes) return
  readSound(body, frame.samples)
  peers.get(peer)?.send(frame.samples)
})

pipe.on('data', (chunk: Buffer) => reader.push(chunk))
pipe.on('error', () => {})
// The parent process has exited. An orderly exit would crash in the library's own cleanup.
pipe.on('close', () => process.kill(process.pid, 'SIGKILL'))
