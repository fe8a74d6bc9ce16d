// A file for the microphone of a browser or a softphone: sentences, each with silence before and after.
import { writeFile } from 'node:fs/promises'
import type { RateHz } from '../../src/media/frame.ts'
import { wavHeader } from '../../src/media/wav.ts'
import type { TextSynthesizer } from '../../src/ports/synthesizer.ts'
import { joined, said } from '../props/engines/said.ts'

export async function writeSpokenWav(
  path: string,
  voice: TextSynthesizer,
  parts: readonly (string | { readonly silentMs: number })[],
  rateHz: RateHz = 16_000,
  channels: 1 | 2 = 1,
): Promise<void> {
  const pieces = await Promise.all(
    parts.map(async (part) =>
      typeof part === 'string'
        ? joined(await said(voice, part, { voice: 'fenrir', rateHz }))
        : new Int16Array((part.silentMs * rateHz) / 1000),
    ),
  )
  const bytes = pieces
    .map((samples) => (channels === 2 ? inStereo(samples) : samples))
    .map((samples) => Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength))
  const size = bytes.reduce((sum, { length }) => sum + length, 0)
  await writeFile(path, Buffer.concat([wavHeader({ rateHz, channels }, size), ...bytes]))
}

const inStereo = (samples: Int16Array): Int16Array => {
  const both = new Int16Array(2 * samples.length)
  for (const [i, sample] of samples.entries()) both[2 * i] = both[2 * i + 1] = sample
  return both
}

/** Chromium flags for this file as the microphone; it loops from the moment the page opens the microphone. */
export const microphoneFlags = (path: string): string[] => [
  '--use-fake-ui-for-media-stream',
  '--use-fake-device-for-media-stream',
  `--use-file-for-fake-audio-capture=${path}`,
  '--autoplay-policy=no-user-gesture-required',
]
