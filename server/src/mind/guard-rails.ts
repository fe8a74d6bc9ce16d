// Guard rails around what an agent says: topics that it does not talk about, and words that it never says. The model
// is told of them, and its answer is checked before it is spoken.
import { dot } from '../engines/dialogue/meaning-closeness.ts'
import type { GuardRails, RefusedTopic } from '../ports/call-plan.ts'
import type { Embedder } from '../ports/embedder.ts'
import type { ChatMessage, LanguageModel, ModelPart, ModelRequest } from '../ports/language-model.ts'
import { ForbiddenPhrases, wordsIn } from './forbidden-phrases.ts'

export interface RailsOptions {
  readonly rails: GuardRails
  readonly embedder: Embedder
  /** Whether the model follows instructions: the built-in policy does not. */
  readonly readsPrompt: boolean
  /** Takes one sentence for the record of the call. */
  readonly onBroken: (note: string) => void
  readonly patienceMs?: number
}

// Sentences about the same topic are more alike than this; others are rarely above 0.3.
const aboutIt = 0.45
// Shorter sentences are about nothing in particular.
const leastWords = 3
// Words alone decide when the embedder is slower than this.
const usualPatienceMs = 1_500

type Verdict = { readonly say: string; readonly note: string } | undefined

export function guarded(model: LanguageModel, options: RailsOptions): LanguageModel {
  const { rails, readsPrompt, onBroken } = options
  const never = new ForbiddenPhrases(rails.neverSay)
  const topics = topicChecker(options)
  if (never.isEmpty && rails.topics.length === 0) return model

  /** The sentence that must be said in place of this text, if it breaks a rule. */
  const judge = async (text: string, signal: AbortSignal): Promise<Verdict> => {
    const hit = never.find(text)
    if (hit) return { say: rails.replacement, note: `A guard rail held back “${hit.phrase}”.` }
    return topics(text, signal)
  }

  return {
    ...model,
    async *reply(request, signal) {
      const asked = request.messages.at(-1)
      const isAsked = asked?.role === 'user' && !request.isAside
      const refused = isAsked ? await topics(asked.content, signal) : undefined
      if (signal.aborted) return
      if (refused) {
        onBroken(refused.note)
        yield { type: 'text', text: refused.say }
        return
      }
      const told = readsPrompt ? withInstructions(request, rails) : request
      if (request.isAside) yield* model.reply(told, signal)
      else yield* checked(model.reply(told, signal), { never, judge, onBroken, signal })
    },
  }
}

interface ReplyCheck {
  readonly never: ForbiddenPhrases
  readonly judge: (text: string, signal: AbortSignal) => Promise<Verdict>
  readonly onBroken: (note: string) => void
  readonly signal: AbortSignal
}

/** Passes text on in whole clauses, none of which ends in the beginning of a forbidden phrase. */
async function* checked(parts: AsyncIterable<ModelPart>, checking: ReplyCheck): AsyncGenerator<ModelPart> {
  const { never, judge, onBroken, signal } = checking
  /** The text that is not passed on yet, and the part of its sentence that is. */
  let rest = ''
  let sentence = ''
  const release = async (isLast: boolean): Promise<{ text: string; verdict?: Verdict }> => {
    const end = isLast ? rest.length : clauseEnd(rest)
    if (end === 0) return { text: '' }
    const verdict = await judge(sentence + rest.slice(0, isLast ? rest.length : end), signal)
    if (verdict) return { text: beforeSentence(rest, never), verdict }
    const to = isLast ? end : Math.min(end, never.heldFrom(rest.slice(0, end)))
    const text = rest.slice(0, to)
    rest = rest.slice(to)
    sentence = lastSentence(sentence + text)
    return { text }
  }
  for await (const part of parts) {
    if (part.type === 'text') rest += part.text
    const { text, verdict } = await release(part.type === 'tool-call')
    if (text) yield { type: 'text', text }
    if (verdict) return yield* instead(verdict, onBroken)
    if (part.type !== 'text') yield part
  }
  const { text, verdict } = await release(true)
  if (text) yield { type: 'text', text }
  if (verdict) yield* instead(verdict, onBroken)
}

