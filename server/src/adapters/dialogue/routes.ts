// Semantic routes: what a caller says like this is answered like that, at once and without the model.
import { z } from 'zod'
import type { Embedder } from '../../ports/embedder.ts'
import type { LanguageModel } from '../../ports/language-model.ts'

interface Route {
  readonly name: string
  readonly utterances: readonly string[]
  readonly answers: readonly string[]
  /** The cosine from which on it is meant. */
  readonly threshold: number
}

const RouteOnWire = z.object({
  route_name: z.string().nullish(),
  utterances: z.array(z.string().min(1)).min(1),
  response: z.union([z.string().transform((text) => [text]), z.array(z.string()).min(1)]),
  score_threshold: z.coerce.number().min(0).max(1).nullish(),
})

const RoutesOnWire = z.object({ routes: z.array(z.unknown()).min(1) })

// By MiniLM, ways of saying the same lie above it and other questions about the same below.
const usualThreshold = 0.55
// The answer of the model is worth more than a longer wait for the embedder.
const usualPatienceMs = 1_500

export interface RoutesReading {
  readonly routes: readonly Route[]
  readonly problems: readonly string[]
}

/** In `llm_agent`, or in its `llm_config`. */
export function readRoutes(llmAgent: Readonly<Record<string, unknown>>): RoutesReading {
  const inner = z.record(z.string(), z.unknown()).safeParse(llmAgent.llm_config).data ?? {}
  const written = RoutesOnWire.safeParse(llmAgent.routes).data ?? RoutesOnWire.safeParse(inner.routes).data
  const problems: string[] = []
  const routes = (written?.routes ?? []).flatMap((one, place): Route[] => {
    const { data } = RouteOnWire.safeParse(one)
    if (!data) problems.push(`route ${place + 1} needs utterances and a response and was left out`)
    return data
      ? [
          {
            name: data.route_name ?? `route ${place + 1}`,
            utterances: data.utterances,
            answers: data.response,
            threshold: data.score_threshold ?? usualThreshold,
          },
        ]
      : []
  })
  return { routes, problems }
}

export interface Routing {
  readonly routes: readonly Route[]
  readonly embedder: Embedder
  /** Fills the placeholders of an answer. */
  readonly fill: (text: string) => string
  readonly onTaken: (name: string) => void
  readonly patienceMs?: number
}

export function routed(model: LanguageModel, routing: Routing): LanguageModel {
  const { routes, embedder, fill, onTaken, patienceMs = usualPatienceMs } = routing
  const examples = routes.flatMap((route) => route.utterances.map((text, place) => ({ route, text, place })))
  // Begun with the call, so that they are there when the caller has spoken.
  const known = embedder.embed(examples.map(({ text }) => text)).catch(() => undefined)

  const answerTo = async (said: string, signal: AbortSignal): Promise<string | undefined> => {
    const late = new Promise<never>((_, give) => signal.addEventListener('abort', give, { once: true }))
    const measured = Promise.all([known, embedder.embed([said], signal)])
    const [vectors, [spoken] = []] = await Promise.race([measured, late])
    if (!vectors || !spoken) return undefined
    const scored = examples.map((example, place) => ({ ...example, score: dot(vectors[place], spoken) }))
    const meant = scored.filter(({ route, score }) => score >= route.threshold)
    const best = meant.toSorted((one, other) => other.score - one.score)[0]
    if (!best || signal.aborted) return undefined
    onTaken(best.route.name)
    const { answers } = best.route
    return fill(answers[best.place % answers.length] ?? '')
  }

  return {
    ...model,
    async *reply(request, signal) {
      const last = request.messages.at(-1)
      const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
      const answer =
        last?.role === 'user' ? await answerTo(last.content, patience).catch(() => undefined) : undefined
      if (signal.aborted) return
      if (answer === undefined) yield* model.reply(request, signal)
      else yield { type: 'text', text: answer }
    },
  }
}

function dot(a: Float32Array | undefined, b: Float32Array): number {
  let sum = 0
  for (const [place, value] of a?.entries() ?? []) sum += value * (b[place] ?? 0)
  return sum
}
