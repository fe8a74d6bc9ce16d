// The options of a transcription request, checked for consistency and against what the engine supports.
import { type Fault, mostSpeakers, type NewTranscript } from '@parley/contract'
import { fail } from '../../http/failure.ts'
import type { TranscriptionEngine, TranscriptionOptions } from '../../ports/transcription.ts'

/** Stored with the transcript, as requested. */
export type Options = Pick<
  NewTranscript,
  | 'language'
  | 'diarize'
  | 'num_speakers'
  | 'min_speakers'
  | 'max_speakers'
  | 'align'
  | 'translate_to'
  | 'keyterms'
>

export function optionsOf(request: NewTranscript): Options {
  const { file_id: _, audio_url: __, callback_url: ___, metadata: ____, ...options } = request
  return options
}

export const transcriptionOptionsOf = ({
  language,
  diarize,
  align,
  keyterms,
  ...speakers
}: Options): TranscriptionOptions => ({
  ...(language != null && { language: primary(language) }),
  ...(diarize && {
    diarize: {
      minSpeakers: speakers.num_speakers ?? speakers.min_speakers ?? 1,
      maxSpeakers: speakers.num_speakers ?? speakers.max_speakers ?? mostSpeakers,
    },
  }),
  align,
  keyterms,
})

/** The language without its region: en of en-US. */
export const primary = (language: string): string => (language.split('-', 1)[0] as string).toLowerCase()

export interface Abilities {
  readonly engine: Pick<TranscriptionEngine, 'refusals'>
  /** Whether a translator is configured. */
  readonly translates: boolean
}

const noTranslator =
  'No language model is configured to translate with; set PARLEY_LLM_PROVIDER and PARLEY_LLM_MODEL.'

export function mustBeServed(options: Options, { engine, translates }: Abilities): void {
  const faults = contradictions(options)
  if (faults.length > 0) fail('VALIDATION_ERROR', { details: faults })
  const refused = engine
    .refusals(transcriptionOptionsOf(options))
    .map(({ option, sentence }): Fault => ({ path: option, message: sentence }))
  if (options.translate_to !== undefined && !translates) {
    refused.push({ path: 'translate_to', message: noTranslator })
  }
  if (refused.length > 0) fail('OPTION_NOT_SERVED', { details: refused })
}

function contradictions(options: Options): Fault[] {
  const { diarize, num_speakers: exact, min_speakers: least, max_speakers: most } = options
  const given = (['num_speakers', 'min_speakers', 'max_speakers'] as const).filter(
    (name) => options[name] !== undefined,
  )
  if (!diarize) {
    return given.map((path) => ({ path, message: 'Is only of use with diarize; set that to true.' }))
  }
  if (exact !== undefined && (least !== undefined || most !== undefined))
    return [{ path: 'num_speakers', message: 'Give either num_speakers or min_speakers and max_speakers.' }]
  if (least !== undefined && most !== undefined && least > most)
    return [{ path: 'min_speakers', message: 'Must not be more than max_speakers.' }]
  return []
}
