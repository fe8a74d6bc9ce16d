// Our request as a body for OpenAI's chat completions.
import type { ModelOptions } from '../../../ports/call-plan.ts'
import type { ChatMessage, ModelRequest, ToolDescription } from '../../../ports/language-model.ts'

/** Options sent with the messages, by their wire names. */
export interface WireOptions {
  readonly temperature?: number | undefined
  readonly max_tokens?: number | undefined
  readonly max_completion_tokens?: number | undefined
  readonly top_p?: number | undefined
  readonly frequency_penalty?: number | undefined
  readonly presence_penalty?: number | undefined
  readonly stop?: readonly string[] | undefined
  readonly stream_options?: { readonly include_usage: true } | undefined
}

/** Only what is set: a server may refuse a name even without a value. */
export function wireOptions(options: ModelOptions = {}): WireOptions {
  const wire = {
    temperature: options.temperature,
    max_tokens: options.maxTokens,
    top_p: options.topP,
    frequency_penalty: options.frequencyPenalty,
    presence_penalty: options.presencePenalty,
    stop: options.stop,
  }
  return Object.fromEntries(Object.entries(wire).filter(([, value]) => value !== undefined))
}

export const requestBody = (model: string, options: WireOptions, { messages, tools }: ModelRequest): string =>
  JSON.stringify({
    model,
    messages: messages.map(wireMessage),
    ...(tools.length > 0 && { tools: tools.map(wireTool) }),
    stream: true,
    ...options,
  })

/** The options without the one that the server refuses, or undefined when it refuses something else. */
export function without(options: WireOptions, param: string | undefined): WireOptions | undefined {
  if (!param || !(param in options)) return undefined
  const { [param as keyof WireOptions]: refused, ...left } = options
  // OpenAI's newer models take the same limit under another name.
  return param === 'max_tokens' ? { ...left, max_completion_tokens: refused as number } : left
}

function wireMessage({ role, content, toolCalls = [], toolCallId }: ChatMessage) {
  return {
    role,
    // Some servers refuse an empty text beside tool calls.
    content: content === '' && toolCalls.length > 0 ? null : content,
    ...(toolCalls.length > 0 && {
      tool_calls: toolCalls.map(({ id, name, arguments: args }) => ({
        id,
        type: 'function',
        function: { name, arguments: args },
      })),
    }),
    ...(toolCallId !== undefined && { tool_call_id: toolCallId }),
  }
}

const wireTool = ({ name, description, parameters }: ToolDescription) => ({
  type: 'function',
  function: { name, description, parameters },
})
