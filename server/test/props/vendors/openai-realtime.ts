// OpenAI's realtime interface on loopback: hears what it is told to have heard, and says what it is told to say, as fast as
// it can. It writes one response at a time into the conversation, and tells its id when it has begun.
import { piecesFor, type RecordedVoice } from './realtime-sound.ts'
import type { RealtimeAnswer } from './realtime-suite.ts'
import { openVendorServer, type VendorClient } from './vendor-server.ts'

interface Item {
  readonly id?: string
  readonly type: string
  readonly role?: string
  readonly call_id?: string
  readonly output?: string
  readonly content?: readonly { readonly text?: string }[]
}

interface ClientEvent {
  readonly type: string
  readonly event_id?: string
  readonly audio?: string
  readonly item?: Item
  readonly item_id?: string
  readonly previous_item_id?: string
  readonly response?: ResponseWish
  readonly response_id?: string
  readonly audio_end_ms?: number
  readonly session?: Record<string, unknown>
}

interface ResponseWish {
  readonly metadata?: Record<string, string>
  readonly conversation?: string
  readonly instructions?: string
  readonly output_modalities?: readonly string[]
}

interface OpenResponse {
  readonly metadata: Record<string, string> | undefined
  readonly isOfConversation: boolean
  readonly isCancelled: () => boolean
  done(status: 'completed' | 'cancelled' | 'failed'): void
}

interface ServerState {
  /** Messages are taken and never answered. */
  isDeaf: boolean
  /** A response that nobody here has asked for is being made. */
  isBusy: boolean
  /** Responses begin, and have an id, when this is done. */
  created: Promise<void> | undefined
}

export interface RealtimeServerRules {
  readonly voice?: RecordedVoice
  /** When a session ends, in seconds from its beginning. */
  readonly lastsSeconds?: number
}

