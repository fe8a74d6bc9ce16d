// Semantic routes: utterances similar to the examples get a fixed answer, at once and without the model.
import { dot } from '../engines/dialogue/meaning-closeness.ts'
import type { Route } from '../ports/call-plan.ts'
import type { Embedder } from '../ports/embedder.ts'
import type { LanguageModel } from '../ports/language-model.ts'

// The model's answer is worth more than a longer wait for the embedder.
const usualPatienceMs = 1_500

export interface Routing {
  readonly routes: readonly Route[]
  readonly embedder: Embedder
  readonly onTaken: (name: string) => void
  readonly patienceMs?: number
}

export function withRoutes(model: LanguageModel, routing: Routing): LanguageModel {
  const { routes, embedder, onTaken, patienceMs = usualPatienceMs } = routing
  const examples = routes.flatMap((route) => route.utterances.map((text, place) => ({ route, text, place })))
  // The examples are embedded when the call starts, so that they are ready when the caller has spoken.
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
    return answers[best.place % answers.length] ?? ''
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
