// Embeddings by a server that speaks OpenAI's protocol:
//
//   POST <base URL>/embeddings  {"model": "…", "input": ["…"], "encoding_format": "float"}
//   200  {"data": [{"index": 0, "embedding": [0.1, …]}, …]}
import { Agent, request } from 'undici'
import { z } from 'zod'
import type { NamedEmbedder } from '../../ports/embedder.ts'
import { parsedJson } from '../over/thinks/protocol.ts'

export interface EmbeddingServer {
  readonly baseUrl: string
  readonly model: string
  readonly apiKey: string | undefined
}

/** The key of the owner of the texts; undefined: that of the server. */
export type KeyOf = (repositoryId: string) => Promise<string | undefined>

export interface RemoteEmbedder extends NamedEmbedder {
  close(): Promise<void>
}

// Enough for a bundle of passages on a slow machine without a graphics card.
const timeoutMs = 60_000

const Answer = z.object({
  data: z.array(z.object({ index: z.number().int(), embedding: z.array(z.number()).min(1) })),
})

/** The server was named by the operator, so its address passes no guard. */
export function remoteEmbedder({ baseUrl, model, apiKey }: EmbeddingServer, keyOf?: KeyOf): RemoteEmbedder {
  const dispatcher = new Agent({ keepAliveTimeout: 60_000 })
  const { host } = new URL(baseUrl)
  const failed = (what: string, cause?: unknown) =>
    new Error(`The embedding server ${host} ${what}.`, { cause })

  return {
    name: `${model} at ${host}`,
    async embed(texts, signal, repositoryId) {
      if (texts.length === 0) return []
      const key = (repositoryId && (await keyOf?.(repositoryId))) || apiKey
      const late = AbortSignal.timeout(timeoutMs)
      const { statusCode, body } = await request(`${baseUrl.replace(/(?<!\/)\/+$/, '')}/embeddings`, {
        method: 'POST',
        dispatcher,
        signal: signal ? AbortSignal.any([signal, late]) : late,
        headers: {
          'content-type': 'application/json',
          ...(key && { authorization: `Bearer ${key}` }),
        },
        // Some servers answer in base64 otherwise.
        body: JSON.stringify({ model, input: texts, encoding_format: 'float' }),
      }).catch((cause: unknown) => {
        signal?.throwIfAborted()
        throw failed(
          late.aborted ? `did not answer within ${timeoutMs / 1_000} seconds` : 'is not reachable',
          cause,
        )
      })
      const text = await body.text()
      if (statusCode !== 200) throw failed(`answered ${statusCode}`)
      return vectorsIn(text, texts.length) ?? Promise.reject(failed('did not answer with embeddings'))
    },
    close: () => dispatcher.destroy(),
  }
}

/** In the order of the texts, of unit length. */
function vectorsIn(text: string, count: number): Float32Array[] | undefined {
  const answer = Answer.safeParse(parsedJson(text))
  if (!answer.success || answer.data.data.length !== count) return undefined
  const ordered = answer.data.data.toSorted((one, other) => one.index - other.index)
  if (ordered.some(({ index }, place) => index !== place)) return undefined
  return ordered.map(({ embedding }) => {
    const length = Math.hypot(...embedding) || 1
    return Float32Array.from(embedding, (value) => value / length)
  })
}
