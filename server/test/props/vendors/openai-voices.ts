// OpenAI's realtime models as voices, on a loopback address: wss /v1/realtime?model=…, as documented. The id of a response is
// told when it has begun, which is a moment after it was asked for.
import { piecesOf, soundOf, wordsOf } from './spoken-words.ts'
import type { TtsServer } from './tts-suite.ts'
import { openVendorServer } from './vendor-server.ts'

export interface OpenaiVoicesServer extends TtsServer {
  readonly sessions: unknown[]
  readonly instructions: string[]
  readonly models: (string | null)[]
  /** The next response has begun, and says nothing before this is done. */
  holdNext: (() => Promise<void>) | undefined
}

export async function openOpenaiVoices(key: string): Promise<OpenaiVoicesServer> {
  const record = {
    texts: [] as string[],
    told: [] as string[],
    sessions: [] as unknown[],
    instructions: [] as string[],
    models: [] as (string | null)[],
  }
  let numbers = 0
  const server = await openVendorServer({
    knows: ({ headers, url }) => headers.authorization === `Bearer ${key}` && url.pathname === '/v1/realtime',
    socket(client) {
      record.models.push(client.url.searchParams.get('model'))
      const active = new Map<string, object>()
      const send = (type: string, body: object) =>
        client.send(JSON.stringify({ type, event_id: `event_${++numbers}`, ...body }))

      const done = (id: string, status: string) => {
        const metadata = active.get(id)
        if (active.delete(id)) send('response.done', { response: { id, status, metadata } })
      }

      const respond = async (asked: { instructions: string; conversation: string; metadata: object }) => {
        const id = `resp_${++numbers}`
        active.set(id, asked.metadata)
        const hold = voices.holdNext
        voices.holdNext = undefined
        await hold?.()
        send('response.created', { response: { id, status: 'in_progress', metadata: asked.metadata } })
        // A cancel that has come in the meantime is read first.
        await new Promise((read) => setImmediate(read))
        for (const word of wordsOf(asked.instructions.split('nothing else: ')[1] ?? ''))
          for (const piece of piecesOf(soundOf(word, 24_000))) {
            if (!active.has(id)) return
            send('response.output_audio.delta', {
              response_id: id,
              item_id: `item_${id}`,
              delta: piece.toString('base64'),
            })
          }
        done(id, 'completed')
      }

      send('session.created', { session: { type: 'realtime' } })
      client.onMessage((raw) => {
        const message = JSON.parse(raw.toString())
        if (message.type === 'session.update') {
          record.sessions.push(message.session)
          send('session.updated', { session: message.session })
        } else if (message.type === 'response.create') {
          record.instructions.push(message.response.instructions)
          record.texts.push(message.response.instructions.split('nothing else: ')[1])
          record.told.push(`conversation ${message.response.conversation}`)
          void respond(message.response)
        } else if (message.type === 'response.cancel') {
          record.told.push('cancel')
          done(message.response_id, 'cancelled')
        } else send('error', { error: { message: `Unknown: ${message.type}` } })
      })
    },
  })
  const voices: OpenaiVoicesServer = Object.assign(server, { ...record, holdNext: undefined })
  return voices
}
