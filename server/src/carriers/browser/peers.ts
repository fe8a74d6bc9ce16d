// WebRTC, seen from the thread that runs calls. The library lives in a process of its own (peer-process.ts): it often exits
// with a segmentation fault, which then ends no call; browsers continue over their sockets.
import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { webSound } from '@parley/contract/web-sound'
import { type Frame, makeFrame } from '../../media/frame.ts'
import type { Log } from '../../platform/log.ts'
import { type FromPeer, kind, PipeReader, PipeWriter, readSound, type ToPeer, type Word } from './pipe.ts'

export interface PeerListener {
  onSignal(signal: FromPeer): void
  /** Packets make the round trip to the browser; its audio follows. */
  onReached(): void
  /** The browser's audio; lent until this returns. */
  onFrame(frame: Frame): void
  /** No more events follow. */
  onLost(): void
}

export interface Peer {
  signal(signal: ToPeer): void
  /** Copies the samples; never blocks. */
  send(samples: Int16Array): void
  close(): void
}

export interface Peers {
  /** Starts the process ahead of the first peer. */
  warm(): void
  open(listener: PeerListener): Peer
  close(): void
}

const program = fileURLToPath(new URL('./peer-process.ts', import.meta.url))
const { rateHz, frameSamples, frameBytes } = webSound

interface Host {
  readonly child: ChildProcess
  readonly writer: PipeWriter
}

/** Starts the process with the first peer, and restarts it with the next one after it died. */
export function openPeers(log: Pick<Log, 'info' | 'warn'>): Peers {
  const listeners = new Map<number, PeerListener>()
  const frame = makeFrame(rateHz)
  let host: Host | undefined
  let lastPeer = 0

  const lose = (peer: number) => {
    const listener = listeners.get(peer)
    listeners.delete(peer)
    listener?.onLost()
  }
  const hear = (peer: number, what: number, body: Buffer) => {
    const listener = listeners.get(peer)
    if (!listener) return
    if (what === kind.sound && body.length === frameBytes) {
      readSound(body, frame.samples)
      return listener.onFrame(frame)
    }
    const word = JSON.parse(body.toString()) as Word
    if (word.type === 'lost') lose(peer)
    else if (word.type === 'reached') listener.onReached()
    else if (word.type === 'answer' || word.type === 'candidate') listener.onSignal(word)
  }
  const onExit = (died: Host, signal: string | null) => {
    if (host !== died) return
    host = undefined
    log.warn({ signal, peers: listeners.size }, 'the WebRTC process has ended; browsers use their sockets')
    for (const peer of [...listeners.keys()]) lose(peer)
  }
  const start = (): Host => {
    // No environment: the process needs no secrets.
    const child = spawn(process.execPath, [program], {
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    })
    const pipe = child.stdio[3] as Socket
    const reader = new PipeReader(hear)
    const born = { child, writer: new PipeWriter(pipe, frameSamples) }
    pipe.on('data', (chunk: Buffer) => reader.push(chunk))
    // Errors are writes to a process that has exited, which the exit handler deals with.
    pipe.on('error', () => {})
    child.on('error', (err) => onExit(born, err.message))
    child.on('exit', (_code, signal) => onExit(born, signal))
    return born
  }

  return {
    warm() {
      host ??= start()
    },
    open(listener) {
      host ??= start()
      const { writer } = host
      const peer = ++lastPeer
      listeners.set(peer, listener)
      return {
        signal: (signal) => writer.word(peer, signal),
        send: (samples) => writer.sound(peer, samples),
        close() {
          if (listeners.delete(peer)) writer.word(peer, { type: 'close' })
        },
      }
    },
    close() {
      const leaving = host
      host = undefined
      // Killed: it has no state to save, and an orderly exit would crash.
      leaving?.child.kill('SIGKILL')
    },
  }
}
