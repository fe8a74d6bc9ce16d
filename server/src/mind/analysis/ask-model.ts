// The analysis by a language model: one request, and a second one with the faults of the answer if it has any.
import { localTime } from '../../platform/clock/local-time.ts'
import type { Analytics, EndedCall } from '../../ports/analysis.ts'
import type { ChatMessage, LanguageModel } from '../../ports/language-model.ts'
import { messagesFor } from './instructions.ts'
import { readFindings } from './read-findings.ts'

// A summary and a hundred fields; a model that writes more is running away.
const mostChars = 60_000
const mostFaults = 20

export async function askModel(
  model: LanguageModel,
  { plan, transcript, at }: EndedCall,
  signal: AbortSignal,
): Promise<Analytics> {
  const messages = messagesFor(plan, transcript, localTime(at, plan.timezone).date)
  const first = await answerOf(model, messages, signal)
  const found = readFindings(first, plan)
  if ('analytics' in found && found.faults.length === 0) return found.analytics
  const told: ChatMessage[] = [
    ...messages,
    { role: 'assistant', content: first.slice(0, mostChars) },
    {
      role: 'user',
      content: `${found.faults.slice(0, mostFaults).join(' ')} Send the whole JSON object again, corrected, and nothing else.`,
    },
  ]
  const again = readFindings(await answerOf(model, told, signal), plan)
  if ('analytics' in again) return again.analytics
  // The valid parts of the first answer are kept.
  if ('analytics' in found) return found.analytics
  throw new Error(`the model's analysis cannot be read: ${again.faults[0]}`)
}

async function answerOf(
  model: LanguageModel,
  messages: readonly ChatMessage[],
  signal: AbortSignal,
): Promise<string> {
  let text = ''
  for await (const part of model.reply({ messages, tools: [], isAside: true }, signal)) {
    if (part.type === 'text') text += part.text
    if (text.length > mostChars) break
  }
  signal.throwIfAborted()
  return text
}
