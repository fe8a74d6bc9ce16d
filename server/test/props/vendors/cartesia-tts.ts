// Cartesia on a loopback address: wss /tts/websocket, contexts with `continue`, `flush` and `cancel`.
import { z } from 'zod'
import { openRecordedTts, type RecordedTts, type TtsRecord } from './recorded-tts.ts'
import { piecesOf, soundOf, wordMs, wordsOf } from './spoken-words.ts'
import type { VendorClient } from './vendor-server.ts'

const Generation = z.object({
  model_id: z.string(),
  transcript: z.string(),
  voice: z.union([z.string(), z.object({ id: z.string() })]),
  output_format: z.object({
    container: z.literal('raw'),
    encoding: z.literal('pcm_s16le'),
    sample_rate: z.number(),
  }),
  context_id: z.string(),
  continue: z.boolean().optional(),
  flush: z.boolean().optional(),
  add_timestamps: z.boolean().optional(),
})

const Cancel = z.object({ context_id: z.string(), cancel: z.literal(true) })

export const openCartesiaTts = (key: string): Promise<RecordedTts> =>
  openRecordedTts({
    // Browsers cannot send headers, so both may be in the address.
    knows: ({ headers, url }) =>
      (headers['x-api-key'] ?? url.searchParams.get('api_key') ?? bearerOf(headers.authorization)) === key &&
      Boolean(headers['cartesia-version'] ?? url.searchParams.get('cartesia_version')),
    socket: serve,
  })

const bearerOf = (header: string | undefined) => header?.replace(/^Bearer /, '')

interface Context {
  waiting: string
  spokenMs: number
  flushes: number
}

function serve(client: VendorClient, { texts, told }: TtsRecord): void {
  const contexts = new Map<string, Context>()
  const tell = (context_id: string, message: object) =>
    client.send(JSON.stringify({ context_id, status_code: 206, done: false, ...message }))

  const speak = (id: string, context: Context, rateHz: number, hasTimes: boolean) => {
    for (const word of wordsOf(context.waiting)) {
      const start = [context.spokenMs / 1000]
      const end = [(context.spokenMs + wordMs) / 1000]
      for (const piece of piecesOf(soundOf(word, rateHz)))
        tell(id, { type: 'chunk', data: piece.toString('base64'), step_time: 1 })
      if (hasTimes) tell(id, { type: 'timestamps', word_timestamps: { words: [word], start, end } })
      context.spokenMs += wordMs
    }
    context.waiting = ''
  }

  client.onMessage((raw) => {
    const json = JSON.parse(raw.toString())
    const cancel = Cancel.safeParse(json)
    if (cancel.success) {
      told.push('cancel')
      // Sound that is on its way still comes.
      tell(cancel.data.context_id, { type: 'chunk', data: soundOf('leftover', 8_000).toString('base64') })
      contexts.delete(cancel.data.context_id)
      return
    }
    const { context_id, transcript, output_format, add_timestamps = false, ...how } = Generation.parse(json)
    const context = contexts.get(context_id) ?? { waiting: '', spokenMs: 0, flushes: 0 }
    contexts.set(context_id, context)
    context.waiting += transcript
    if (transcript.trim()) texts.push(transcript)
    if (how.flush || !how.continue) speak(context_id, context, output_format.sample_rate, add_timestamps)
    if (how.flush) {
      told.push('flush')
      tell(context_id, { type: 'flush_done', flush_done: true, flush_id: ++context.flushes })
    }
    if (!how.continue) tell(context_id, { type: 'done', done: true, status_code: 200 })
  })
}
