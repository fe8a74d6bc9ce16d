// The settings of an agent that its vendor of speech lacks or does not take as they are: noted once in a call.
import type { SynthesizerPlan, TranscriberPlan } from '../ports/call-plan.ts'
import type { SynthesizerOptions } from '../ports/synthesizer.ts'
import type { TranscriberAbilities, TranscriberOptions } from '../ports/transcriber.ts'
import type { AskedOptions } from '../ports/vendor.ts'
import { leftOutKeyterms } from '../vendors/over/hears/keyterms.ts'

interface EngineDescription<Options> {
  readonly label: string
  readonly options: Readonly<Record<string, string | null>>
  readonly lacks?: ((asked: AskedOptions<Options>) => readonly string[]) | undefined
}

/** The wire's names of the settings, where they differ from ours. */
const wireNames: Readonly<Record<string, string>> = {
  voiceId: 'voice_id',
  similarityBoost: 'similarity_boost',
  audioFormat: 'audio_format',
  bufferSize: 'buffer_size',
  samplingRateHz: 'sampling_rate',
  keyterms: 'keywords',
  turnDetection: 'turn_detection',
}

/** Values that nobody asked for: the defaults of the specification, and what every call has. */
const unasked: Readonly<Record<string, readonly unknown[]>> = {
  stream: [false],
  audioFormat: ['pcm', 'wav'],
  bufferSize: [40],
  samplingRateHz: [16_000],
  encoding: ['linear16'],
  task: ['transcribe'],
  turnDetection: ['call'],
}

export function unmetOfSynthesizer(
  vendor: EngineDescription<SynthesizerOptions>,
  plan: Omit<SynthesizerPlan, 'providerConfig'>,
): string | undefined {
  const { options, voice, voiceId, model, language } = plan
  // A word with a respelling is said by the respelling.
  const inSounds = options.pronunciations?.filter(({ spokenAs }) => spokenAs === undefined) ?? []
  const pronunciations = inSounds.length > 0 ? inSounds : undefined
  return sentence(vendor, { ...options, voice, voiceId, model, language, pronunciations })
}

interface TranscriberDescription extends EngineDescription<TranscriberOptions> {
  readonly abilities: Pick<TranscriberAbilities, 'keyterms'>
}

export function unmetOfTranscriber(
  vendor: TranscriberDescription,
  plan: Omit<TranscriberPlan, 'providerConfig'>,
): string | undefined {
  const { options, keyterms, model, language } = plan
  const wishes = {
    ...options,
    model: model || undefined,
    language,
    keyterms: keyterms.length > 0 ? keyterms : undefined,
  }
  const sentences = [sentence(vendor, wishes), leftOutKeyterms(vendor.label, vendor.abilities, keyterms)]
  return sentences.filter(Boolean).join(' ') || undefined
}

function sentence<Options>(
  { label, options, lacks }: EngineDescription<Options>,
  wishes: AskedOptions<Options>,
): string | undefined {
  const lacking = lacks?.(wishes) ?? []
  const asked = Object.entries(wishes).flatMap(([name, value]) =>
    value === undefined || unasked[name]?.includes(value) ? [] : [name],
  )
  const unknown = asked.filter((name) => options[name] === null)
  const other = asked.filter((name) => options[name] !== null && lacking.includes(name))
  const sentences = [
    ...(unknown.length > 0
      ? [`${label} has nothing like ${listed(unknown)}; ${were(unknown)} left aside.`]
      : []),
    ...(other.length > 0
      ? [`${label} does not take ${listed(other)} as asked; what comes nearest is used.`]
      : []),
  ]
  return sentences.join(' ') || undefined
}

const listed = (names: readonly string[]): string =>
  new Intl.ListFormat('en').format(names.map((name) => wireNames[name] ?? name))

const were = ({ length }: readonly string[]): string => (length > 1 ? 'they were' : 'it was')
