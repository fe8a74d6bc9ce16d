// What the loopback transcribers share: who is connected, and the audio that came.
import type { SttServer } from './stt-suite.ts'
import { openVendorServer, type VendorClient, type VendorRules } from './vendor-server.ts'

export interface ListeningRules extends Omit<VendorRules, 'socket'> {
  /** Called when a client has connected. */
  hello?(client: VendorClient, server: SttServer): void
  onMessage(message: string | Buffer, client: VendorClient, server: SttServer): void
  partial(text: string): object
  /** One message, or several. */
  final(text: string, endMs: number): object
}

export async function openListeningServer(rules: ListeningRules): Promise<SttServer> {
  const clients: VendorClient[] = []
  const tell = (messages: object) => {
    for (const client of clients)
      for (const message of [messages].flat()) client.send(JSON.stringify(message))
  }
  const server: SttServer = Object.assign(
    await openVendorServer({
      ...rules,
      socket(client) {
        clients.push(client)
        rules.hello?.(client, server)
        client.onMessage((message) => rules.onMessage(message, client, server))
      },
    }),
    {
      told: [],
      sound: [],
      rateHz: 16_000,
      partial: (text: string) => tell(rules.partial(text)),
      final: (text: string, endMs = 0) => tell(rules.final(text, endMs)),
    },
  )
  return server
}

/** 16-bit PCM. */
export function hearPcm({ sound }: SttServer, bytes: Buffer): void {
  for (let at = 0; at + 1 < bytes.length; at += 2) sound.push(bytes.readInt16LE(at))
}

/** The answer to a harmless request. */
export function answerJson(client: VendorClient, json: object): void {
  client.head(200, { 'content-type': 'application/json' })
  client.send(JSON.stringify(json))
  client.end()
}
