// The agent's own sentences that a call finds in kept speech. The greeting is looked up while the telephone rings.
import type { CallPlan, SynthesizerPlan } from '../../ports/call-plan.ts'
import type { OwnValues } from '../../ports/own-options.ts'
import type { CallSpeechCache } from '../../ports/speech-cache.ts'
import type { SynthesizerOptions } from '../../ports/synthesizer.ts'
import type { FindKept } from './cached-voice.ts'
import { cachedSpeechKey, decodeSpeech, type KeptSpeech } from './speech-file.ts'

// Counted from when a sentence is to be said. A vendor answers within half a second: whatever takes longer to be found
// is synthesized.
const usualPatienceMs = 250

/** Cuts a text as the call engine does before it hands it to a synthesizer. */
export type CutClauses = (text: string) => readonly string[]

/** The clauses that a synthesizer is given for these sentences. Fillers are handed over whole. */
export const spokenPieces = (sentences: readonly string[], cut: CutClauses): readonly string[] => [
  ...new Set(sentences.flatMap((sentence) => [...cut(sentence), sentence])),
]

/** The options with which the call engine opens a synthesizer. */
export const voiceOptions = (plan: SynthesizerPlan, own?: OwnValues): Omit<SynthesizerOptions, 'rateHz'> => ({
  ...plan.options,
  own,
  voice: plan.voice ?? '',
  voiceId: plan.voiceId,
  language: plan.language,
  model: plan.model,
})

export interface SpeakingVendor {
  readonly name: string
  readonly baseUrl: string | undefined
  /** What the agent gives of the vendor's own options. */
  readonly own?: OwnValues | undefined
}

export function keptSentencesOf(
  plan: CallPlan,
  vendor: SpeakingVendor,
  cache: CallSpeechCache,
  cut: CutClauses,
  patienceMs = usualPatienceMs,
): FindKept {
  const { agentId, workspaceId, synthesizer, turn } = plan
  const own = new Set(spokenPieces(synthesizer.keptSentences, cut))
  const speeches = new Map<string, Promise<KeptSpeech | undefined>>()
  let hasMissed = false
  const keyOf = (clause: string, options: Omit<SynthesizerOptions, 'rateHz'>) =>
    cachedSpeechKey({ vendor: vendor.name, baseUrl: vendor.baseUrl, options }, clause)

  const lookUp = (keys: readonly string[]): void => {
    const files = cache.find({ workspaceId, keys })
    for (const key of keys)
      speeches.set(
        key,
        files.then((all) => read(all.get(key))),
      )
  }
  const read = (file: Uint8Array | undefined): KeptSpeech | undefined => {
    const speech = file && decodeSpeech(file)
    if (!speech && !hasMissed) {
      hasMissed = true
      cache.warm(agentId)
    }
    return speech
  }

  const opening = [turn.sayings.greeting, turn.consent?.question ?? '']
  const first = spokenPieces(opening, cut).filter((piece) => own.has(piece))
  if (first.length > 0) lookUp(first.map((clause) => keyOf(clause, voiceOptions(synthesizer, vendor.own))))
  return (clause, { rateHz, ...options }) => {
    if (!own.has(clause)) return undefined
    const key = keyOf(clause, options)
    if (!speeches.has(key)) lookUp([key])
    return inTime(speeches.get(key), patienceMs)
  }
}

async function inTime<T>(answer: Promise<T> | undefined, patienceMs: number): Promise<T | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const late = setTimeout(() => resolve(undefined), patienceMs)
  try {
    return await Promise.race([answer, promise])
  } finally {
    clearTimeout(late)
  }
}
