// The voices of wren.

/** The gender that an agent can ask for when it names no voice that is known here. */
export type Gender = 'female' | 'male'

export interface WrenVoiceFacts {
  readonly gender: Gender
  /** The row of the style table; the names are those of the teacher's voices. */
  readonly style: string
  /** The gain that brings the voice to -23 LUFS. */
  readonly gain: number
}

export const wrenVoices = {
  heart: { gender: 'female', style: 'af_heart', gain: 0.89 },
  bella: { gender: 'female', style: 'af_bella', gain: 0.86 },
  michael: { gender: 'male', style: 'am_michael', gain: 1.01 },
  fenrir: { gender: 'male', style: 'am_fenrir', gain: 0.57 },
} as const satisfies Record<string, WrenVoiceFacts>

export type WrenVoice = keyof typeof wrenVoices

export const wrenVoiceNames = Object.keys(wrenVoices) as WrenVoice[]

const defaultVoices = { female: 'heart', male: 'michael' } as const satisfies Record<Gender, WrenVoice>

/** Finds a voice by its name or the teacher's: `heart`, `Heart`, `af_heart`. */
export function findWrenVoice(name: string): WrenVoice | undefined {
  const wanted = name.toLowerCase()
  return wrenVoiceNames.find((voice) => voice === wanted || wrenVoices[voice].style === wanted)
}

/** The voice of a name; unknown names, such as other vendors' voices, get the default. */
export const wrenVoice = (name: string, gender: Gender = 'female'): WrenVoice =>
  findWrenVoice(name) ?? defaultVoices[gender]
