// The voices inside flite that speak at 16 kHz.

/** What brings each of them to about -20 dB of full scale, the level of a good telephone line. */
export const voiceGain = { slt: 0.66, rms: 1, awb: 1.1, kal16: 2.2 } as const

export type FliteVoice = keyof typeof voiceGain

// A clear female voice, the best understood of the four.
const defaultVoice: FliteVoice = 'slt'

export const isFliteVoice = (name: string): name is FliteVoice => Object.hasOwn(voiceGain, name)

/** Names of other vendors' voices mean nothing here. */
export const fliteVoice = (name: string): FliteVoice => (isFliteVoice(name) ? name : defaultVoice)
