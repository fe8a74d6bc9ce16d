// What a call finds of its agent's own sentences in kept speech. The greeting is looked up while the telephone rings.
import type { FindKept } from '../adapters/speech-cache/cached-voice.ts'
import { decodeSpeech, type KeptSpeech } from '../adapters/speech-cache/speech-file.ts'
import { speechKey } from '../adapters/speech-cache/speech-key.ts'
import { ClauseCutter } from '../call/think/clauses.ts'
import type { CallPlan, SynthesizerPlan } from '../ports/call-plan.ts'
import type { CallSpeechCache } from '../ports/speech-cache.ts'
import type { SynthesizerOptions } from '../ports/synthesizer.ts'

// From when a sentence is to be said. A vendor answers within half a second: whatever takes longer to be found is synthesized.
const usualPatienceMs = 250

/** Sentences as the call engine hands them to a synthesizer. Fillers are handed over whole. */
export function clausesOf(sentences: readonly string[]): readonly string[] {
  const cut = sentences.flatMap((sentence) => {
    const cutter = new ClauseCutter()
    return [...cutter.push(sentence), ...cutter.flush(), sentence]
  })
  return [...new Set(cut)]
}

/** As the call engine asks a synthesizer for them. */
export const voiceOptions = (plan: SynthesizerPlan): Omit<SynthesizerOptions, 'rateHz'> => ({
  ...plan.options,
  voice: plan.voice ?? '',
  voiceId: plan.voiceId,
  language: plan.language,
  model: plan.model,
})

export interface SpeakingVendor {
  readonly name: string
  readonly baseUrl: string | undefined
}

export function keptSentencesOf(
  plan: CallPlan,
  vendor: SpeakingVendor,
  cache: CallSpeechCache,
  patienceMs = usualPatienceMs,
): FindKept {
  const { agentId, workspaceId, synthesizer, turn } = plan
  const own = new Set(clausesOf(synthesizer.keptSentences))
  const found = new Map<string, Promise<KeptSpeech | undefined>>()
  let hasMissed = false
  const keyOf = (clause: string, options: Omit<SynthesizerOptions, 'rateHz'>) =>
    speechKey({ vendor: vendor.name, baseUrl: vendor.baseUrl, options }, clause)

  const lookUp = (keys: readonly string[]): void => {
    const files = cache.find({ workspaceId, keys })
    for (const key of keys)
      found.set(
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

  const first = clausesOf([turn.sayings.greeting, turn.consent?.question ?? '']).filter((one) => own.has(one))
  if (first.length > 0) lookUp(first.map((clause) => keyOf(clause, voiceOptions(synthesizer))))
  return (clause, { rateHz, ...options }) => {
    if (!own.has(clause)) return undefined
    const key = keyOf(clause, options)
    if (!found.has(key)) lookUp([key])
    return inTime(found.get(key), patienceMs)
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
