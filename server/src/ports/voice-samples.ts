// The port for choosing a voice: which there are offline, and what they sound like.

export interface VoiceDescription {
  readonly name: string
  /** A primary subtag, as in `en`. */
  readonly language: string
  readonly gender: 'female' | 'male'
  readonly engine: string
  /** The voice of agents that name none. */
  readonly isDefault: boolean
}

export interface VoiceSamples {
  /** Those that can speak without a download. */
  voices(): Promise<readonly VoiceDescription[]>
  /** A WAV file. It is made on the first request, and kept. */
  sampleOf(voice: VoiceDescription): Promise<Uint8Array>
}
