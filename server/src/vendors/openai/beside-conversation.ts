// What a realtime model of OpenAI is asked for beside its conversation.
import type { ChatMessage } from '../../ports/language-model.ts'
import { instructionsIn, withoutInstructions } from '../over/realtime/messages.ts'

/** To say a text, with nothing before it to answer to. `manner`: how it is said. */
export const sayingExactly = (words: string, manner = '') => ({
  conversation: 'none',
  input: [],
  tool_choice: 'none',
  output_modalities: ['audio'],
  instructions: `${manner}\n\nSay the following word for word, and nothing else: ${words}`.trim(),
})

/** To answer a question in text, which brings all that it is about. */
export const writing = (messages: readonly ChatMessage[]) => ({
  conversation: 'none',
  input: withoutInstructions(messages).map(({ content }) => ({
    type: 'message',
    role: 'user',
    content: [{ type: 'input_text', text: content }],
  })),
  output_modalities: ['text'],
  tool_choice: 'none',
  instructions: instructionsIn(messages),
})
