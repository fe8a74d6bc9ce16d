// Decodes audio files of unknown origin with ffmpeg; the demuxer is forced to the one that the content calls for.
import { open } from 'node:fs/promises'
import { z } from 'zod'
import type { DecodeResult, SoundDecoder, SoundFacts, SoundRefusal } from '../../ports/sound-decoder.ts'
import { findProgram, type ProcessEnd, runConfined } from './confined.ts'
import { decodePlainWav, inspectPlainWav, wavCutOff } from './plain-wav.ts'
import { type Container, type FileFacts, type FileProbe, refuse, sniff, sniffedBytes } from './sniff.ts'

export interface DecoderOptions {
  /** The folder of ffmpeg and ffprobe, if not one of the usual places. */
  readonly folder?: string | undefined
  readonly maxSeconds: number
}

/** The size of a second at 16 kHz, 16 bit, mono. */
const bytesPerSecond = 32_000
// Probing a file takes about 100 ms.
const looking = { wallSeconds: 20, cpuSeconds: 10 }
// Ten hours of audio in any format decode in a few minutes on a slow core.
const decoding = { wallSeconds: 1_800, cpuSeconds: 1_200 }
const mostFactsBytes = 65_536

const noProgram = (mediaType: string) =>
  `ffmpeg is not installed here, so only plain WAV can be read, and this is ${mediaType}; install the package ffmpeg on the server.`

export function openDecoder({ folder, maxSeconds }: DecoderOptions): SoundDecoder {
  const hours = maxSeconds / 3600
  const tooLong = `The recording is longer than ${hours} ${hours === 1 ? 'hour' : 'hours'} (PARLEY_SPEECH_MAX_HOURS).`

  const look = async (file: string, signal: AbortSignal): Promise<FileFacts | SoundRefusal> => {
    const sniffed = await sniffFile(file)
    if (!sniffed.ok) return sniffed
    const program = await findProgram('ffprobe', folder)
    if (!program) {
      if (sniffed.demuxer !== 'wav') return refuse(noProgram(sniffed.mediaType))
      return inspectPlainWav(file, sniffed)
    }
    const looked = await probe(program, file, sniffed, signal)
    return looked.ok && (looked.durationSeconds ?? 0) > maxSeconds ? refuse(tooLong) : looked
  }

  const listen = async (file: string, pcmFile: string, looked: FileFacts, signal: AbortSignal) => {
    const program = await findProgram('ffmpeg', folder)
    if (!program) return decodePlainWav(file, pcmFile)
    const output = await open(pcmFile, 'w', 0o600)
    let bytes = 0
    const take = async (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > maxSeconds * bytesPerSecond) return false
      await output.write(chunk)
      return true
    }
    try {
      const ending = await runConfined(program, decodeArgs(file, looked.demuxer), decoding, take, signal)
      if (ending.of === 'enough') return refuse(tooLong)
      const seconds = Math.floor(bytes / 2) / 16_000
      return (
        endedBadly(ending, bytes > 0, file) ??
        cutOff(looked, seconds, complaintOf(ending)) ?? { ok: true as const, durationSeconds: seconds }
      )
    } finally {
      await output.close()
    }
  }

  return {
    async inspect(file, signal): Promise<SoundFacts> {
      const looked = await look(file, signal)
      if (!looked.ok) return looked
      return { ok: true, mediaType: looked.mediaType, durationSeconds: looked.durationSeconds }
    },

    async decode(file, pcmFile, signal): Promise<DecodeResult> {
      const looked = await look(file, signal)
      if (!looked.ok) return looked
      const decoded = await listen(file, pcmFile, looked, signal)
      if (!decoded.ok || decoded.durationSeconds > 0) return decoded
      return refuse('The file holds no sound: its length is zero.')
    },
  }
}

async function sniffFile(file: string): Promise<FileProbe> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(sniffedBytes), 0, sniffedBytes, 0)
    const head = buffer.subarray(0, bytesRead)
    const sniffed = sniff(head)
    if (!sniffed.ok) return sniffed
    const { size } = await handle.stat()
    if (sniffed.demuxer === 'wav') return wavCutOff(head, size) ?? sniffed
    if (sniffed.demuxer !== 'ogg') return sniffed
    const tail = await handle.read(
      Buffer.alloc(longestOggPage),
      0,
      longestOggPage,
      Math.max(0, size - longestOggPage),
    )
    return oggCutOff(tail.buffer.subarray(0, tail.bytesRead)) ?? sniffed
  } finally {
    await handle.close()
  }
}

// The arguments that open one local file with the detected demuxer and no other.
const inputArgs = (file: string, demuxer: string, level: 'warning' | 'error') => [
  ...['-hide_banner', '-v', level, '-protocol_whitelist', 'file', '-format_whitelist', demuxer],
  ...['-f', demuxer, '-i', `file:${file}`],
]

