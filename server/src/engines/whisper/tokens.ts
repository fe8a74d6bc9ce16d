// Whisper's special tokens and its prompt.
import { languageToken } from './languages.ts'

export const whisperEndToken = 50_257
export const whisperStartToken = 50_258
const transcribeToken = 50_359
export const silenceToken = 50_362
const withoutTimesToken = 50_363

export const headWidth = 64

export function promptFor(language: string): number[] {
  const token = languageToken(language)
  if (token === undefined) throw new Error(`whisper does not know the language ${language}`)
  return [whisperStartToken, token, transcribeToken, withoutTimesToken]
}
