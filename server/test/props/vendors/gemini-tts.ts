// The Gemini API on a loopback address: POST /v1beta/models/{model}:streamGenerateContent, audio at 24 kHz as events.
import { z } from 'zod'
import { openRecordedTts, type RecordedTts } from './recorded-tts.ts'
import { piecesOf, soundOf, wordsOf } from './spoken-words.ts'

const Request = z.object({
  contents: z.array(z.object({ parts: z.array(z.object({ text: z.string() })) })).length(1),
  generationConfig: z.object({
    responseModalities: z.tuple([z.literal('AUDIO')]),
    speechConfig: z.object({
      voiceConfig: z.union([
        z.strictObject({ prebuiltVoiceConfig: z.object({ voiceName: z.string() }) }),
        z.strictObject({ voice: z.string() }),
      ]),
    }),
  }),
})
type VoiceConfig = z.infer<typeof Request>['generationConfig']['speechConfig']['voiceConfig']

/** Since 3.8 a voice is named in another place. */
const isKnownTo = (path: string, voiceConfig: VoiceConfig): boolean =>
  'voice' in voiceConfig === /gemini-(3\.[89]|[4-9])/.test(path)

export const openGeminiTts = (key: string): Promise<RecordedTts> =>
  openRecordedTts({
    knows: ({ headers }) => headers['x-goog-api-key'] === key,
    request: {
      path: ':streamGenerateContent',
      serve(client, { texts }) {
        const { contents, generationConfig } = Request.parse(JSON.parse(client.body.toString()))
        if (!isKnownTo(client.url.pathname, generationConfig.speechConfig.voiceConfig)) {
          client.head(400, { 'content-type': 'application/json' })
          client.send('{"error":{"code":400,"message":"Invalid voice_config.","status":"INVALID_ARGUMENT"}}')
          return client.end()
        }
        const text = contents.flatMap(({ parts }) => parts.map((part) => part.text)).join(' ')
        texts.push(text)
        client.head(200, { 'content-type': 'text/event-stream' })
        for (const word of wordsOf(text))
          for (const piece of piecesOf(soundOf(word, 24_000))) {
            const inlineData = { mimeType: 'audio/L16;codec=pcm;rate=24000', data: piece.toString('base64') }
            const event = JSON.stringify({
              candidates: [{ content: { role: 'model', parts: [{ inlineData }] } }],
            })
            // Events do not end where packets do.
            client.send(`data: ${event.slice(0, 40)}`)
            client.send(`${event.slice(40)}\r\n\r\n`)
          }
        client.send('data: {"candidates":[{"finishReason":"STOP"}],"usageMetadata":{}}\r\n\r\n')
        client.end()
      },
    },
  })
