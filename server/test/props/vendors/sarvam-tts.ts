// Sarvam on a loopback address: wss /text-to-speech/ws. A configuration first; `final` after each flush, if it was asked for.
import { z } from 'zod'
import { openRecordedTts, type RecordedTts, type TtsRecord } from './recorded-tts.ts'
import { piecesOf, soundOf, wordsOf } from './spoken-words.ts'
import type { VendorClient } from './vendor-server.ts'

const Config = z.object({
  language_code: z.enum([
    'bn-IN',
    'en-IN',
    'gu-IN',
    'hi-IN',
    'kn-IN',
    'ml-IN',
    'mr-IN',
    'od-IN',
    'pa-IN',
    'ta-IN',
    'te-IN',
  ]),
  speaker: z.string().regex(/^[a-z]+$/),
  speech_sample_rate: z.coerce.number(),
  output_audio_codec: z.string().default('mp3'),
})

const Message = z.discriminatedUnion('type', [
  z.object({ type: z.literal('config'), data: Config }),
  z.object({ type: z.literal('text'), data: z.object({ text: z.string() }) }),
  z.object({ type: z.literal('flush') }),
  z.object({ type: z.literal('ping') }),
])

export const openSarvamTts = (key: string): Promise<RecordedTts> =>
  openRecordedTts({
    knows: ({ headers }) => headers['api-subscription-key'] === key,
    socket: serve,
  })

function serve(client: VendorClient, { texts, told }: TtsRecord): void {
  const isTold = client.url.searchParams.get('send_completion_event') === 'true'
  let config: z.infer<typeof Config> | undefined
  let waiting = ''
  client.onMessage((raw) => {
    const message = Message.parse(JSON.parse(raw.toString()))
    if (message.type === 'config') config = message.data
    else if (!config) client.end(1003, 'the configuration comes first')
    else if (message.type === 'text') {
      texts.push(message.data.text)
      waiting += message.data.text
    } else if (message.type === 'ping') told.push('keep-alive')
    else {
      told.push('flush')
      for (const word of wordsOf(waiting))
        for (const piece of piecesOf(soundOf(word, config.speech_sample_rate)))
          client.send(
            JSON.stringify({
              type: 'audio',
              data: { content_type: 'audio/wav', audio: piece.toString('base64'), request_id: 'r-1' },
            }),
          )
      waiting = ''
      if (isTold) client.send('{"type":"event","data":{"event_type":"final","message":"done"}}')
    }
  })
}
