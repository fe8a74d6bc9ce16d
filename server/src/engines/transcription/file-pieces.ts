// The pieces of a recording in order, while it is read from disk block by block.
import { sileroWindowMs } from '../silero/silero-windows.ts'
import type { VoiceTracker } from '../silero/voice-track.ts'
import type { PcmFile } from './pcm-file.ts'
import { PieceCutter, type PieceRules, type RecordingPiece } from './piece-cutter.ts'

// A block is processed in about 100 ms and takes half a megabyte.
const blockMs = 500 * sileroWindowMs

export interface CuttingOptions {
  readonly tracker: VoiceTracker
  readonly rules: PieceRules
  readonly signal: AbortSignal
  /** Reports how far the recording has been analysed. */
  onHeard?(ms: number): void
}

export async function* filePieces(
  file: PcmFile,
  { tracker, rules, signal, onHeard }: CuttingOptions,
): AsyncGenerator<RecordingPiece> {
  const track = tracker.open()
  const cutter = new PieceCutter(rules)
  for (let fromMs = 0; fromMs < file.durationMs; fromMs += blockMs) {
    const block = inWindows(await file.read(fromMs, fromMs + blockMs))
    const { probabilities, levelsDb } = await track.hear(block, signal)
    yield* cutter.hear(probabilities, levelsDb)
    onHeard?.(Math.min(fromMs + blockMs, file.durationMs))
  }
  yield* cutter.finish()
}

/** Pads the last window with silence. */
function inWindows(samples: Int16Array<ArrayBuffer>): Int16Array<ArrayBuffer> {
  const size = sileroWindowMs * 16
  if (samples.length % size === 0) return samples
  const whole = new Int16Array(Math.ceil(samples.length / size) * size)
  whole.set(samples)
  return whole
}
