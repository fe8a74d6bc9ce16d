// A server with OpenAI's POST /audio/transcriptions, which always returns the same transcript.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface TranscriptionServer {
  readonly url: string
  /** The Authorization headers received. */
  readonly keys: (string | undefined)[]
  close(): Promise<void>
}

export async function openTranscriptionServer(text: string): Promise<TranscriptionServer> {
  const keys: (string | undefined)[] = []
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      keys.push(request.headers.authorization)
      const found = request.method === 'POST' && request.url === '/v1/audio/transcriptions'
      response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ text, language: 'english' }))
    })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    keys,
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
