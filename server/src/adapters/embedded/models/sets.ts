// Which weights are fetched together.
import { flite, type Model, minilm, moonshine, silero } from './catalogue.ts'
import { kokoroVoices, kokoroWeights, pronunciation } from './kokoro.ts'

const small = [silero, moonshine, flite, minilm]
/** The natural voice, some 330 MB. */
export const natural = [...kokoroWeights, kokoroVoices, pronunciation] as const

export const modelSets = { small, natural, all: [...small, ...natural] } as const satisfies Record<
  string,
  readonly Model[]
>
