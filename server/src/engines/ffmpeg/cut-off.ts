// Detects truncated files: ffmpeg decodes whatever is there without complaint.
import type { SoundRefusal } from '../../ports/sound-decoder.ts'
import type { Looked } from './sniff.ts'

// Formats whose headers state the length of the audio. In the others the duration is an estimate, or the video's.
const counting = new Set(['wav', 'w64', 'flac', 'mov', 'mp3', 'aiff', 'au', 'caf', 'wv', 'ape', 'tta'])

/** What ffprobe logs for an MP3 without such a header. */
const guessed = /Estimating duration from bitrate/

/** What ffmpeg logs for Matroska, which states the size of all its elements. */
const endedEarly = /ended prematurely/

/** The duration that the file itself states; null if it states none. */
export const statedSeconds = (demuxer: string, seconds: number | undefined, complaint: string) =>
  seconds !== undefined && counting.has(demuxer) && !guessed.test(complaint) ? seconds : null

export function cutOff(
  { demuxer, statedSeconds: stated, durationSeconds }: Looked,
  heardSeconds: number,
  complaint: string,
): SoundRefusal | undefined {
  const says = demuxer === 'matroska' && endedEarly.test(complaint) ? durationSeconds : stated
  // Tolerates 5 % plus one second: players round and editors trim.
  if (says === null || heardSeconds >= says * 0.95 - 1) return undefined
  return {
    ok: false,
    reason: `The file is cut off: it says ${says.toFixed(1)} seconds and holds ${heardSeconds.toFixed(1)}.`,
  }
}

// 27 bytes of header, 255 lacing values, and the most content those can describe.
export const longestOggPage = 27 + 255 + 255 * 255

/**
 * Ogg states no total length, but each page states its size, so the last page must be complete.
 *   OggS | 22 bytes | n | n lacing values | content
 */
export function oggCutOff(tail: Buffer): SoundRefusal | undefined {
  const page = tail.subarray(Math.max(0, tail.lastIndexOf('OggS', undefined, 'latin1')))
  const sizes = page.subarray(27, 27 + (page[26] ?? 0))
  const pageBytes = 27 + (page[26] ?? 0) + sizes.reduce((sum, size) => sum + size, 0)
  if (page.length >= pageBytes) return undefined
  return { ok: false, reason: 'The file is cut off: its last page is not whole.' }
}
