// The closeness of two sentences in meaning; each is embedded once per call.
import type { Embedder } from '../../ports/embedder.ts'
import type { Closeness } from './match-facts.ts'

// Unrelated everyday sentences are below the first similarity, answers to a question above the second.
const unrelated = 0.2
const related = 0.7

export function closenessByMeaning(
  embedder: Embedder,
): (texts: readonly string[], signal: AbortSignal) => Promise<Closeness | undefined> {
  const places = new Map<string, Float32Array>()
  // Batches are embedded one at a time: the next has fewer texts left to embed.
  let last: Promise<unknown> = Promise.resolve()
  const embedMissing = async (texts: readonly string[], signal: AbortSignal) => {
    const missing = [...new Set(texts)].filter((text) => text.trim() && !places.has(text))
    const vectors = missing.length > 0 ? await embedder.embed(missing, signal) : []
    for (const [place, text] of missing.entries()) places.set(text, vectors[place] ?? new Float32Array())
  }
  return async (texts, signal) => {
    const embedded = last.then(() => embedMissing(texts, signal))
    last = embedded.catch(() => {})
    try {
      await embedded
    } catch {
      // The caller of this falls back to matching by words.
      return undefined
    }
    return (said, about) => scaled(dot(places.get(said), places.get(about)))
  }
}

const scaled = (cosine: number): number =>
  Math.min(1, Math.max(0, (cosine - unrelated) / (related - unrelated)))

export function dot(a: Float32Array | undefined, b: Float32Array | undefined): number {
  let sum = 0
  for (const [place, value] of a?.entries() ?? []) sum += value * (b?.[place] ?? 0)
  return sum
}
