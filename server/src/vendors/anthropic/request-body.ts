// Our request as a body for Anthropic's messages API.
//
//   tools, system, messages     the order in which the vendor keeps a prompt; a mark keeps everything before it
import type { ChatMessage, ModelRequest, ToolCall } from '../../ports/language-model.ts'
import { argumentsOf, joinTurns, splitConversation } from '../over/thinks/messages.ts'
import type { WireOptions } from '../over/thinks/protocol.ts'

interface Block {
  readonly type: string
  readonly [field: string]: unknown
}

// Five minutes from the last use: longer than any pause in a call.
const keep = { cache_control: { type: 'ephemeral' } }

export function anthropicBody(
  model: string,
  options: WireOptions,
  { messages, tools }: ModelRequest,
): string {
  const { system, turns } = splitConversation(messages)
  const joined = joinTurns(turns.map((turn) => ({ role: roleOf(turn), blocks: blocksOf(turn) })))
  return JSON.stringify({
    model,
    ...toolsOf(tools, messages),
    // The instructions and the tools stay the same for a whole call.
    ...(system && { system: [{ type: 'text', text: system, ...keep }] }),
    // The next turn begins with this one.
    messages: joined.map(({ role, blocks }, place) => ({
      role,
      content: place === joined.length - 1 ? kept(blocks) : blocks,
    })),
    stream: true,
    ...options,
  })
}

const kept = (blocks: readonly Block[]): readonly Block[] =>
  blocks.map((block, place) => (place === blocks.length - 1 ? { ...block, ...keep } : block))

/** A conversation with tool calls is refused without tools: a model that must speak is given them, and told not to use them. */
function toolsOf(tools: ModelRequest['tools'], messages: readonly ChatMessage[]) {
  if (tools.length > 0)
    return {
      tools: tools.map(({ name, description, parameters }) => ({
        name,
        description,
        input_schema: { ...parameters, type: 'object' },
      })),
    }
  const called = new Set(messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ name }) => name)))
  if (called.size === 0) return {}
  return {
    tools: [...called].map((name) => ({ name, input_schema: { type: 'object' } })),
    tool_choice: { type: 'none' },
  }
}

/** Results of tools are the user's. */
const roleOf = ({ role }: ChatMessage): 'assistant' | 'user' => (role === 'assistant' ? role : 'user')

function blocksOf({ role, content, toolCalls = [], toolCallId = '' }: ChatMessage): readonly Block[] {
  if (role === 'tool')
    return [{ type: 'tool_result', tool_use_id: toolId(toolCallId), content: content || '(nothing)' }]
  // An empty text is refused, and so is one that ends in space at the end of the model's words.
  const text = content.trimEnd()
  return [...(text ? [{ type: 'text', text }] : []), ...toolCalls.map(useOf)]
}

const useOf = (call: ToolCall): Block => ({
  type: 'tool_use',
  id: toolId(call.id),
  name: call.name,
  input: argumentsOf(call),
})

/** A conversation may have been begun by another vendor's model. */
const toolId = (id: string): string => id.replace(/[^a-zA-Z0-9_-]/g, '_')
