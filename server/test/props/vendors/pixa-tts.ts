// Pixa on a loopback address: wss /api/v1/ws/synthesize, as its public client speaks it. PCM at 32 kHz.
import { z } from 'zod'
import { openRecordedTts, type RecordedTts, type TtsRecord } from './recorded-tts.ts'
import { piecesOf, soundOf, wordsOf } from './spoken-words.ts'
import type { VendorClient } from './vendor-server.ts'

const rateHz = 32_000

const Message = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('config'),
    voice: z.string().optional(),
    top_p: z.number(),
    repetition_penalty: z.number(),
  }),
  z.object({
    type: z.literal('text'),
    content: z.string(),
    is_final: z.boolean(),
    context_id: z.string().optional(),
  }),
  z.object({ type: z.literal('cancel'), context_id: z.string() }),
])

export const openPixaTts = (key: string): Promise<RecordedTts> =>
  openRecordedTts({
    knows: ({ headers }) => headers.authorization === `Bearer ${key}`,
    socket: serve,
  })

function serve(client: VendorClient, { texts, told }: TtsRecord): void {
  client.onMessage((raw) => {
    const message = Message.parse(JSON.parse(raw.toString()))
    if (message.type === 'config') client.send('{"type":"status","status":"ready"}')
    else if (message.type === 'cancel') told.push('cancel')
    else {
      if (message.content.trim()) texts.push(message.content)
      for (const word of wordsOf(message.content))
        for (const piece of piecesOf(soundOf(word, rateHz))) client.send(piece)
      if (message.is_final) client.send(JSON.stringify({ type: 'done', context_id: message.context_id }))
    }
  })
}
