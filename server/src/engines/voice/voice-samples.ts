// The offline voices with a sentence by each, spoken on the first request and kept in memory.
import { wavHeader } from '../../media/wav.ts'
import type { TextSynthesizer } from '../../ports/synthesizer.ts'
import type { VoiceDescription, VoiceSamples } from '../../ports/voice-samples.ts'
import { kokoroSynthesizer } from '../kokoro/kokoro.ts'
import { wrenSynthesizer } from '../wren/wren.ts'
import { listVoices, sampleText } from './voice-list.ts'
import { pickVoice, type VoiceEngine } from './voice-names.ts'

export interface VoiceSampleOptions {
  readonly modelsFolder: string
  readonly engine: VoiceEngine
}

export interface OpenVoiceSamples extends VoiceSamples {
  /** Any text, as a WAV file. */
  say(text: string, voice: VoiceDescription): Promise<Uint8Array>
  close(): Promise<void>
}

const rateHz = 24_000
// Somebody who compares voices plays them one after the other.
const idleMs = 60_000

export function openVoiceSamples({ modelsFolder: folder, engine }: VoiceSampleOptions): OpenVoiceSamples {
  const synthesizers = {
    wren: wrenSynthesizer({ folder, idleMs }),
    kokoro: kokoroSynthesizer({ folder, idleMs }),
  }
  const samples = new Map<string, Promise<Uint8Array>>()
  const say = (text: string, { name, engine: by }: VoiceDescription) =>
    wavOf(synthesizers[by as VoiceEngine], text, name)

  return {
    async voices() {
      const usual = pickVoice(engine, {})
      const known = await listVoices(folder, engine)
      return known.map((voice) => ({ ...voice, isDefault: voice.name === usual }))
    },
    sampleOf(voice) {
      const known = samples.get(voice.name)
      if (known) return known
      const made = say(sampleText(voice), voice)
      samples.set(voice.name, made)
      // The next request tries again.
      made.catch(() => samples.delete(voice.name))
      return made
    },
    say,
    async close() {
      await Promise.all(Object.values(synthesizers).map((synthesizer) => synthesizer.close()))
    },
  }
}

/** What a synthesizer says, as a WAV file at 24 kHz. */
async function wavOf(synthesizer: TextSynthesizer, text: string, voice: string): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const { samples } of synthesizer.synthesize(
    text,
    { voice, rateHz },
    new AbortController().signal,
  ))
    parts.push(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength))
  const bytes = parts.reduce((sum, { length }) => sum + length, 0)
  return Buffer.concat([wavHeader({ rateHz, channels: 1 }, bytes), ...parts])
}
