// A WebSocket client in place of a browser: joins with a token, records messages, and may misbehave.
import type { ToBrowser } from '@parley/contract'
import { expect } from 'vitest'
import { type ClientOptions, WebSocket } from 'ws'

export interface Browser {
  readonly socket: WebSocket
  readonly told: ToBrowser[]
  /** Samples of every received frame. */
  readonly heard: Int16Array[]
  /** The close code. */
  readonly closed: Promise<number>
  say(message: unknown): void
  /** The first message of this type. */
  hears<Type extends ToBrowser['type']>(type: Type): Promise<Extract<ToBrowser, { type: Type }>>
}

export async function connect(url: string, options: ClientOptions = {}): Promise<Browser> {
  const socket = new WebSocket(url, options)
  const told: ToBrowser[] = []
  const heard: Int16Array[] = []
  socket.on('message', (data: Buffer, binary) => {
    if (binary) heard.push(new Int16Array(Uint8Array.from(data).buffer))
    else told.push(JSON.parse(String(data)))
  })
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  socket.on('error', () => {})
  return {
    socket,
    told,
    heard,
    closed,
    say: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    async hears(type) {
      const found = () => told.find((message) => message.type === type)
      await expect.poll(found, { message: `to hear ${type}` }).toBeDefined()
      return found() as never
    },
  }
}

export async function join(url: string, token: string, options?: ClientOptions): Promise<Browser> {
  const browser = await connect(url, options)
  browser.say({ type: 'join', token })
  return browser
}
