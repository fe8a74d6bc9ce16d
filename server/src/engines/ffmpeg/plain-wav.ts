// Plain WAV without ffmpeg: read whole, mixed down to mono, resampled to 16 kHz.
import { readFile, stat, writeFile } from 'node:fs/promises'
import { type RateHz, rates, samplesPerFrame } from '../../media/frame.ts'
import { Resampler } from '../../media/resample.ts'
import { unknownSize } from '../../media/wav.ts'
import { parseWav, type Wav, WavError } from '../../media/wav-parse.ts'
import type { DecodeResult, SoundRefusal } from '../../ports/sound-decoder.ts'
import { type Container, type FileFacts, refuse } from './sniff.ts'

const wantedHz = 16_000
// The file is read into memory, so it is bounded.
const mostBytes = 256 * 1024 ** 2

/** The refusal of a truncated WAV: ffmpeg decodes it without complaint, but its header states how long it should be. */
export function wavCutOff(head: Buffer, fileBytes: number): SoundRefusal | undefined {
  let bytesPerSecond = 0
  for (let at = 12; at + 8 <= head.length; ) {
    const name = head.toString('latin1', at, at + 4)
    const size = head.readUInt32LE(at + 4)
    if (name === 'fmt ' && at + 20 <= head.length) bytesPerSecond = head.readUInt32LE(at + 16)
    if (name === 'data') {
      const there = fileBytes - at - 8
      // With 0 or 0xffffffff the writer did not know the size yet.
      const known = size !== 0 && size !== unknownSize && bytesPerSecond > 0
      if (!known || there >= size * 0.95 - bytesPerSecond) return undefined
      const [says, holds] = [size, there].map((bytes) => (bytes / bytesPerSecond).toFixed(1))
      return refuse(`The file is cut off: it says ${says} seconds and holds ${holds}.`)
    }
    at += 8 + size + (size % 2)
  }
  return undefined
}

export async function inspectPlainWav(
  file: string,
  { demuxer, mediaType }: Container,
): Promise<FileFacts | SoundRefusal> {
  const wav = await readWav(file)
  if ('ok' in wav) return wav
  const durationSeconds = (wav.channels[0]?.length ?? 0) / wav.rateHz
  return { ok: true, demuxer, mediaType, durationSeconds, statedSeconds: durationSeconds }
}

export async function decodePlainWav(file: string, pcmFile: string): Promise<DecodeResult> {
  const wav = await readWav(file)
  if ('ok' in wav) return wav
  const samples = resampled(mixed(wav.channels), wav.rateHz as RateHz)
  await writeFile(pcmFile, Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength), {
    mode: 0o600,
  })
  return { ok: true, durationSeconds: samples.length / wantedHz }
}

async function readWav(file: string): Promise<Wav | SoundRefusal> {
  if ((await stat(file)).size > mostBytes)
    return refuse(
      'Without ffmpeg on the server, WAV files of up to 256 MB can be read; install the package ffmpeg.',
    )
  try {
    const wav = parseWav(await readFile(file))
    if ((rates as readonly number[]).includes(wav.rateHz)) return wav
    return refuse(
      `Without ffmpeg on the server, WAV at ${rates.join(', ')} Hz can be read, and this has ${wav.rateHz}; install the package ffmpeg.`,
    )
  } catch (error) {
    if (error instanceof WavError) return refuse(error.message)
    throw error
  }
}

function mixed([left = new Int16Array(), right]: readonly Int16Array[]): Int16Array {
  if (!right) return left
  return Int16Array.from(left, (sample, i) => (sample + (right[i] as number)) >> 1)
}

/** Resamples and compensates for the filter's delay: cuts it from the front and flushes the filter with silence. */
function resampled(samples: Int16Array, rateHz: RateHz): Int16Array {
  if (rateHz === wantedHz) return samples
  const resampler = new Resampler(rateHz, wantedHz)
  const [inStep, outStep] = [samplesPerFrame(rateHz), samplesPerFrame(wantedHz)]
  const late = Math.round((resampler.delayMs * wantedHz) / 1000)
  const wanted = Math.round((samples.length * wantedHz) / rateHz)
  const frames = Math.ceil((wanted + late) / outStep)
  const output = new Int16Array(frames * outStep)
  const frame = new Int16Array(inStep)
  for (let n = 0; n < frames; n++) {
    frame.fill(0)
    frame.set(samples.subarray(n * inStep, (n + 1) * inStep))
    resampler.run(frame, output.subarray(n * outStep, (n + 1) * outStep))
  }
  return output.subarray(late, late + wanted)
}
