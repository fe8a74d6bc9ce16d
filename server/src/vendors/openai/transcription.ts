// What OpenAI is asked for when it writes down what it hears: its newer models take names and words to expect as a list,
// the older ones as a prompt.
import type { TranscriberOptions } from '../../ports/transcriber.ts'
import { languageOf, modelOr, whisperCodes } from '../over/hears/wishes.ts'

type TranscriptionWishes = Pick<TranscriberOptions, 'model' | 'language' | 'keyterms'>

// The successor of those that end on 2027-02-26 for sound that is still coming in.
const usualModel = 'gpt-live-transcribe'

export const transcriptionModelOf = (wishes: Pick<TranscriptionWishes, 'model'>): string =>
  modelOr(usualModel, wishes)

export function transcriptionOf({ model, language, keyterms = [] }: TranscriptionWishes) {
  const asked = transcriptionModelOf({ model })
  const code = languageOf({ language }, whisperCodes)
  if (takesKeywords(asked))
    return {
      model: asked,
      ...(code && { languages: [code] }),
      ...(keyterms.length > 0 && { keywords: keyterms }),
    }
  // It waits before it writes: the caller waits with it, so little.
  if (!takesNames(asked)) return { model: asked, language: code, delay: 'low' }
  return {
    model: asked,
    language: code,
    ...(keyterms.length > 0 && { prompt: `Expect: ${keyterms.join(', ')}` }),
  }
}

/** Whether a model can be told them in a list. */
export const takesKeywords = (model: string): boolean => /^gpt-(?:live-)?transcribe(?:-|$)/.test(model)

/** Whether a model can be told names and words to expect. */
export const takesNames = (model: string): boolean => !/^gpt-realtime-whisper(?:-|$)/.test(model)

/** Whether a model has a turn detection of its own: those that write while they hear do not. */
export const hearsTurns = (model: string): boolean =>
  !/^gpt-(?:realtime-whisper|live-transcribe)(?:-|$)/.test(transcriptionModelOf({ model }))
