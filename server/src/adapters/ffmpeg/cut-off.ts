// Whether a file is only the beginning of a recording: ffmpeg takes what there is without a word.
import type { SoundRefusal } from '../../ports/sound-decoder.ts'
import type { Looked } from './sniff.ts'

// Their headers count the samples of the sound. Of the others the length is a guess, or the film's.
const counting = new Set(['wav', 'w64', 'flac', 'mov', 'mp3', 'aiff', 'au', 'caf', 'wv', 'ape', 'tta'])

/** What ffprobe says of an MP3 that has no such header. */
const guessed = /Estimating duration from bitrate/

/** What ffmpeg says of Matroska, which knows the size of everything that it holds. */
const endedEarly = /ended prematurely/

/** How long the file itself says that its sound is; null: it does not. */
export const statedSeconds = (demuxer: string, seconds: number | undefined, complaint: string) =>
  seconds !== undefined && counting.has(demuxer) && !guessed.test(complaint) ? seconds : null

export function cutOff(
  { demuxer, statedSeconds: stated, durationSeconds }: Looked,
  heardSeconds: number,
  complaint: string,
): SoundRefusal | undefined {
  const says = demuxer === 'matroska' && endedEarly.test(complaint) ? durationSeconds : stated
  // A second and a twentieth: players round, and editors trim.
  if (says === null || heardSeconds >= says * 0.95 - 1) return undefined
  return {
    ok: false,
    reason: `The file is cut off: it says ${says.toFixed(1)} seconds and holds ${heardSeconds.toFixed(1)}.`,
  }
}

// 27 bytes, up to 255 sizes, and as many bytes as each of them can say.
export const longestOggPage = 27 + 255 + 255 * 255

/**
 * Ogg says nowhere how long it is, but a page says its own size: the last one has to be whole.
 *   OggS | 22 bytes | n | n sizes | content
 */
export function oggCutOff(tail: Buffer): SoundRefusal | undefined {
  const page = tail.subarray(Math.max(0, tail.lastIndexOf('OggS', undefined, 'latin1')))
  const sizes = page.subarray(27, 27 + (page[26] ?? 0))
  const pageBytes = 27 + (page[26] ?? 0) + sizes.reduce((sum, size) => sum + size, 0)
  if (page.length >= pageBytes) return undefined
  return { ok: false, reason: 'The file is cut off: its last page is not whole.' }
}
