// The analysis by a language model: one request, and one retry with the reason if the answer is invalid.
import { localTime } from '../../../platform/clock/local-time.ts'
import type { Analytics, EndedCall } from '../../../ports/analysis.ts'
import type { ChatMessage, LanguageModel } from '../../../ports/language-model.ts'
import { messagesFor } from './instructions.ts'
import { readFindings } from './read-findings.ts'

// A summary and a hundred fields; a model that writes more is running away.
const mostChars = 60_000

export async function askModel(
  model: LanguageModel,
  { plan, transcript, at }: EndedCall,
  signal: AbortSignal,
): Promise<Analytics> {
  const messages = messagesFor(plan, transcript, localTime(at, plan.timezone).date)
  const first = await answerOf(model, messages, signal)
  const found = readFindings(first, plan)
  if (typeof found !== 'string') return found
  const told: ChatMessage[] = [
    ...messages,
    { role: 'assistant', content: first.slice(0, mostChars) },
    { role: 'user', content: `${found} Send the whole JSON object again, and nothing else.` },
  ]
  const again = readFindings(await answerOf(model, told, signal), plan)
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
