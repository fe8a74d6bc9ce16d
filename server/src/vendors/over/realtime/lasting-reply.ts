// A reply that outlives an answer of the model: one that breaks off is asked for again, and goes on where it stopped.
import type { ModelPart, ModelRequest } from '../../../ports/language-model.ts'
import type { RealtimeAnswer } from './answer.ts'
import { wholeWordsOf } from './whole-words.ts'

export interface AskedAgain {
  /** `said`: what the caller gets to hear of answers to the same request that broke off. */
  ask(request: ModelRequest, said: string): RealtimeAnswer
  cancel(answer: RealtimeAnswer): void
  /** Whether it makes sense to ask again. */
  recover(error: unknown): boolean
}

// A caller waits four seconds for each, and the call thirteen before it gives up.
const mostAnswers = 2

export async function* lastingReply(
  model: AskedAgain,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelPart> {
  let said = ''
  for (let answers = 1; ; answers++) {
    const answer = model.ask(request, said)
    const stop = () => model.cancel(answer)
    signal.addEventListener('abort', stop, { once: true })
    try {
      yield* inWholeWords(answer, signal)
      return
    } catch (error) {
      if (signal.aborted) return
      const before = said
      said = `${said} ${answer.transcript}`.trim()
      if (!model.recover(error) || answers === mostAnswers) throw error
      // What follows is another sentence, whose sound is another answer's.
      if (said !== before) yield { type: 'text', text: '\n' }
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }
}

/** The answer without a word that may break off. What it costs is reported even after it was discarded. */
async function* inWholeWords(answer: RealtimeAnswer, signal: AbortSignal): AsyncGenerator<ModelPart> {
  let sent = 0
  const next = (text: string): readonly ModelPart[] => {
    const fresh = text.slice(sent)
    sent = Math.max(sent, text.length)
    return fresh && !signal.aborted ? [{ type: 'text', text: fresh }] : []
  }
  let text = ''
  try {
    for await (const part of answer.parts) {
      if (part.type === 'text') {
        text += part.text
        yield* next(wholeWordsOf(text))
      } else {
        yield* next(text)
        if (part.type === 'usage' || !signal.aborted) yield part
      }
    }
  } catch (error) {
    yield* next(answer.transcript)
    throw error
  }
  yield* next(text)
}
