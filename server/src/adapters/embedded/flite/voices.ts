// The flite voices with a rate of 16 kHz.

/** Normalises each to about -20 dBFS, the level of a good telephone line. */
export const voiceGain = { slt: 0.66, rms: 1, awb: 1.1, kal16: 2.2 } as const

export type FliteVoice = keyof typeof voiceGain

// A clear female voice, the most intelligible of the four.
const defaultVoice: FliteVoice = 'slt'

export const isFliteVoice = (name: string): name is FliteVoice => Object.hasOwn(voiceGain, name)

/** Unknown names, such as other vendors' voices, get the default. */
export const fliteVoice = (name: string): FliteVoice => (isFliteVoice(name) ? name : defaultVoice)
