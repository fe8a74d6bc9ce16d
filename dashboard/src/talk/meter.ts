// The current level, from 0 to 1: for a moving bar, not for measuring.
export interface Meter {
  /** The level between quiet (-60 dB) and loud (-12 dB). */
  level(): number
  listen(sound: MediaStream | AudioNode): void
  rest(): void
}

const quietDb = -60
const loudDb = -12

export function openMeter(): Meter {
  let analyser: AnalyserNode | undefined
  let own: AudioContext | undefined
  let samples = new Float32Array(0)
  const rest = () => {
    analyser?.disconnect()
    analyser = undefined
    void own?.close()
    own = undefined
  }
  return {
    level() {
      if (!analyser) return 0
      analyser.getFloatTimeDomainData(samples)
      const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length
      const db = 10 * Math.log10(power + 1e-10)
      return Math.min(1, Math.max(0, (db - quietDb) / (loudDb - quietDb)))
    },
    listen(sound) {
      rest()
      if (sound instanceof MediaStream) own = new AudioContext()
      const source = sound instanceof MediaStream ? own?.createMediaStreamSource(sound) : sound
      if (!source) return
      analyser = source.context.createAnalyser()
      analyser.fftSize = 512
      samples = new Float32Array(analyser.fftSize)
      source.connect(analyser)
    },
    rest,
  }
}
