// What vendors demand of the order of messages.
import type { ChatMessage, ToolCall } from '../../../ports/language-model.ts'

// Read by models, never heard by callers.
const callBegins = '(The call begins.)'
const goOn = '(Please go on.)'

/** A model that broke off is asked again after its own words, which some vendors refuse. */
export const endingWithUser = (messages: readonly ChatMessage[]): readonly ChatMessage[] =>
  messages.at(-1)?.role === 'assistant' ? [...messages, { role: 'user', content: goOn }] : messages

/** An agent that greets speaks first, and a conversation that was cut may begin anywhere. */
export const beginningWithUser = (messages: readonly ChatMessage[]): readonly ChatMessage[] =>
  messages[0]?.role === 'user' ? messages : [{ role: 'user', content: callBegins }, ...messages]

export interface SplitConversation {
  /** All system messages as one text. */
  readonly system: string
  /** Begins and ends with something that is not the model's own words. */
  readonly turns: readonly ChatMessage[]
}

/** For vendors that take the instructions apart from the conversation. */
export function splitConversation(messages: readonly ChatMessage[]): SplitConversation {
  const isSystem = ({ role }: ChatMessage) => role === 'system'
  const said = messages.filter((message) => !isSystem(message))
  return {
    system: messages
      .filter(isSystem)
      .map(({ content }) => content)
      .filter(Boolean)
      .join('\n\n'),
    turns: beginningWithUser(endingWithUser(said)),
  }
}

/** The arguments of a call as an object; those that cannot be read are not repeated to the model. */
export function argumentsOf({ arguments: written }: ToolCall): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(written || '{}')
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : {}
  } catch {
    return {}
  }
}

/** Turns of the same side become one, as a list of blocks. */
export function joinTurns<Role, Block>(
  turns: readonly { readonly role: Role; readonly blocks: readonly Block[] }[],
): { role: Role; blocks: Block[] }[] {
  const joined: { role: Role; blocks: Block[] }[] = []
  for (const { role, blocks } of turns) {
    if (blocks.length === 0) continue
    const last = joined.at(-1)
    if (last?.role === role) last.blocks.push(...blocks)
    else joined.push({ role, blocks: [...blocks] })
  }
  return joined
}
