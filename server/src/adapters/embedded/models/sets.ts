// Which weights are fetched together.
import { flite, type Model, minilm, moonshine, silero } from './catalogue.ts'
import { japaneseDictionary } from './japanese.ts'
import { kokoroVoices, kokoroWeights, kokoroWorldVoices, pronunciation } from './kokoro.ts'
import { whisperBase, whisperSmall } from './whisper.ts'
import { xvector } from './xvector.ts'

const small = [silero, moonshine, flite, minilm]
/** The natural voice, some 330 MB. */
export const natural = [...kokoroWeights, kokoroVoices, pronunciation] as const
/** Other languages than English in calls: to speak them, and to understand them. */
export const world = [
  ...kokoroWeights,
  kokoroWorldVoices,
  pronunciation,
  japaneseDictionary,
  whisperBase,
] as const
/** For recordings, beyond the small set: other languages and diarization. */
const recordings = [whisperBase, xvector]

const usual = [...small, ...natural, kokoroWorldVoices, japaneseDictionary, ...recordings]

export const modelSets = {
  small,
  natural,
  recordings,
  world,
  'whisper-small': [whisperSmall],
  /** A test without its weights is skipped, and such a skip fails a CI run. */
  tests: usual,
  all: usual,
} as const satisfies Record<string, readonly Model[]>
