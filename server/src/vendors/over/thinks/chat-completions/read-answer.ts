// Parses the chunks of a chat completion: text at once, tool calls when they are complete.
import { z } from 'zod'
import type { ModelPart } from '../../../../ports/language-model.ts'
import { hasAnyField, readVendorMessage } from '../../wire/passed-over.ts'
import {
  type AnswerEvent,
  type AnswerReader,
  type FinishReason,
  parsedJson,
  type TokenCounts,
} from '../protocol.ts'

const ToolDelta = z.object({
  index: z.number().nullish(),
  id: z.string().nullish(),
  function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
})
type ToolDelta = z.infer<typeof ToolDelta>

/** Models of Mistral that reason send a list, in which only the texts are said. */
const Content = z.union([
  z.string(),
  z
    .array(z.object({ type: z.string(), text: z.string().optional() }))
    .transform((parts) => parts.map(({ type, text }) => (type === 'text' ? text : '')).join('')),
])

const count = () => z.number().nullish()

/** OpenAI, Azure, Groq, OpenRouter and vLLM name the cached part in the details, DeepSeek beside the total. */
const Usage = z.object({
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  // OpenRouter reports what the vendor behind it writes to its cache.
  prompt_tokens_details: z.object({ cached_tokens: count(), cache_write_tokens: count() }).nullish(),
  prompt_cache_hit_tokens: count(),
})

const Chunk = z
  .object({
    model: z.string().nullish(),
    choices: z
      .array(
        z.object({
          delta: z.object({ content: Content.nullish(), tool_calls: z.array(ToolDelta).nullish() }).nullish(),
          finish_reason: z.string().nullish(),
        }),
      )
      .nullish(),
    usage: Usage.nullish(),
    error: z.unknown().optional(),
  })
  .refine(({ choices, usage, error }) => hasAnyField({ choices, usage, error }))

interface OpenCall {
  index: number | undefined
  id: string | undefined
  name: string
  arguments: string
}

export class CompletionReader implements AnswerReader {
  finishReason: FinishReason | undefined
  model: string | undefined
  tokens: TokenCounts | undefined
  readonly #say = stripThinking()
  #calls: OpenCall[] = []

  take(data: string): AnswerEvent {
    if (data.trim() === '[DONE]') return { type: 'done' }
    const chunk = readVendorMessage(Chunk, parsedJson(data))
    if (chunk.error) return { type: 'complaint', error: chunk.error }
    return { type: 'parts', parts: this.#partsOf(chunk) }
  }

  #partsOf({ choices, usage, model }: z.infer<typeof Chunk>): ModelPart[] {
    const parts: ModelPart[] = []
    if (model) this.model = model
    if (usage) this.tokens = tokensOf(usage)
    for (const { delta, finish_reason } of choices ?? []) {
      const text = delta?.content && this.#say(delta.content)
      if (text) parts.push({ type: 'text', text })
      for (const piece of delta?.tool_calls ?? []) addTo(this.#calls, piece)
      if (!finish_reason) continue
      this.finishReason = finishReasonOf(finish_reason)
      parts.push(...this.#calls.map(closed))
      this.#calls = []
    }
    return parts
  }
}

/** Adds a piece to its call. Some servers send index 0 for every call, and some none: a new id begins a new call whatever its index. */
function addTo(calls: OpenCall[], piece: ToolDelta): void {
  const index = piece.index ?? undefined
  const last = calls.findLast((call) => index === undefined || call.index === index)
  const isNew = !last || (piece.id && last.id && piece.id !== last.id)
  const call = isNew ? { index, id: undefined, name: '', arguments: '' } : last
  if (isNew) calls.push(call)
  call.id ??= piece.id || undefined
  call.name += piece.function?.name ?? ''
  call.arguments += piece.function?.arguments ?? ''
}

const closed = (call: OpenCall, place: number): ModelPart => ({
  type: 'tool-call',
  call: {
    // The tool's result must reference the call, so a call without an id is given one.
    id: call.id ?? `call_${place}`,
    name: call.name,
    arguments: call.arguments || '{}',
  },
})

const finishReasonOf = (written: string): FinishReason =>
  written === 'length' || written === 'content_filter' ? written : 'stop'

const tokensOf = (usage: z.infer<typeof Usage>): TokenCounts => ({
  inputTokens: usage.prompt_tokens,
  outputTokens: usage.completion_tokens,
  cachedTokens: usage.prompt_tokens_details?.cached_tokens ?? usage.prompt_cache_hit_tokens ?? 0,
  cacheWriteTokens: usage.prompt_tokens_details?.cache_write_tokens ?? 0,
})

const opening = '<think>'
const closing = '</think>'

/** Takes an answer piece by piece; returns the part of it to say. */
function stripThinking(): (text: string) => string {
  let held = ''
  let stage: 'beginning' | 'thinking' | 'speaking' = 'beginning'
  return (text) => {
    if (stage === 'speaking') return text
    held += text
    const begun = held.trimStart()
    if (stage === 'beginning' && begun.startsWith(opening)) stage = 'thinking'
    if (stage === 'beginning') {
      // The text may still become the tag.
      if (opening.startsWith(begun)) return ''
      stage = 'speaking'
      return held
    }
    const end = held.indexOf(closing)
    const rest = end < 0 ? '' : held.slice(end + closing.length).trimStart()
    if (rest) stage = 'speaking'
    return rest
  }
}
