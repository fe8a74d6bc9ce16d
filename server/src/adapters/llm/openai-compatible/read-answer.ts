// Parses the chunks of a chat completion: text at once, tool calls when they are complete.
import { z } from 'zod'
import type { ModelPart } from '../../../ports/language-model.ts'
import { stripThinking } from './strip-thinking.ts'

const ToolDelta = z.object({
  index: z.number().nullish(),
  id: z.string().nullish(),
  function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
})
type ToolDelta = z.infer<typeof ToolDelta>

const Chunk = z.object({
  choices: z
    .array(
      z.object({
        delta: z
          .object({ content: z.string().nullish(), tool_calls: z.array(ToolDelta).nullish() })
          .nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  usage: z.object({ prompt_tokens: z.number(), completion_tokens: z.number() }).nullish(),
  error: z.unknown().optional(),
})

export type Reading =
  | { readonly type: 'parts'; readonly parts: readonly ModelPart[] }
  | { readonly type: 'done' }
  | { readonly type: 'complaint'; readonly error: unknown }
  | { readonly type: 'garbage' }

interface OpenCall {
  index: number | undefined
  id: string | undefined
  name: string
  arguments: string
}

export interface AnswerReader {
  /** Why the model stopped, once it has. */
  readonly finishReason: string | undefined
  take(data: string): Reading
}

export function answerReader(): AnswerReader {
  const say = stripThinking()
  let finishReason: string | undefined
  let calls: OpenCall[] = []

  const takeChunk = ({ choices, usage }: z.infer<typeof Chunk>): ModelPart[] => {
    const parts: ModelPart[] = []
    for (const { delta, finish_reason } of choices ?? []) {
      const text = delta?.content && say(delta.content)
      if (text) parts.push({ type: 'text', text })
      for (const piece of delta?.tool_calls ?? []) addTo(calls, piece)
      if (!finish_reason) continue
      finishReason = finish_reason
      parts.push(...calls.map(closed))
      calls = []
    }
    if (usage)
      parts.push({
        type: 'usage',
        inputTokens: usage.prompt_tokens,
        outputTokens: usage.completion_tokens,
      })
    return parts
  }

  return {
    get finishReason() {
      return finishReason
    },
    take(data) {
      if (data.trim() === '[DONE]') return { type: 'done' }
      const chunk = Chunk.safeParse(parsed(data)).data
      if (!chunk) return { type: 'garbage' }
      if (chunk.error) return { type: 'complaint', error: chunk.error }
      return { type: 'parts', parts: takeChunk(chunk) }
    },
  }
}

/** Some servers send index 0 for every call, and some none: a new id begins a new call whatever its index. */
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

function parsed(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return undefined
  }
}
