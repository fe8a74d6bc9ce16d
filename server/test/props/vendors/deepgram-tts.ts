// Deepgram's synthesizer on a loopback address: wss /v1/speak, as documented, and its Flux voices (deepgram-flux-tts.ts).
import { serveFlux } from './deepgram-flux-tts.ts'
import { piecesOf, soundOf, wordsOf } from './spoken-words.ts'
import type { TtsServer } from './tts-suite.ts'
import { openVendorServer, type VendorClient } from './vendor-server.ts'

export async function openDeepgramTts(key: string): Promise<TtsServer> {
  const texts: string[] = []
  const told: string[] = []
  const server = await openVendorServer({
    knows: ({ headers }) => headers.authorization === `Token ${key}`,
    socket(client) {
      const isFlux = client.url.searchParams.get('model')?.startsWith('flux-') ?? false
      if (isFlux !== (client.url.pathname === '/v2/speak')) {
        client.send(JSON.stringify({ type: 'Error', description: 'This model is not served here.' }))
        client.end(1008, 'model')
      } else if (isFlux) serveFlux(client, texts, told)
      else serve(client, texts, told)
    },
    request(client) {
      client.head(200, { 'content-type': 'application/json' })
      client.send('{"api_key_id":"1","scopes":["usage:write"]}')
      client.end()
    },
  })
  return Object.assign(server, { texts, told })
}

function serve(client: VendorClient, texts: string[], told: string[]): void {
  const { searchParams } = client.url
  const rateHz = Number(searchParams.get('sample_rate') ?? 24_000)
  let buffered = ''
  let sequence = 0
  client.send(JSON.stringify({ type: 'Metadata', request_id: 'r-1', model_name: searchParams.get('model') }))
  client.onMessage((raw) => {
    const message = JSON.parse(raw.toString())
    if (message.type === 'Speak') {
      texts.push(message.text)
      buffered += message.text
      return
    }
    told.push(message.type.toLowerCase())
    if (message.type === 'Flush') {
      for (const word of wordsOf(buffered))
        for (const piece of piecesOf(soundOf(word, rateHz))) client.send(piece)
      buffered = ''
      client.send(JSON.stringify({ type: 'Flushed', sequence_id: sequence++ }))
    } else if (message.type === 'Clear') {
      // Sound that was being synthesized still comes.
      for (const piece of piecesOf(soundOf('leftover', rateHz))) client.send(piece)
      buffered = ''
      client.send(JSON.stringify({ type: 'Cleared', sequence_id: sequence }))
    } else if (message.type === 'Close') client.end()
  })
}
