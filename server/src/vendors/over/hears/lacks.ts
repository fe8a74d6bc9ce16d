// What an agent may ask of a transcriber that has something like it and not this: another rate, encoding or task.
import { rates as allRates } from '../../../media/frame.ts'
import type { TranscriberOptions } from '../../../ports/transcriber.ts'
import type { AskedOptions, TranscriberOptionName } from '../../../ports/vendor.ts'
import type { SoundTaken } from './sound.ts'

export interface Taken extends Omit<SoundTaken, 'chunkMs'> {
  /** Undefined: `transcribe` only. */
  readonly tasks?: readonly string[] | undefined
}

/** By the rates and encodings that the shared halves go by. */
export const lacksOf =
  ({ rates = allRates, encodings = ['linear16'], tasks = ['transcribe'] }: Taken) =>
  (asked: AskedOptions<TranscriberOptions>): readonly TranscriberOptionName[] => {
    const lacks = <Value>(name: TranscriberOptionName, value: Value | undefined, known: readonly Value[]) =>
      value === undefined || known.includes(value) ? [] : [name]
    return [
      ...lacks<number>('samplingRateHz', asked.samplingRateHz, rates),
      ...lacks<string>('encoding', asked.encoding, encodings),
      ...lacks('task', asked.task, tasks),
    ]
  }

/** For vendors that translate to English as well. */
export const translatesToo = ['transcribe', 'translate'] as const
