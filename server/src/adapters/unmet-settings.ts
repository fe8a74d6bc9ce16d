// Which settings of an agent its vendor of speech has nothing like: said once in the notes of a call.
import type { SynthesizerPlan, TranscriberPlan } from '../ports/call-plan.ts'

interface Described {
  readonly label: string
  readonly options: Readonly<Record<string, string | null>>
}

/** Names on the wire, where they differ. */
const wireNames: Readonly<Record<string, string>> = {
  voiceId: 'voice_id',
  similarityBoost: 'similarity_boost',
  audioFormat: 'audio_format',
  bufferSize: 'buffer_size',
  samplingRateHz: 'sampling_rate',
  keyterms: 'keywords',
}

/** What the specification fills in by itself was not asked for, nor what every call has anyway. */
const unasked: Readonly<Record<string, readonly unknown[]>> = {
  stream: [true, false],
  audioFormat: ['pcm', 'wav'],
  bufferSize: [40],
  samplingRateHz: [16_000],
  encoding: ['linear16'],
  task: ['transcribe'],
}

// Our own encoders.
const encodings = ['linear16', 'mulaw', 'alaw']

export function unmetOfSynthesizer(vendor: Described, plan: SynthesizerPlan): string | undefined {
  const { options, voice, voiceId, model, language } = plan
  return sentence(vendor, { ...options, voice, voiceId, model, language })
}

export function unmetOfTranscriber(vendor: Described, plan: TranscriberPlan): string | undefined {
  const { options, keyterms, model, language } = plan
  return sentence(vendor, {
    ...options,
    ...{ model: model || undefined, language, keyterms: keyterms.length > 0 ? keyterms : undefined },
  })
}

function sentence({ label, options }: Described, asked: Readonly<Record<string, unknown>>) {
  const unmet = Object.entries(asked)
    .filter(([name, value]) => {
      if (value === undefined || unasked[name]?.includes(value)) return false
      return options[name] === null || (name === 'encoding' && !encodings.includes(value as string))
    })
    .map(([name]) => wireNames[name] ?? name)
  if (unmet.length === 0) return undefined
  const names = new Intl.ListFormat('en').format(unmet)
  return `${label} has nothing like ${names}; ${unmet.length > 1 ? 'they were' : 'it was'} left aside.`
}
