// Options that the offline engines do not support, refused before anything is loaded.
import type { TranscriptionOptions, TranscriptionRefusal } from '../../ports/transcription.ts'
import { whisperLanguages } from '../whisper/languages.ts'

export function refusals({ language, keyterms }: TranscriptionOptions): TranscriptionRefusal[] {
  const found: TranscriptionRefusal[] = []
  if (language && !whisperLanguages.includes(language))
    found.push({
      option: 'language',
      sentence: `The embedded engine does not know the language "${language}". It knows: ${whisperLanguages.toSorted().join(', ')}.`,
    })
  if (keyterms.length > 0)
    found.push({
      option: 'keyterms',
      sentence:
        'The embedded engine cannot be told which words to expect. Leave keyterms out, or have the operator set PARLEY_STT_PROTOCOL to a vendor that can.',
    })
  return found
}
