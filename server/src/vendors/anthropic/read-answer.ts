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
import { readVendorMessage } from '../over/wire/passed-over.ts'

const count = () => z.number().nullish()

const Usage = z.object({
  input_tokens: count(),
  cache_creation_input_tokens: count(),
  cache_read_input_tokens: count(),
  output_tokens: count(),
})
type Usage = z.infer<typeof Usage>

const types = [
  ...(['message_start', 'message_delta', 'message_stop', 'ping', 'error'] as const),
  ...(['content_block_start', 'content_block_delta', 'content_block_stop'] as const),
]
/** One shape for all events; which fields there are depends on the type. */
const Event = z.object({
  type: z.enum(types),
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

export class AnthropicReader implements AnswerReader {
  finishReason: FinishReason | undefined
  model: string | undefined
  readonly #calls = new Map<number, OpenCall>()
  #usage: Usage | undefined

  get tokens(): TokenCounts | undefined {
    return this.#usage && tokensOf(this.#usage)
  }

  take(data: string): AnswerEvent {
    const event = readVendorMessage(Event, parsedJson(data))
    if (event.type === 'error') return { type: 'complaint', error: event.error }
    if (event.type === 'message_stop') return { type: 'done' }
    return { type: 'parts', parts: this.#partsOf(event) }
  }

  #partsOf({ type, message, index = 0, content_block: block, delta, usage }: Event): ModelPart[] {
    const call = this.#calls.get(index)
    switch (type) {
      case 'message_start':
        this.model = message?.model
        this.#usage = message?.usage
        return []
      case 'content_block_start':
        if (block?.type === 'tool_use')
          this.#calls.set(index, { id: block.id ?? `call_${index}`, name: block.name ?? '', json: '' })
        return textOf(block?.text)
      case 'content_block_delta':
        if (call) call.json += delta?.partial_json ?? ''
        return textOf(delta?.type === 'text_delta' ? delta.text : undefined)
      case 'content_block_stop':
        this.#calls.delete(index)
        return call
          ? [{ type: 'tool-call', call: { id: call.id, name: call.name, arguments: call.json || '{}' } }]
          : []
      case 'message_delta':
        // What was told before and is not told again stays.
        this.#usage = { ...this.#usage, ...told(usage) }
        if (delta?.stop_reason) this.finishReason = finishReasonOf(delta.stop_reason)
        return []
      default:
        return []
    }
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
