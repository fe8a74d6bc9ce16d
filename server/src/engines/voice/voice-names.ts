// Maps the voice that an agent names to an available one.
import { findKokoroVoice, genderOfKokoro, kokoroVoice, worldVoice } from '../kokoro/languages.ts'
import { findWrenVoice, type Gender, wrenVoice, wrenVoiceNames } from '../wren/voices.ts'

export type VoiceEngine = 'wren' | 'kokoro'

export interface AskedVoice {
  readonly voice?: string | undefined
  readonly voiceId?: string | undefined
  readonly language?: string | undefined
}

/** The engine of a voice. Every name belongs to exactly one engine, so a name means the same voice all through a call. */
export const engineOf = (voice: string): VoiceEngine => {
  const isWren = wrenVoiceNames.some((name) => name === voice)
  return !isWren && findKokoroVoice(voice) ? 'kokoro' : 'wren'
}

/** Picks the first name that is known here, else the engine's default voice of the gender that was asked for. */
export function pickVoice(engine: VoiceEngine, asked: AskedVoice): string {
  const names = [asked.voiceId, asked.voice].filter((name) => name !== undefined)
  const gender = names.map(genderOf).find((one) => one !== undefined)
  const foreign = worldVoice(asked.language, names, gender)
  if (foreign) return foreign
  const kokoro = names.map(findKokoroVoice).find((name) => name !== undefined)
  if (engine === 'kokoro') return kokoro ?? kokoroVoice('', gender)
  return names.map(findWrenVoice).find((name) => name !== undefined) ?? wrenVoice('', gender)
}

/** The gender of a name: the name may be a gender itself, or that of a voice that is known here. */
function genderOf(name: string): Gender | undefined {
  const word = name.toLowerCase()
  if (word === 'female' || word === 'male') return word
  const kokoro = findKokoroVoice(word)
  return kokoro && genderOfKokoro(kokoro)
}