const decodeArgs = (file: string, demuxer: string) => [
  ...['-nostdin', '-threads', '1'],
  ...inputArgs(file, demuxer, 'error'),
  ...['-map', '0:a:0', '-vn', '-sn', '-dn', '-map_metadata', '-1', '-filter_threads', '1'],
  ...['-ac', '1', '-ar', '16000', '-f', 's16le', 'pipe:1'],
]

const Facts = z.object({
  streams: z
    .array(z.object({ codec_type: z.string().optional(), duration: z.coerce.number().optional() }))
    .default([]),
  format: z.object({ duration: z.coerce.number().optional() }).default({}),
})

async function probe(
  program: string,
  file: string,
  { demuxer, mediaType }: Container,
  signal: AbortSignal,
): Promise<FileFacts | SoundRefusal> {
  let text = ''
  const entries = ['-show_entries', 'format=duration:stream=codec_type,duration', '-of', 'json']
  const ending = await runConfined(
    program,
    [...inputArgs(file, demuxer, 'warning'), ...entries],
    looking,
    (chunk) => {
      text += chunk
      return text.length <= mostFactsBytes
    },
    signal,
  )
  const bad = endedBadly(ending, false, file)
  if (bad) return bad
  const { streams, format } = Facts.parse(JSON.parse(text))
  const sound = streams.find(({ codec_type }) => codec_type === 'audio')
  if (!sound) return refuse('The file has no sound: there is no audio track in it.')
  const seconds = sound.duration ?? format.duration
  const isVideo = streams.some(({ codec_type }) => codec_type === 'video')
  return {
    ok: true,
    demuxer,
    mediaType: isVideo ? mediaType : mediaType.replace(/^video/, 'audio'),
    durationSeconds: seconds ?? null,
    statedSeconds: statedSeconds(demuxer, seconds, complaintOf(ending)),
  }
}

const complaintOf = (ending: ProcessEnd): string => (ending.of === 'exit' ? ending.complaint : '')

/** The refusal after a bad end: a partial result is still useful, but without any output the file is refused. */
function endedBadly(ending: ProcessEnd, useful: boolean, file: string): SoundRefusal | undefined {
  if (ending.of === 'timeout') return refuse('Reading the file took too long; it was given up.')
  if (ending.of === 'enough') return refuse('The file describes more tracks than any recording has.')
  if (ending.code === 0 || (useful && ending.code !== null)) return undefined
  if (ending.code === null)
    return refuse('Reading the file took more time or memory than any recording needs.')
  const words = ending.complaint.replaceAll(`file:${file}`, 'the file').replaceAll(file, 'the file')
  const last = words
    .trim()
    .split('\n')
    .at(-1)
    ?.replace(/^\[[^\]]*\]\s*/, '')
    .slice(0, 200)
  return refuse(`The file is damaged, cut off or not a recording${last ? ` (${last})` : ''}.`)
}

// Truncated files are detected here: ffmpeg decodes whatever is there without complaint. These formats state the
// length of the audio in their headers; in the others the duration is an estimate, or the video's.
const counting = new Set(['wav', 'w64', 'flac', 'mov', 'mp3', 'aiff', 'au', 'caf', 'wv', 'ape', 'tta'])

/** ffprobe logs this for an MP3 without such a header. */
const guessed = /Estimating duration from bitrate/

/** ffmpeg logs this for Matroska, which states the size of all its elements. */
const endedEarly = /ended prematurely/

/** The duration that the file itself states; null if it states none. */
const statedSeconds = (demuxer: string, seconds: number | undefined, complaint: string) =>
  seconds !== undefined && counting.has(demuxer) && !guessed.test(complaint) ? seconds : null

function cutOff(
  { demuxer, statedSeconds: stated, durationSeconds }: FileFacts,
  heardSeconds: number,
  complaint: string,
): SoundRefusal | undefined {
  const says = demuxer === 'matroska' && endedEarly.test(complaint) ? durationSeconds : stated
  // A difference of 5 % plus one second is tolerated: players round and editors trim.
  if (says === null || heardSeconds >= says * 0.95 - 1) return undefined
  return refuse(
    `The file is cut off: it says ${says.toFixed(1)} seconds and holds ${heardSeconds.toFixed(1)}.`,
  )
}

// 27 bytes of header, 255 lacing values, and the most content those can describe.
const longestOggPage = 27 + 255 + 255 * 255

/**
 * Ogg states no total length, but each page states its size, so the last page must be complete.
 *   OggS | 22 bytes | n | n lacing values | content
 */
function oggCutOff(tail: Buffer): SoundRefusal | undefined {
  const page = tail.subarray(Math.max(0, tail.lastIndexOf('OggS', undefined, 'latin1')))
  const sizes = page.subarray(27, 27 + (page[26] ?? 0))
  const pageBytes = 27 + (page[26] ?? 0) + sizes.reduce((sum, size) => sum + size, 0)
  if (page.length >= pageBytes) return undefined
  return refuse('The file is cut off: its last page is not whole.')
}