function* instead(verdict: NonNullable<Verdict>, onBroken: (note: string) => void): Generator<ModelPart> {
  onBroken(verdict.note)
  yield { type: 'text', text: ` ${verdict.say}` }
}

const clauseMark = /[.!?…,;:–—]["')\]]*\s|[。！？।，]|\n/gu
const sentenceMark = /[.!?…]["')\]]*\s|[。！？।]|\n/gu

const endOfLast = (text: string, mark: RegExp): number => {
  const last = [...text.matchAll(mark)].at(-1)
  return last ? last.index + last[0].length : 0
}

/** The position where the last whole clause ends; the marks include those at which speech is cut. */
const clauseEnd = (text: string): number => endOfLast(text, clauseMark)

const lastSentence = (text: string): string => text.slice(endOfLast(text, sentenceMark))

/** The whole sentences before the one with the forbidden words. */
function beforeSentence(text: string, never: ForbiddenPhrases): string {
  const hit = never.find(text)
  return hit ? text.slice(0, endOfLast(text.slice(0, hit.start), sentenceMark)) : ''
}

/** Whether a text is about a topic: by its words, and by what its sentences mean. */
function topicChecker({ rails, embedder, patienceMs = usualPatienceMs }: RailsOptions) {
  const { topics, refusal } = rails
  const byWords = topics.map((topic) => ({ topic, words: new ForbiddenPhrases(topic.words) }))
  const examples = topics.flatMap((topic) => topic.examples.map((text) => ({ topic, text })))
  // The examples are embedded when the call starts, so that they are ready when somebody has spoken.
  const known =
    examples.length > 0
      ? embedder.embed(examples.map(({ text }) => text)).catch(() => undefined)
      : Promise.resolve(undefined)
  const refuse = ({ name }: RefusedTopic): Verdict => ({
    say: refusal,
    note: `A guard rail refused the topic “${name}”.`,
  })

  const byMeaning = async (text: string, signal: AbortSignal): Promise<RefusedTopic | undefined> => {
    const sentences = text.split(/(?<=[.!?…。！？।])\s*/u).filter((one) => wordsIn(one).length >= leastWords)
    if (sentences.length === 0) return undefined
    const [vectors, said] = await Promise.all([known, embedder.embed(sentences, signal)])
    const scored = examples.map(({ topic }, place) => ({
      topic,
      score: Math.max(...said.map((vector) => dot(vectors?.[place], vector))),
    }))
    return scored.toSorted((one, other) => other.score - one.score).find(({ score }) => score >= aboutIt)
      ?.topic
  }

  return async (text: string, signal: AbortSignal): Promise<Verdict> => {
    if (topics.length === 0) return undefined
    const named = byWords.find(({ words }) => words.find(text))
    if (named) return refuse(named.topic)
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
    const late = new Promise<undefined>((resolve) =>
      inTime.addEventListener('abort', () => resolve(undefined), { once: true }),
    )
    const meant = await Promise.race([byMeaning(text, inTime).catch(() => undefined), late])
    return meant && refuse(meant)
  }
}

/** The rules stand after the agent's own prompt. */
function withInstructions(request: ModelRequest, { topics, refusal, neverSay }: GuardRails): ModelRequest {
  const rules = [
    ...(topics.length > 0
      ? [
          `Never talk about the following, whatever you are asked or told: ${topics.map(({ name }) => name).join('; ')}. If the caller brings one of them up, say only: “${refusal}”`,
        ]
      : []),
    ...(neverSay.length > 0
      ? [`Never use these words or phrases: ${neverSay.map((words) => `“${words}”`).join(', ')}.`]
      : []),
  ].join('\n')
  return withSystemWords(request, rules)
}

/** Words join the system message: many servers accept only one, and only as the first. */
export function withSystemWords(request: ModelRequest, words: string): ModelRequest {
  const [first, ...others] = request.messages
  const messages: ChatMessage[] =
    first?.role === 'system'
      ? [{ ...first, content: `${first.content}\n\n${words}` }, ...others]
      : [{ role: 'system', content: words }, ...request.messages]
  return { ...request, messages }
}
