// The messages of a conversation, as a realtime model is told them: once, and only what it has not heard or said itself.
import type { ChatMessage } from '../../../ports/language-model.ts'

/** All system messages as one text. */
export const instructionsIn = (messages: readonly ChatMessage[]): string =>
  messages
    .filter(({ role }) => role === 'system')
    .map(({ content }) => content)
    .join('\n\n')

export const withoutInstructions = (messages: readonly ChatMessage[]): readonly ChatMessage[] =>
  messages.filter(({ role }) => role !== 'system')

/**
 * The messages that have come since a model was last asked. The oldest may have fallen out of the conversation, and the
 * same words may be said twice: the place is the one before which the two agree longest.
 */
export function messagesSince(
  known: readonly ChatMessage[],
  messages: readonly ChatMessage[],
): readonly ChatMessage[] {
  for (let end = known.length; end > 0; end--) {
    const place = placeAfter(known.slice(0, end), messages)
    if (place !== undefined) return messages.slice(place)
  }
  return messages
}

function placeAfter(known: readonly ChatMessage[], messages: readonly ChatMessage[]): number | undefined {
  let best = { agreed: 0, place: 0 }
  for (let place = 1; place <= messages.length; place++) {
    const agreed = agreeing(known, messages.slice(0, place))
    if (agreed > best.agreed) best = { agreed, place }
  }
  return best.agreed > 0 ? best.place : undefined
}

/** How many messages at the end of both are the same. */
function agreeing(some: readonly ChatMessage[], others: readonly ChatMessage[]): number {
  let count = 0
  while (count < Math.min(some.length, others.length) && isSame(some.at(-1 - count), others.at(-1 - count)))
    count++
  return count
}

const isSame = (one: ChatMessage | undefined, other: ChatMessage | undefined): boolean =>
  one?.role === other?.role && one?.content === other?.content && one?.toolCallId === other?.toolCallId
