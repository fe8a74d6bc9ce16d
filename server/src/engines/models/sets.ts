// Sets of weights that are fetched together.
import {
  japaneseDictionary,
  type Model,
  minilm,
  moonshine,
  silero,
  whisperBase,
  whisperSmall,
  xvector,
} from './catalogue.ts'
import { kokoroVoices, kokoroWeights, kokoroWorldVoices, pronunciation } from './kokoro.ts'

const small = [silero, moonshine, pronunciation, minilm]
/**
 * The weights of Kokoro, some 330 MB. It shares the pronunciation with wren, whose own weights are part of the
 * repository.
 */
export const kokoro = [...kokoroWeights, kokoroVoices, pronunciation] as const
/** The weights of other languages than English in calls: to speak them, and to understand them. */
export const world = [
  ...kokoroWeights,
  kokoroWorldVoices,
  pronunciation,
  japaneseDictionary,
  whisperBase,
] as const
/** The weights for recordings, beyond the small set: other languages and diarization. */
const recordings = [whisperBase, xvector]

const usual = [...new Set<Model>([...small, ...kokoro, ...world, ...recordings])]

export const modelSets = {
  small,
  kokoro,
  recordings,
  world,
  'whisper-small': [whisperSmall],
  /** A test without its weights is skipped, and such a skip fails a CI run. */
  tests: usual,
  all: usual,
} as const satisfies Record<string, readonly Model[]>
