// The Kokoro voices that are fetched.
import { languageCode } from '../language-code.ts'
import { type KokoroVoice, type KokoroWorldVoice, kokoroVoices, kokoroWorldVoices } from '../models/kokoro.ts'
import { kokoroLanguages } from './languages.ts'

export type AnyKokoroVoice = KokoroVoice | KokoroWorldVoice

// The voices that the authors grade best.
const defaultVoices = { female: 'af_heart', male: 'am_michael' } as const satisfies Record<
  'female' | 'male',
  KokoroVoice
>

export const kokoroVoiceNames = Object.keys(kokoroVoices.files) as KokoroVoice[]
const world = Object.keys(kokoroWorldVoices.files) as KokoroWorldVoice[]

export const isWorldVoice = (voice: string): voice is KokoroWorldVoice =>
  (world as readonly string[]).includes(voice)

/** The gender by the second letter of a voice's name: `am_michael`, `bf_emma`. */
export const genderOfKokoro = (voice: AnyKokoroVoice): 'female' | 'male' =>
  voice[1] === 'm' ? 'male' : 'female'

/** Whether a voice has this name, in full or after the underscore: `af_bella`, `Bella`. */
const called = (name: string) => (voice: string) => [voice, voice.slice(3)].includes(name.toLowerCase())

export const findKokoroVoice = (name: string): AnyKokoroVoice | undefined =>
  kokoroVoiceNames.find(called(name)) ?? world.find((voice) => voice === name.toLowerCase())

/** The voice of a name; unknown names, such as other vendors' voices, get the default. */
export const kokoroVoice = (name: string, gender: 'female' | 'male' = 'female'): AnyKokoroVoice =>
  findKokoroVoice(name) ?? defaultVoices[gender]

/**
 * The voice of a language other than English, by one of these names or else of this gender, if there is one; undefined:
 * none is needed.
 */
export function worldVoice(
  language: string | undefined,
  names: readonly string[] = [],
  gender?: 'female' | 'male',
): KokoroWorldVoice | undefined {
  const code = languageCode(language, Object.keys(kokoroLanguages))
  const own = code === undefined ? undefined : kokoroLanguages[code]
  if (!own) return undefined
  const voices = world.filter((voice) => voice.startsWith(own.letter))
  const named = names.flatMap((name) => voices.find(called(name)) ?? [])[0]
  if (named || gender === undefined || genderOfKokoro(own.voice) === gender) return named ?? own.voice
  return voices.find((voice) => genderOfKokoro(voice) === gender) ?? own.voice
}
