// The Kokoro voices that are fetched.
import { type KokoroVoice, kokoroVoices } from '../models/kokoro.ts'

// The ones its authors grade best.
const defaultVoices = { female: 'af_heart', male: 'am_michael' } as const satisfies Record<
  'female' | 'male',
  KokoroVoice
>

export const kokoroVoiceNames = Object.keys(kokoroVoices.files) as KokoroVoice[]

/** By its full name or the part after the underscore: `af_bella`, `Bella`. */
export const findKokoroVoice = (name: string): KokoroVoice | undefined =>
  kokoroVoiceNames.find((voice) => [voice, voice.slice(3)].includes(name.toLowerCase()))

/** Unknown names, such as other vendors' voices, get the default. */
export const kokoroVoice = (name: string, gender: 'female' | 'male' = 'female'): KokoroVoice =>
  findKokoroVoice(name) ?? defaultVoices[gender]
