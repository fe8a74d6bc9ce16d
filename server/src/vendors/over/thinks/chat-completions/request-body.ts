// Our request as a body for OpenAI's chat completions.
import type { ChatMessage, ModelRequest, ToolDescription } from '../../../../ports/language-model.ts'
import { endingWithUser } from '../messages.ts'
import type { WireOptions } from '../protocol.ts'

/** Where servers that speak this protocol differ. */
export interface Dialect {
  /** Mistral takes ids of its own form only, and a conversation may have been begun by another model. */
  readonly toolId?: (id: string) => string
  /** Servers that refuse a conversation whose last words are the model's own. */
  readonly endsWithUser?: boolean
}

export const completionBody = (
  model: string,
  options: WireOptions,
  { messages, tools }: ModelRequest,
  { toolId = (id) => id, endsWithUser = false }: Dialect = {},
): string =>
  JSON.stringify({
    model,
    messages: (endsWithUser ? endingWithUser(messages) : messages).map((one) => wireMessage(one, toolId)),
    ...(tools.length > 0 && { tools: tools.map(wireTool) }),
    stream: true,
    ...options,
  })

function wireMessage(
  { role, content, toolCalls = [], toolCallId }: ChatMessage,
  toolId: (id: string) => string,
) {
  return {
    role,
    // Some servers refuse an empty text beside tool calls.
    content: content === '' && toolCalls.length > 0 ? null : content,
    ...(toolCalls.length > 0 && {
      tool_calls: toolCalls.map(({ id, name, arguments: args }) => ({
        id: toolId(id),
        type: 'function',
        function: { name, arguments: args },
      })),
    }),
    ...(toolCallId !== undefined && { tool_call_id: toolId(toolCallId) }),
  }
}

const wireTool = ({ name, description, parameters }: ToolDescription) => ({
  type: 'function',
  function: { name, description, parameters },
})
