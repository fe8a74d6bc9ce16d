// Audio files to upload: WAV tones generated here, every other container by ffmpeg.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { deflateSync } from 'node:zlib'
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

/** The ffmpeg arguments for each container. */
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

/** QuickTime's compressed index: `moov` > `cmov` > `dcom` and `cmvd`, which declares the unpacked size. */
export function indexBomb(): Buffer {
  const box = (name: string, ...content: Buffer[]) => {
    const inside = Buffer.concat(content)
    const head = Buffer.alloc(8)
    head.writeUInt32BE(inside.length + 8)
    head.write(name, 4, 'latin1')
    return Buffer.concat([head, inside])
  }
  const unpacksTo = Buffer.alloc(4)
  unpacksTo.writeUInt32BE(0xf000_0000)
  const zeros = deflateSync(Buffer.alloc(64 * 1024 ** 2))
  const packed = box('cmvd', unpacksTo, zeros)
  return Buffer.concat([
    box('ftyp', Buffer.from('qt  \0\0\0\0qt  ', 'latin1')),
    box('moov', box('cmov', box('dcom', Buffer.from('zlib')), packed)),
  ])
}
