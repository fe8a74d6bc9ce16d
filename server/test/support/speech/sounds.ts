// Files of sound to send: tones as WAV made here, every other container by ffmpeg.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { wavHeader } from '../../../src/media/wav.ts'

export function toneWav(seconds: number, rateHz = 16_000): Buffer {
  const samples = Int16Array.from(
    { length: Math.round(seconds * rateHz) },
    (_, at) => 8_000 * Math.sin((2 * Math.PI * 440 * at) / rateHz),
  )
  return Buffer.concat([wavHeader({ rateHz, channels: 1 }, samples.byteLength), Buffer.from(samples.buffer)])
}

/** A file in `folder`, made by ffmpeg from these arguments. */
export async function madeByFfmpeg(folder: string, name: string, ...args: string[]): Promise<string> {
  const path = join(folder, name)
  await promisify(execFile)('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args, path])
  return path
}

const tone = (seconds: number) => ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`]
const picture = (seconds: number) => ['-f', 'lavfi', '-i', `color=size=32x32:rate=5:duration=${seconds}`]

/** What ffmpeg needs to be told for each container. */
export const containers: Record<string, (seconds: number) => string[]> = {
  'tone.mp3': tone,
  'tone.flac': tone,
  'tone.ogg': (seconds) => [...tone(seconds), '-c:a', 'libvorbis'],
  'tone.opus': (seconds) => [...tone(seconds), '-c:a', 'libopus'],
  'tone.m4a': tone,
  'tone.aac': tone,
  'tone.webm': (seconds) => [...tone(seconds), '-c:a', 'libopus'],
  'tone.aiff': tone,
  'tone.au': tone,
  'tone.caf': tone,
  'tone.wma': tone,
  'tone.wv': tone,
  'tone.w64': tone,
  'stereo48.wav': (seconds) => [...tone(seconds), '-ac', '2', '-ar', '48000'],
  'film.mp4': (seconds) => [...tone(seconds), ...picture(seconds), '-shortest'],
  'film.mkv': (seconds) => [...tone(seconds), ...picture(seconds), '-shortest'],
  'film.mov': (seconds) => [...tone(seconds), ...picture(seconds), '-shortest'],
  'film.avi': (seconds) => [...tone(seconds), ...picture(seconds), '-shortest'],
  'film.ts': (seconds) => [...tone(seconds), ...picture(seconds), '-shortest'],
  'film.mpg': (seconds) => [
    ...tone(seconds),
    ...['-f', 'lavfi', '-i', `color=size=32x32:rate=25:duration=${seconds}`, '-shortest'],
  ],
  'film.flv': (seconds) => [...tone(seconds), ...picture(seconds), '-ar', '44100', '-shortest'],
}

export const soundIn = async (folder: string, name: string, seconds = 2): Promise<Buffer> =>
  readFile(await madeByFfmpeg(folder, name, ...(containers[name] ?? tone)(seconds)))
