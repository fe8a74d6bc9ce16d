// Cuts a long recording into pieces that a vendor accepts, each at a quiet point.
import { Blob } from 'node:buffer'
import { openAsBlob } from 'node:fs'
import { open } from 'node:fs/promises'
import { wavHeader } from '../../../media/wav.ts'
import type { TranscriptionAudio } from '../../../ports/transcription.ts'

export interface RecordingSpan {
  readonly startSeconds: number
  readonly endSeconds: number
}

const rateHz = 16_000
const bytesPerSecond = 2 * rateHz
// How far before the end of a piece to look for a quiet point: longer than anyone speaks without a pause.
const searchSeconds = 20
// Shorter than a pause between words, longer than a pitch period.
const windowSeconds = 0.1

export async function piecesOf(
  { pcmFile, durationSeconds }: TranscriptionAudio,
  mostSeconds: number,
): Promise<RecordingSpan[]> {
  const pieces: RecordingSpan[] = []
  for (let startSeconds = 0; startSeconds < durationSeconds; ) {
    const latest = startSeconds + mostSeconds
    const endSeconds =
      latest >= durationSeconds ? durationSeconds : await quietest(pcmFile, latest - searchSeconds, latest)
    pieces.push({ startSeconds, endSeconds })
    startSeconds = endSeconds
  }
  return pieces
}

/** With its header. Ten hours are more than a gigabyte, so the samples stay on disk until they are sent. */
export async function wavOf(pcmFile: string, { startSeconds, endSeconds }: RecordingSpan): Promise<Blob> {
  const samples = (await openAsBlob(pcmFile)).slice(byteAt(startSeconds), byteAt(endSeconds))
  return new Blob([wavHeader({ rateHz, channels: 1 }, samples.size), samples], { type: 'audio/wav' })
}

async function quietest(pcmFile: string, fromSeconds: number, toSeconds: number): Promise<number> {
  const bytes = await samplesIn(pcmFile, fromSeconds, toSeconds)
  const step = windowSeconds * bytesPerSecond
  let least = Number.POSITIVE_INFINITY
  let best = bytes.length
  for (let at = 0; at + step <= bytes.length; at += step) {
    let energy = 0
    for (let i = at; i < at + step; i += 2) energy += bytes.readInt16LE(i) ** 2
    // Of equally quiet points the last is taken, for longer pieces.
    if (energy <= least) {
      least = energy
      best = at + step / 2
    }
  }
  return fromSeconds + Math.floor(best / 2) / rateHz
}

async function samplesIn(pcmFile: string, fromSeconds: number, toSeconds: number): Promise<Buffer> {
  const first = byteAt(fromSeconds)
  const length = byteAt(toSeconds) - first
  const file = await open(pcmFile)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, first)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

const byteAt = (seconds: number): number => 2 * Math.round(seconds * rateHz)
