// A server on loopback with OpenAI's embeddings. Words that two texts share make their vectors similar.
import { hash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface EmbeddingServer {
  readonly baseUrl: string
  readonly asked: {
    readonly authorization: string | undefined
    readonly model: string
    readonly input: string[]
  }[]
  /** While it is set, no answer leaves the server. */
  hold(): () => void
  /** Answered instead of embeddings, until it is undefined. */
  refusal: number | undefined
  close(): Promise<void>
}

const dimensions = 64

export async function openEmbeddingServer(): Promise<EmbeddingServer> {
  const asked: EmbeddingServer['asked'] = []
  let held: Promise<void> = Promise.resolve()
  const state = { refusal: undefined as number | undefined }
  const server = createServer(async (request, response) => {
    // The request that tests the key of a workspace.
    if (request.method === 'GET') return response.end('{"object":"list","data":[]}')
    const { model, input } = JSON.parse(await text(request))
    asked.push({ authorization: request.headers.authorization, model, input })
    await held
    if (state.refusal) return response.writeHead(state.refusal).end('{}')
    // The order is another than asked for, as the protocol allows.
    const data = (input as string[])
      .map((words, index) => ({ object: 'embedding', index, embedding: [...vectorOf(words)] }))
      .reverse()
    return response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ object: 'list', data }))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return Object.assign(state, {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      return resolve
    },
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  })
}

function vectorOf(words: string): Float32Array {
  const vector = new Float32Array(dimensions)
  for (const word of words.toLowerCase().match(/\p{L}+/gu) ?? []) {
    const place = hash('sha256', word, 'buffer').readUInt8() % dimensions
    vector[place] = (vector[place] ?? 0) + 1
  }
  return vector
}
