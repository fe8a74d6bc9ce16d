// OpenAI's realtime interface on loopback: hears what it is told to have heard, and says what it is told to say.
import type { RealtimeAnswer } from './realtime-suite.ts'
import { openVendorServer, type VendorClient } from './vendor-server.ts'

interface ClientEvent {
  readonly type: string
  readonly audio?: string
  readonly item?: { readonly type: string; readonly output?: string }
  readonly response?: {
    readonly metadata?: Record<string, string>
    readonly conversation?: string
    readonly instructions?: string
    readonly output_modalities?: readonly string[]
  }
  readonly response_id?: string
  readonly audio_end_ms?: number
  readonly session?: Record<string, unknown>
}

// 100 ms at 24 kHz.
const soundBytes = 4_800

export async function openRealtimeServer(key: string) {
  /** What it hears in the next committed sounds, and what it answers. */
  const heard: string[] = []
  const answers: RealtimeAnswer[] = []
  const told: ClientEvent[] = []
  let numbers = 0
  const open = new Map<
    string,
    { readonly client: VendorClient; readonly metadata: Record<string, string> | undefined }
  >()

  const send = (client: VendorClient, type: string, body: object = {}) =>
    client.send(JSON.stringify({ type, event_id: `event_${++numbers}`, ...body }))

  const done = (id: string, status: 'completed' | 'cancelled') => {
    const response = open.get(id)
    if (!response) return
    open.delete(id)
    const usage = { input_tokens: 120, output_tokens: 30, input_token_details: { cached_tokens: 20 } }
    send(response.client, 'response.done', {
      response: { id, object: 'realtime.response', status, metadata: response.metadata, usage },
    })
  }

  const say = (client: VendorClient, id: string, item: string, words: string, level: number) => {
    const place = { response_id: id, item_id: item, output_index: 0, content_index: 0 }
    for (const word of words.split(/(?<=\s)/)) {
      send(client, 'response.output_audio_transcript.delta', { ...place, delta: word })
      const delta = Buffer.from(new Int16Array(soundBytes / 2).fill(level).buffer).toString('base64')
      send(client, 'response.output_audio.delta', { ...place, delta })
    }
  }

  const respond = (
    client: VendorClient,
    { metadata, conversation, instructions = '', output_modalities }: NonNullable<ClientEvent['response']>,
  ) => {
    const id = `resp_${++numbers}`
    open.set(id, { client, metadata })
    send(client, 'response.created', {
      response: { id, object: 'realtime.response', status: 'in_progress', metadata },
    })
    if (conversation === 'none') {
      const words = instructions.split('nothing else: ')[1] ?? 'no'
      if (output_modalities?.includes('text'))
        send(client, 'response.output_text.delta', { response_id: id, delta: words })
      else say(client, id, `item_${++numbers}`, words, 1_000)
      return done(id, 'completed')
    }
    const { words, tool, isEndless } = answers.shift() ?? { words: 'Okay.' }
    const item = `item_${++numbers}`
    if (words) say(client, id, item, words, 2_000)
    if (tool)
      send(client, 'response.output_item.done', {
        response_id: id,
        output_index: 0,
        item: { id: item, type: 'function_call', call_id: `call_${tool.name}`, ...tool },
      })
    if (!isEndless) done(id, 'completed')
  }

  const server = await openVendorServer({
    knows: ({ headers, url }) => headers.authorization === `Bearer ${key}` && url.pathname === '/v1/realtime',
    socket(client) {
      send(client, 'session.created', { session: { type: 'realtime', object: 'realtime.session' } })
      client.onMessage((raw) => {
        const message = JSON.parse(String(raw)) as ClientEvent
        told.push(message)
        if (message.type === 'session.update') send(client, 'session.updated', { session: message.session })
        if (message.type === 'response.create') respond(client, message.response ?? {})
        if (message.type === 'response.cancel') done(message.response_id ?? '', 'cancelled')
        if (message.type === 'input_audio_buffer.commit') {
          const item_id = `item_${++numbers}`
          send(client, 'input_audio_buffer.committed', { item_id })
          const transcript = heard.shift() ?? ''
          send(client, 'conversation.item.input_audio_transcription.delta', {
            item_id,
            content_index: 0,
            delta: transcript,
          })
          send(client, 'conversation.item.input_audio_transcription.completed', {
            item_id,
            content_index: 0,
            transcript,
          })
        }
      })
    },
  })
  return {
    ...server,
    baseUrl: server.baseUrl,
    asked: server.asked,
    connections: server.connections,
    heard,
    answers,
    told,
    types: () => told.map(({ type }) => type),
    close: () => server.close(),
  }
}
