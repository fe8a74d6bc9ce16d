// OpenAI's synthesizer on a loopback address: POST /v1/audio/speech, as documented.
import { piecesOf, soundOf, wordsOf } from './spoken-words.ts'
import type { TtsServer } from './tts-suite.ts'
import { openVendorServer } from './vendor-server.ts'

export interface OpenaiTtsServer extends TtsServer {
  readonly bodies: Record<string, unknown>[]
}

export async function openOpenaiTts(key: string): Promise<OpenaiTtsServer> {
  const texts: string[] = []
  const bodies: Record<string, unknown>[] = []
  const server = await openVendorServer({
    knows: ({ headers }) => headers.authorization === `Bearer ${key}`,
    request(client) {
      if (client.url.pathname === '/v1/models') {
        client.head(200, { 'content-type': 'application/json' })
        client.send('{"object":"list","data":[]}')
        return client.end()
      }
      const body = JSON.parse(client.body.toString())
      bodies.push(body)
      texts.push(body.input)
      client.head(200, { 'content-type': 'audio/pcm' })
      for (const word of wordsOf(body.input))
        for (const piece of piecesOf(soundOf(word, 24_000))) client.send(piece)
      client.end()
    },
  })
  return Object.assign(server, { texts, told: [], bodies })
}
