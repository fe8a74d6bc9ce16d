// A loopback synthesizer that keeps what it was told, for tests of what a vendor makes of an agent's settings.
import type { TtsServer } from './tts-suite.ts'
import { openVendorServer, type VendorClient, type VendorRules } from './vendor-server.ts'

export interface RecordedTts extends TtsServer {
  /** Every message and every body, as it came. */
  readonly messages: string[]
}

export interface TtsRecord {
  readonly texts: string[]
  readonly told: string[]
  readonly messages: string[]
}

type Serve = (client: VendorClient, record: TtsRecord) => void

export interface TtsRules {
  readonly knows: VendorRules['knows']
  readonly socket?: Serve
  /** A request for speech; all others are answered with an empty object. */
  readonly request?: { readonly path: string; readonly serve: Serve }
}

export async function openRecordedTts({ knows, socket, request }: TtsRules): Promise<RecordedTts> {
  const record: TtsRecord = { texts: [], told: [], messages: [] }
  const server = await openVendorServer({
    knows,
    ...(socket && {
      socket(client) {
        client.onMessage((raw) => record.messages.push(raw.toString()))
        socket(client, record)
      },
    }),
    request(client) {
      if (request && client.method === 'POST' && client.url.pathname.includes(request.path)) {
        record.messages.push(client.body.toString())
        request.serve(client, record)
      } else {
        client.head(200, { 'content-type': 'application/json' })
        client.send('{}')
        client.end()
      }
    },
  })
  return Object.assign(server, record)
}
