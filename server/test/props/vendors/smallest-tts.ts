// Smallest on a loopback address: wss /waves/v1/tts/live, with `continue` and `flush`. `complete` is its last message.
import { z } from 'zod'
import { openRecordedTts, type RecordedTts, type TtsRecord } from './recorded-tts.ts'
import { piecesOf, soundOf, wordMs, wordsOf } from './spoken-words.ts'
import type { VendorClient } from './vendor-server.ts'

const Request = z.object({
  voice_id: z.string(),
  text: z.string(),
  model: z.enum(['lightning_v3.1', 'lightning_v3.1_pro']).default('lightning_v3.1'),
  language: z.string().optional(),
  sample_rate: z.union([z.literal(8_000), z.literal(16_000), z.literal(24_000), z.literal(44_100)]),
  speed: z.number().min(0.5).max(2).optional(),
  continue: z.boolean().default(false),
  flush: z.boolean().default(false),
  word_timestamps: z.boolean().default(false),
  complete_backoff_ms: z.number().min(0).max(10_000).optional(),
})

export const openSmallestTts = (key: string): Promise<RecordedTts> =>
  openRecordedTts({
    knows: ({ headers }) => headers.authorization === `Bearer ${key}`,
    socket: serve,
  })

function serve(client: VendorClient, { texts }: TtsRecord): void {
  let waiting = ''
  let requests = 0
  client.onMessage((raw) => {
    const request = Request.parse(JSON.parse(raw.toString()))
    const { text, sample_rate: rateHz } = request
    if (text.trim()) texts.push(text)
    waiting += text
    if (!request.flush && request.continue) return
    const own = { session_id: 'ws_1', request_id: `task_${requests++}` }
    for (const [place, word] of wordsOf(waiting).entries()) {
      for (const piece of piecesOf(soundOf(word, rateHz)))
        client.send(JSON.stringify({ ...own, status: 'chunk', data: { audio: piece.toString('base64') } }))
      const times = { id: place, word, start: (place * wordMs) / 1000, end: ((place + 1) * wordMs) / 1000 }
      if (request.word_timestamps)
        client.send(JSON.stringify({ ...own, status: 'word_timestamp', data: times }))
    }
    waiting = ''
    if (request.continue) return
    client.send(JSON.stringify({ ...own, status: 'complete' }))
  })
}
