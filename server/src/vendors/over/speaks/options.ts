// What an agent asks for, as vendors take it.
import type { SynthesizerOptions } from '../../../ports/synthesizer.ts'

/** `usual`: for agents that name none. */
export const voiceOf = <Usual extends string | undefined>(
  { voice, voiceId }: Pick<SynthesizerOptions, 'voice' | 'voiceId'>,
  usual: Usual,
): string | Usual => voiceId || voice || usual

/** The nearest value that a vendor accepts. */
export const within = (least: number, most: number, value: number | undefined): number | undefined =>
  value === undefined ? undefined : Math.min(most, Math.max(least, value))
