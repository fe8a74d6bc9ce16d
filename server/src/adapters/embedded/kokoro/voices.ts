// The Kokoro voices that are fetched.
import { type KokoroVoice, kokoroVoices } from '../models/kokoro.ts'

// The one its authors grade best.
const defaultVoice: KokoroVoice = 'af_heart'

const names = Object.keys(kokoroVoices.files) as KokoroVoice[]

/** By its full name or the part after the underscore: `af_bella`, `Bella`. */
export const findKokoroVoice = (name: string): KokoroVoice | undefined =>
  names.find((voice) => [voice, voice.slice(3)].includes(name.toLowerCase()))

/** Unknown names, such as other vendors' voices, get the default. */
export const kokoroVoice = (name: string): KokoroVoice => findKokoroVoice(name) ?? defaultVoice
