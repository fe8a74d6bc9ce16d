// Parses the events of Anthropic's messages API: text at once, tool calls when their block ends.
import { z } from 'zod'
import type { ModelPart } from '../../ports/language-model.ts'
import {
  type AnswerEvent,
  type AnswerReader,
  type FinishReason,
  parsedJson,
  type TokenCounts,
} from '../over/thinks/protocol.ts'

const count = () => z.number().nullish()

const Usage = z.object({
  input_tokens: count(),
  cache_creation_input_tokens: count(),
  cache_read_input_tokens: count(),
  output_tokens: count(),
})
type Usage = z.infer<typeof Usage>

/** One shape for all events; which fields there are depends on the type. */
const Event = z.object({
  type: z.string(),
  message: z.object({ model: z.string(), usage: Usage }).optional(),
  index: z.number().optional(),
  content_block: z
    .object({
      type: z.string(),
      id: z.string().optional(),
      name: z.string().optional(),
      text: z.string().optional(),
    })
    .optional(),
  delta: z
    .object({
      type: z.string().optional(),
      text: z.string().optional(),
      partial_json: z.string().optional(),
      stop_reason: z.string().nullish(),
    })
    .optional(),
  usage: Usage.optional(),
  error: z.unknown().optional(),
})
type Event = z.infer<typeof Event>

interface OpenCall {
  readonly id: string
  readonly name: string
  json: string
}

export function anthropicReader(): AnswerReader {
  const calls = new Map<number, OpenCall>()
  let finishReason: FinishReason | undefined
  let model: string | undefined
  let usage: Usage | undefined

  const begin = ({ index = 0, content_block: block }: Event): ModelPart[] => {
    if (block?.type === 'tool_use')
      calls.set(index, { id: block.id ?? `call_${index}`, name: block.name ?? '', json: '' })
    return textOf(block?.text)
  }

  const goOn = ({ index = 0, delta }: Event): ModelPart[] => {
    const call = calls.get(index)
    if (call) call.json += delta?.partial_json ?? ''
    return textOf(delta?.type === 'text_delta' ? delta.text : undefined)
  }

  const end = ({ index = 0 }: Event): ModelPart[] => {
    const call = calls.get(index)
    calls.delete(index)
    if (!call) return []
    return [{ type: 'tool-call', call: { id: call.id, name: call.name, arguments: call.json || '{}' } }]
  }

  /** Events of an unknown type are to be ignored. */
  const partsOf = (event: Event): ModelPart[] => {
    switch (event.type) {
      case 'message_start':
        model = event.message?.model
        usage = event.message?.usage
        return []
      case 'content_block_start':
        return begin(event)
      case 'content_block_delta':
        return goOn(event)
      case 'content_block_stop':
        return end(event)
      case 'message_delta':
        // What was told before and is not told again stays.
        usage = { ...usage, ...told(event.usage) }
        if (event.delta?.stop_reason) finishReason = finishReasonOf(event.delta.stop_reason)
        return []
      default:
        return []
    }
  }

  return {
    get finishReason() {
      return finishReason
    },
    get model() {
      return model
    },
    get tokens() {
      return usage && tokensOf(usage)
    },
    take(data): AnswerEvent {
      const event = Event.safeParse(parsedJson(data)).data
      if (!event) return { type: 'garbage' }
      if (event.type === 'error') return { type: 'complaint', error: event.error }
      if (event.type === 'message_stop') return { type: 'done' }
      return { type: 'parts', parts: partsOf(event) }
    },
  }
}

const textOf = (text: string | undefined): ModelPart[] => (text ? [{ type: 'text', text }] : [])

const told = (usage: Usage = {}): Partial<Usage> =>
  Object.fromEntries(Object.entries(usage).filter(([, value]) => typeof value === 'number'))

const reasons: Readonly<Record<string, FinishReason>> = {
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'content_filter',
}
const finishReasonOf = (written: string): FinishReason => reasons[written] ?? 'stop'

/** The vendor counts what it had kept, and what it keeps from now on, apart from the rest. */
const tokensOf = (usage: Usage): TokenCounts => {
  const cachedTokens = usage.cache_read_input_tokens ?? 0
  const cacheWriteTokens = usage.cache_creation_input_tokens ?? 0
  return {
    inputTokens: (usage.input_tokens ?? 0) + cacheWriteTokens + cachedTokens,
    outputTokens: usage.output_tokens ?? 0,
    cachedTokens,
    cacheWriteTokens,
  }
}
