// Transcribes a whole recording: its pieces in parallel, the results in order.

import { z } from 'zod'
import type { TranscriptionCheckpoints, TranscriptionJob } from '../../ports/transcription.ts'
import type { TimedWord } from '../alignment/word-times.ts'
import type { VoiceTracker } from '../silero/voice-track.ts'
import type { HeardVoice } from '../xvector/group-voices.ts'
import type { SpeakerEmbedder } from '../xvector/xvector.ts'
import { filePieces } from './file-pieces.ts'
import { mapInOrder } from './map-in-order.ts'
import type { PcmFile } from './pcm-file.ts'
import type { RecordingPiece, Stretch } from './piece-cutter.ts'
import type { Recogniser } from './recogniser.ts'
import { inRecording, type RecordedWord } from './segments.ts'

// Shorter windows cannot separate voices; longer ones may span two speakers.
const voiceWindowMs = 1_500
const stepMs = 500

export function voiceWindows({ voiced }: Pick<RecordingPiece, 'voiced'>): Stretch[] {
  return voiced.flatMap(({ fromMs, toMs }) => {
    const steps = Math.max(1, Math.ceil((toMs - fromMs - voiceWindowMs) / stepMs) + 1)
    return Array.from({ length: steps }, (_, step) => {
      // The last window ends with the stretch.
      const startMs = Math.max(fromMs, Math.min(fromMs + step * stepMs, toMs - voiceWindowMs))
      return { fromMs: startMs, toMs: Math.min(toMs, startMs + voiceWindowMs) }
    })
  })
}

export interface FileTranscription {
  readonly file: PcmFile
  readonly job: TranscriptionJob
  readonly tracker: VoiceTracker
  readonly recogniser: Recogniser
  readonly speakerEmbedder: SpeakerEmbedder
  /** The most pieces running or waiting to be emitted; cutting pauses at this limit. */
  readonly ahead: number
  readonly signal: AbortSignal
}

export interface TranscribedFile {
  readonly words: readonly RecordedWord[]
  /** The voices; only if diarization was requested. */
  readonly voices: readonly HeardVoice[]
}

export async function transcribeFile(transcription: FileTranscription): Promise<TranscribedFile> {
  const { file, job, tracker, recogniser, ahead, signal } = transcription
  const [words, voices]: [RecordedWord[], HeardVoice[]] = [[], []]
  let [underWay, doneMs] = [0, 0]
  const progress = (ms: number) => {
    doneMs = Math.max(doneMs, Math.min(ms, file.durationMs))
    if (doneMs > 0) job.onProgress(doneMs / file.durationMs)
  }
  const pieces = filePieces(file, {
    tracker,
    rules: recogniser.rules,
    signal,
    // While nothing is being transcribed, silence already counts as progress.
    onHeard: (ms) => void (underWay === 0 && progress(ms)),
  })
  const work = (piece: RecordingPiece) => {
    underWay++
    return transcribePiece(piece, transcription)
  }
  for await (const transcribed of mapInOrder(pieces, work, { ahead })) {
    underWay--
    words.push(...inRecording(transcribed.words, transcribed.piece, recogniser.spaced))
    voices.push(...transcribed.voices)
    progress(transcribed.piece.toMs)
  }
  progress(file.durationMs)
  return { words, voices }
}

interface TranscribedPiece {
  readonly piece: RecordingPiece
  readonly words: readonly TimedWord[]
  readonly voices: readonly HeardVoice[]
}

/** Transcribes a piece, unless an earlier attempt has transcribed it. */
async function transcribePiece(
  piece: RecordingPiece,
  transcription: FileTranscription,
): Promise<TranscribedPiece> {
  const { file, job, recogniser, signal } = transcription
  const samples = await file.read(piece.fromMs, piece.toMs)
  const note = `piece ${Math.round(piece.fromMs)}`
  const [words, voices] = await Promise.all([
    checkpointed(job.notes, note, WordsCheckpoint, () => recogniser.recognise(samples, signal)),
    job.wishes.diarize ? voicesIn(piece, samples, transcription) : [],
  ])
  return { piece, words, voices }
}

async function voicesIn(
  piece: RecordingPiece,
  samples16k: Int16Array<ArrayBuffer>,
  { speakerEmbedder, signal }: FileTranscription,
): Promise<HeardVoice[]> {
  const windows = voiceWindows(piece)
  const inPiece = windows.map(({ fromMs, toMs }) => ({
    fromMs: fromMs - piece.fromMs,
    toMs: toMs - piece.fromMs,
  }))
  const vectors = await speakerEmbedder.embed({ samples16k, windows: inPiece }, signal)
  return vectors.flatMap((vector, place) => {
    const window = windows[place]
    return window ? [{ ...window, vector }] : []
  })
}

// Results of earlier attempts are validated when they are read back from the database.
export const LanguageCheckpoint = z.object({ language: z.string(), confidence: z.number().nullable() })

const WordsCheckpoint = z.array(
  z.object({ text: z.string(), fromMs: z.number(), toMs: z.number(), confidence: z.number() }),
)

/** Returns the stored result, or computes and stores it. */
export async function checkpointed<Found>(
  notes: TranscriptionCheckpoints,
  name: string,
  shape: z.ZodType<Found>,
  find: () => Promise<Found>,
): Promise<Found> {
  const json = notes.get(name)
  if (json !== undefined) return shape.parse(JSON.parse(json))
  const found = await find()
  notes.put(name, JSON.stringify(found))
  return found
}
