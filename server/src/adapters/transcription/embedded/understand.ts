// Everything that is said in a recording: its pieces understood in parallel, put together in order.
import type { TranscriptionJob } from '../../../ports/transcription.ts'
import type { TimedWord } from '../../embedded/alignment/word-times.ts'
import type { VoiceTracker } from '../../embedded/silero/voice-track.ts'
import type { HeardVoice } from '../../embedded/xvector/group-voices.ts'
import type { VoiceTeller } from '../../embedded/xvector/xvector.ts'
import { filePieces } from './file-pieces.ts'
import { inOrder } from './in-order.ts'
import { NotedWords, noted } from './noted.ts'
import type { PcmFile } from './pcm-file.ts'
import type { Piece } from './pieces.ts'
import type { Recogniser } from './recogniser.ts'
import { placed, type SpokenWord } from './spoken.ts'
import { voiceWindows } from './voice-windows.ts'

export interface Understanding {
  readonly file: PcmFile
  readonly job: TranscriptionJob
  readonly tracker: VoiceTracker
  readonly recogniser: Recogniser
  readonly eventPublisher: VoiceTeller
  /** Pieces that are under way or wait to be put together; no more are cut meanwhile. */
  readonly ahead: number
  readonly signal: AbortSignal
}

export interface Understood {
  readonly words: readonly SpokenWord[]
  /** Only where somebody asked who speaks. */
  readonly voices: readonly HeardVoice[]
}

export async function understandFile(understanding: Understanding): Promise<Understood> {
  const { file, job, tracker, recogniser, ahead, signal } = understanding
  const [words, voices]: [SpokenWord[], HeardVoice[]] = [[], []]
  let [underWay, doneMs] = [0, 0]
  const progress = (ms: number) => {
    doneMs = Math.max(doneMs, Math.min(ms, file.durationMs))
    if (doneMs > 0) job.onProgress(doneMs / file.durationMs)
  }
  const pieces = filePieces(file, {
    tracker,
    rules: recogniser.rules,
    signal,
    // Where nobody speaks there is nothing to wait for.
    onHeard: (ms) => void (underWay === 0 && progress(ms)),
  })
  const work = (piece: Piece) => {
    underWay++
    return understandPiece(piece, understanding)
  }
  for await (const understood of inOrder(pieces, work, { ahead })) {
    underWay--
    words.push(...placed(understood.words, understood.piece, recogniser.spaced))
    voices.push(...understood.voices)
    progress(understood.piece.toMs)
  }
  progress(file.durationMs)
  return { words, voices }
}

interface UnderstoodPiece {
  readonly piece: Piece
  readonly words: readonly TimedWord[]
  readonly voices: readonly HeardVoice[]
}

/** What an earlier attempt has understood is not listened to again. */
async function understandPiece(piece: Piece, understanding: Understanding): Promise<UnderstoodPiece> {
  const { file, job, recogniser, signal } = understanding
  const samples = await file.read(piece.fromMs, piece.toMs)
  const note = `piece ${Math.round(piece.fromMs)}`
  const [words, voices] = await Promise.all([
    noted(job.notes, note, NotedWords, () => recogniser.recognise(samples, signal)),
    job.wishes.diarize ? voicesIn(piece, samples, understanding) : [],
  ])
  return { piece, words, voices }
}

async function voicesIn(
  piece: Piece,
  samples16k: Int16Array<ArrayBuffer>,
  { eventPublisher, signal }: Understanding,
): Promise<HeardVoice[]> {
  const windows = voiceWindows(piece)
  const inPiece = windows.map(({ fromMs, toMs }) => ({
    fromMs: fromMs - piece.fromMs,
    toMs: toMs - piece.fromMs,
  }))
  const vectors = await eventPublisher.tell({ samples16k, windows: inPiece }, signal)
  return vectors.flatMap((vector, place) => {
    const window = windows[place]
    return window ? [{ ...window, vector }] : []
  })
}
