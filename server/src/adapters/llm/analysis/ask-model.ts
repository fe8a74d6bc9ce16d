// The analysis by a language model: asked once, told once what is wrong with its answer, and then believed or not.
import type { Analytics, CallAnalysis } from '@parley/contract'
import { localTime } from '../../../platform/clock/local-time.ts'
import type { EndedCall } from '../../../ports/analysis.ts'
import type { ChatMessage, LanguageModel } from '../../../ports/language-model.ts'
import { messagesFor } from './instructions.ts'
import { readFindings } from './read-findings.ts'

// A summary and a hundred fields; whoever says more has lost the thread.
const mostChars = 60_000

export async function askModel(
  model: LanguageModel,
  { agent, transcript, at }: EndedCall,
  wishes: CallAnalysis,
  signal: AbortSignal,
): Promise<Analytics> {
  const messages = messagesFor(wishes, transcript, localTime(at, agent.timezone).date)
  const first = await answerOf(model, messages, signal)
  const found = readFindings(first, wishes)
  if (typeof found !== 'string') return found
  const told: ChatMessage[] = [
    ...messages,
    { role: 'assistant', content: first.slice(0, mostChars) },
    { role: 'user', content: `${found} Send the whole JSON object again, and nothing else.` },
  ]
  const again = readFindings(await answerOf(model, told, signal), wishes)
  if (typeof again === 'string') throw new Error(`the model's analysis cannot be read: ${again}`)
  return again
}

async function answerOf(
  model: LanguageModel,
  messages: readonly ChatMessage[],
  signal: AbortSignal,
): Promise<string> {
  let text = ''
  for await (const part of model.reply({ messages, tools: [] }, signal)) {
    if (part.type === 'text') text += part.text
    if (text.length > mostChars) break
  }
  signal.throwIfAborted()
  return text
}
