// ElevenLabs' synthesizer on a loopback address: wss /v1/text-to-speech/{voice}/multi-stream-input, as documented, and Text
// to Dialogue (elevenlabs-dialogue.ts).
import { dialoguePath, serveDialogue } from './elevenlabs-dialogue.ts'
import { soundOf, wordMs, wordsOf } from './spoken-words.ts'
import type { TtsServer } from './tts-suite.ts'
import { openVendorServer, type VendorClient } from './vendor-server.ts'

const mostContexts = 5

export interface ElevenlabsTtsServer extends TtsServer {
  /** The first message of every context. */
  readonly contexts: Record<string, unknown>[]
}

export async function openElevenlabsTts(key: string): Promise<ElevenlabsTtsServer> {
  const texts: string[] = []
  const told: string[] = []
  const contexts: Record<string, unknown>[] = []
  const server = await openVendorServer({
    knows: ({ headers }) => headers['xi-api-key'] === key,
    socket(client) {
      const serves = client.url.pathname === dialoguePath ? serveDialogue : serve
      serves(client, { texts, told, contexts }, () => server.fault?.is === 'mute')
    },
    request(client) {
      client.head(200, { 'content-type': 'application/json' })
      client.send('[{"model_id":"eleven_flash_v2_5","name":"Flash"}]')
      client.end()
    },
  })
  return Object.assign(server, { texts, told, contexts })
}

function serve(
  client: VendorClient,
  { texts, told, contexts }: Pick<ElevenlabsTtsServer, 'texts' | 'told' | 'contexts'>,
  isMute: () => boolean,
): void {
  const rateHz = Number(client.url.searchParams.get('output_format')?.replace('pcm_', '') ?? 24_000)
  const open = new Map<string, string>()
  if (/_v3(_|$)/.test(client.url.searchParams.get('model_id') ?? '')) {
    client.send(
      JSON.stringify({
        message: 'This model is not supported here.',
        error: 'unsupported_model',
        code: 1008,
      }),
    )
    client.end(1008, 'unsupported model')
    return
  }
  const speak = (contextId: string) => {
    for (const word of isMute() ? [] : wordsOf(open.get(contextId) ?? '')) {
      const chars = [...word, ' ']
      client.send(
        JSON.stringify({
          audio: soundOf(word, rateHz).toString('base64'),
          isFinal: null,
          alignment: {
            chars,
            charStartTimesMs: chars.map((_, i) => Math.floor((i * wordMs) / chars.length)),
            charDurationsMs: chars.map(() => Math.floor(wordMs / chars.length)),
          },
          normalizedAlignment: null,
          contextId,
        }),
      )
    }
    open.set(contextId, '')
  }
  client.onMessage((raw) => {
    const message = JSON.parse(raw.toString())
    const id: string | undefined = message.context_id
    if (id === undefined) {
      told.push(message.text === '' ? 'keep-alive' : 'no context')
      return
    }
    if (!open.has(id)) {
      contexts.push(message)
      if (open.size >= mostContexts) {
        client.send(
          JSON.stringify({ message: 'Too many contexts.', error: 'max_active_conversations', code: 1008 }),
        )
        return client.end(1008, 'too many contexts')
      }
      open.set(id, '')
    }
    if (message.text?.trim()) {
      texts.push(message.text)
      open.set(id, open.get(id) + message.text)
    }
    if (message.flush) {
      told.push('flush')
      speak(id)
    }
    if (message.close_context) {
      told.push('close')
      speak(id)
      open.delete(id)
      client.send(JSON.stringify({ isFinal: true, contextId: id }))
    }
  })
}
