// Replaces personal data in texts and in JSON by what kind of data it was.
import { type FoundPersonalData, findPersonalData, type SearchContext } from './find-personal-data.ts'
import { type PersonalDataKind, placeholders } from './kinds.ts'

/** In the order of the text, none overlapping. */
export function replaceFound(text: string, found: readonly FoundPersonalData[]): string {
  let masked = ''
  let at = 0
  for (const { kind, start, end } of found) {
    masked += text.slice(at, start) + placeholders[kind]
    at = end
  }
  return masked + text.slice(at)
}

export const maskText = (
  text: string,
  kinds: readonly PersonalDataKind[],
  surroundings?: SearchContext,
): string => replaceFound(text, findPersonalData(text, kinds, surroundings))

/** Masks every string and every number in a value; keys stay, and so does what is no longer than a year. */
export function maskValue(value: unknown, kinds: readonly PersonalDataKind[], asked = ''): unknown {
  if (typeof value === 'string') return maskText(value, kinds, { asked })
  if (typeof value === 'number') {
    const text = String(value)
    const masked = maskText(text, kinds, { asked })
    return masked === text ? value : masked
  }
  if (Array.isArray(value)) return value.map((one) => maskValue(one, kinds, asked))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    // The name of a field says what is in it, as a question does.
    Object.entries(value).map(([key, one]) => [key, maskValue(one, kinds, key.replaceAll('_', ' '))]),
  )
}