export async function openRealtimeServer(key: string, { voice, lastsSeconds }: RealtimeServerRules = {}) {
  /** What it hears in the next committed sounds, and what it answers. */
  const heard: string[] = []
  const answers: RealtimeAnswer[] = []
  const told: ClientEvent[] = []
  /** The conversation of each session, in order. */
  const conversations: string[][] = []
  /** Why requests were refused. */
  const refused: string[] = []
  const state: ServerState = { isDeaf: false, isBusy: false, created: undefined }
  let numbers = 0

  const send = (client: VendorClient, type: string, body: object = {}) =>
    client.send(JSON.stringify({ type, event_id: `event_${++numbers}`, ...body }))

  const session = (client: VendorClient) => {
    const open = new Map<string, OpenResponse>()
    const items: { readonly id: string; readonly text: string }[] = []
    const conversation: string[] = []
    conversations.push(conversation)
    let sounds = 0

    const put = (item: { readonly id: string; readonly text: string }, after?: string) => {
      const place = after === 'root' ? 0 : items.findIndex(({ id }) => id === after) + 1 || items.length
      items.splice(place, 0, item)
      conversation.splice(0, conversation.length, ...items.map(({ text }) => text))
    }

    const refuse = (code: string, event_id?: string) => {
      refused.push(code)
      send(client, 'error', {
        error: { type: 'invalid_request_error', code, message: `It is ${code}.`, event_id },
      })
    }

    const begin = (wish: ResponseWish): [id: string, response: OpenResponse] => {
      const id = `resp_${++numbers}`
      const { metadata } = wish
      let isOver = false
      const response: OpenResponse = {
        metadata,
        isOfConversation: wish.conversation !== 'none',
        isCancelled: () => isOver,
        done(status) {
          if (isOver) return
          isOver = true
          open.delete(id)
          const usage = { input_tokens: 120, output_tokens: 30, input_token_details: { cached_tokens: 20 } }
          const status_details =
            status === 'failed' ? { error: { message: 'the model is overloaded' } } : null
          send(client, 'response.done', {
            response: { id, object: 'realtime.response', status, status_details, metadata, usage },
          })
        },
      }
      open.set(id, response)
      return [id, response]
    }

    const say = async (
      id: string,
      response: OpenResponse,
      { words = '', isAhead, cutAfter }: RealtimeAnswer,
    ) => {
      const item_id = `item_${++numbers}`
      const place = { response_id: id, item_id, output_index: 0, content_index: 0 }
      if (response.isOfConversation) put({ id: item_id, text: `assistant: ${words}` })
      for (const [n, piece] of (await piecesFor(words, voice, isAhead)).entries()) {
        if (response.isCancelled()) return
        if (n === cutAfter) return client.end(1011, 'the server was restarted')
        if (piece.words)
          send(client, 'response.output_audio_transcript.delta', { ...place, delta: piece.words })
        if (piece.sound)
          send(client, 'response.output_audio.delta', { ...place, delta: piece.sound.toString('base64') })
      }
    }

    const answer = async (id: string, response: OpenResponse) => {
      const next = answers.shift() ?? { words: 'Okay.' }
      const { words, tool, isEndless, isSilent, fails, cutAfter } = next
      if (isSilent) return
      if (words) await say(id, response, next)
      if (fails) return response.done('failed')
      if (tool) {
        const call = { id: `item_${++numbers}`, type: 'function_call', call_id: `call_${tool.name}`, ...tool }
        put({ id: call.id, text: `call of ${tool.name}` })
        send(client, 'response.output_item.done', { response_id: id, output_index: 0, item: call })
      }
      if (!isEndless && cutAfter === undefined) response.done('completed')
    }

    const create = async ({ event_id, response: wish = {} }: ClientEvent) => {
      const isAside = wish.conversation === 'none'
      const isBusy = state.isBusy || [...open.values()].some(({ isOfConversation }) => isOfConversation)
      if (!isAside && isBusy) return refuse('conversation_already_has_active_response', event_id)
      const [id, response] = begin(wish)
      await state.created
      send(client, 'response.created', {
        response: { id, object: 'realtime.response', status: 'in_progress', metadata: wish.metadata },
      })
      if (!isAside) return answer(id, response)
      const words = wish.instructions?.split('nothing else: ')[1] ?? 'no'
      if (wish.output_modalities?.includes('text'))
        send(client, 'response.output_text.delta', { response_id: id, delta: words })
      else await say(id, response, { words })
      response.done('completed')
    }

    const commit = () => {
      if (sounds === 0) return refuse('input_audio_buffer_commit_empty')
      sounds = 0
      const item_id = `item_${++numbers}`
      const transcript = heard.shift() ?? ''
      put({ id: item_id, text: `heard: ${transcript}` })
      send(client, 'input_audio_buffer.committed', { item_id })
      const place = { item_id, content_index: 0 }
      const event = 'conversation.item.input_audio_transcription'
      send(client, `${event}.delta`, { ...place, delta: transcript })
      send(client, `${event}.completed`, { ...place, transcript })
    }

    const add = (item: Item, after: string | undefined) => {
      const text = item.output ?? item.content?.[0]?.text ?? `call ${item.call_id}`
      put({ id: item.id ?? `item_${++numbers}`, text: `${item.role ?? item.type}: ${text}` }, after)
    }

    client.onMessage((raw) => {
      const message = JSON.parse(String(raw)) as ClientEvent
      told.push(message)
      if (state.isDeaf) return
      if (message.type === 'session.update') send(client, 'session.updated', { session: message.session })
      if (message.type === 'response.create') void create(message)
      if (message.type === 'response.cancel') {
        const response = open.get(message.response_id ?? '')
        if (response) response.done('cancelled')
        else refuse('response_cancel_not_active', message.event_id)
      }
      if (message.type === 'input_audio_buffer.append') sounds++
      if (message.type === 'input_audio_buffer.commit') commit()
      if (message.type === 'conversation.item.create' && message.item)
        add(message.item, message.previous_item_id)
      if (message.type === 'conversation.item.delete') {
        const place = items.findIndex(({ id }) => id === message.item_id)
        if (place >= 0) items.splice(place, 1)
        conversation.splice(0, conversation.length, ...items.map(({ text }) => text))
      }
    })
  }

  const server = await openVendorServer({
    knows: ({ headers, url }) => headers.authorization === `Bearer ${key}` && url.pathname === '/v1/realtime',
    socket(client) {
      session(client)
      if (state.isDeaf) return
      const expires_at = lastsSeconds && Math.floor(Date.now() / 1_000) + lastsSeconds
      send(client, 'session.created', {
        session: { type: 'realtime', object: 'realtime.session', expires_at },
      })
    },
  })
  return Object.assign(server, {
    heard,
    answers,
    told,
    conversations,
    state,
    refused,
    /** The response that nobody here has asked for is done. */
    becomeFree() {
      state.isBusy = false
      const done = { type: 'response.done', response: { id: 'resp_of_another', status: 'completed' } }
      for (const socket of server.connections) socket.send(JSON.stringify(done))
    },
    types: () => told.map(({ type }) => type),
  })
}
