// A model that is given passages of the knowledge base: looks the caller's words up, turn by turn.
//
// The search begins when the model is asked, at the likely end of the caller's turn: it is a part of thinking ahead,
// and is discarded with it.
import type { KnowledgePlan } from '../ports/call-plan.ts'
import type { CallKnowledge, Passage } from '../ports/knowledge.ts'
import type { ChatMessage, LanguageModel, ModelRequest } from '../ports/language-model.ts'
import { withSystemWords } from './guard-rails.ts'

export interface GroundingOptions {
  readonly knowledge: CallKnowledge
  readonly plan: KnowledgePlan
  /** Whether the model follows instructions in its prompt; otherwise it is given the passages themselves. */
  readonly readsPrompt: boolean
  /** Takes one sentence for the record of the call. */
  readonly onTrouble: (sentence: string) => void
}

/**
 * Passages below this are not about the question: on half A of bench/knowledge/questions.json the best of every question
 * with an answer is above 0.33, and of every question without one below 0.29. bench/knowledge-recall.ts has half B.
 */
export const leastScore = 0.3
// A search takes some milliseconds; the first one after a long pause loads the repository. A caller waits no longer.
const patienceMs = 8_000
// "And how much is it?" needs the words before it.
const fewWords = 4

export function groundedModel(model: LanguageModel, informing: GroundingOptions): LanguageModel {
  const { plan, knowledge, onTrouble } = informing
  knowledge.prepare(plan.repositoryIds)
  // The last search: the reply that was thought ahead and the final one ask the same, as do the rounds after a tool.
  let last: { readonly query: string; readonly found: Promise<readonly Passage[] | undefined> } | undefined

  const lookUp = (query: string): Promise<readonly Passage[] | undefined> => {
    if (last?.query === query) return last.found
    const found = within(patienceMs, knowledge.search({ repositoryIds: plan.repositoryIds, query }))
      .then((passages) => passages.filter(({ score }) => score >= leastScore))
      .catch((error: unknown) => {
        onTrouble(`The knowledge base was not asked: ${error instanceof Error ? error.message : error}`)
        last = undefined
        return undefined
      })
    last = { query, found }
    return found
  }

  return {
    ...model,
    async *reply(request, signal) {
      const query = request.isAside ? '' : queryOf(request.messages)
      const found = query ? lookUp(query) : undefined
      model.prepare?.(request, signal)
      const passages = await found
      if (signal.aborted) return
      if (!passages) return yield* model.reply(request, signal)
      yield { type: 'sources', passages }
      yield* model.reply(withPassages(request, passages, informing), signal)
    },
  }
}

/** The caller's last words, with those before them if they are too few to stand alone. */
function queryOf(messages: readonly ChatMessage[]): string {
  const said = messages.filter(({ role }) => role === 'user').map(({ content }) => content.trim())
  const words = said.at(-1) ?? ''
  return words && words.split(/\s+/).length < fewWords ? said.slice(-2).join(' ') : words
}

function withPassages(
  request: ModelRequest,
  passages: readonly Passage[],
  { readsPrompt, plan }: GroundingOptions,
): ModelRequest {
  if (!readsPrompt) return { ...request, passages }
  return withSystemWords(request, instructionsFor(passages, plan))
}

function instructionsFor(passages: readonly Passage[], { isOnlySource }: KnowledgePlan): string {
  if (passages.length === 0)
    return isOnlySource
      ? 'The knowledge base has nothing about the caller’s last words. If they are a question about facts, say that you do not know; do not guess.'
      : 'The knowledge base has nothing about the caller’s last words. Do not make facts up.'
  const listed = passages.map(
    ({ title, heading, text }, place) =>
      `[${place + 1}] ${[title, heading].filter(Boolean).join(' > ')}\n${text}`,
  )
  const rule = isOnlySource
    ? 'Answer from these passages only. If they do not answer the question, say that you do not know.'
    : 'Prefer them to what you know yourself.'
  return `What the knowledge base has about the caller’s last words:\n\n${listed.join('\n\n')}\n\n${rule} Speak one or two short sentences, and do not read out numbers in brackets, titles or addresses.`
}

/** Rejects if the promise takes longer. */
async function within<Value>(ms: number, promise: Promise<Value>): Promise<Value> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new Error(`it did not answer within ${ms / 1_000} seconds.`)),
    ms,
  )
  try {
    return await Promise.race([promise, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
