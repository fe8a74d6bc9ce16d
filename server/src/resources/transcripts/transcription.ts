// One transcription, from the stored file or the URL to its result.
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Download, DownloadError } from '../../platform/download.ts'
import type { JobRow } from '../../platform/jobs/job.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import type { SoundDecoder } from '../../ports/sound-decoder.ts'
import type { TranscriptionEngine, TranscriptionResult, Translator } from '../../ports/transcription.ts'
import type { ClaimedTranscript } from './backlog.ts'
import type { Checkpoints } from './checkpoints.ts'
import type { TranscriptEnd } from './complete-transcript.ts'
import { type SpeechFindings, shownFindings } from './transcript-record.ts'
import { primary, transcriptionOptionsOf } from './transcription-options.ts'

/** A failure that retrying cannot fix. The message is a sentence for the user. */
export class PermanentError extends Error {
  readonly durationSeconds: number | null

  constructor(message: string, durationSeconds: number | null = null) {
    super(message)
    this.durationSeconds = durationSeconds
  }
}

export interface TranscriptionParts {
  readonly storage: Storage
  readonly decoder: SoundDecoder
  readonly engine: TranscriptionEngine
  readonly translator: Translator | undefined
  readonly download: (file: Omit<Download, 'limitBytes' | 'timeoutMs'>) => Promise<void>
}

export interface TranscriptionAttempt {
  readonly job: ClaimedTranscript & Pick<JobRow, 'job_lane'>
  /** For this attempt only; removed afterwards. */
  readonly folder: string
  readonly notes: Checkpoints
  onProgress(share: number): void
}

// Decoding takes a few hundredths of the work, translating about a tenth.
const readShare = 0.03
const translateShare = 0.1

/** What is known before the translation. */
interface RecognisedSpeech {
  readonly found: TranscriptionResult
  readonly durationSeconds: number
}

type CompletedTranscript = TranscriptEnd & { status: 'completed' }

export async function transcribe(
  parts: TranscriptionParts,
  attempt: TranscriptionAttempt,
  signal: AbortSignal,
): Promise<CompletedTranscript> {
  const recognised = recognisedIn(attempt.notes) ?? (await recognise(parts, attempt, signal))
  const translation = await translated(parts, attempt, recognised.found, signal)
  return completed(recognised, translation, null)
}

/** For an attempt that failed over the translation: the transcript without it. Undefined if it failed before. */
export function withoutTranslation(notes: Checkpoints, error: string): CompletedTranscript | undefined {
  const recognised = recognisedIn(notes)
  return recognised && completed(recognised, null, error)
}

const completed = (
  { found, durationSeconds }: RecognisedSpeech,
  translation: SpeechFindings['translation'],
  error: string | null,
): CompletedTranscript => ({
  status: 'completed',
  language: found.language,
  languageConfidence: found.languageConfidence,
  durationSeconds: Math.round(durationSeconds * 1000) / 1000,
  findings: JSON.stringify(shownFindings(found, translation)),
  error,
})

// Saved once the words are known, so that a translation that fails is retried alone.
const recognisedNote = 'recognised'

function recognisedIn(notes: Checkpoints): RecognisedSpeech | undefined {
  const kept = notes.get(recognisedNote)
  return kept === undefined ? undefined : (JSON.parse(kept) as RecognisedSpeech)
}

async function recognise(
  parts: TranscriptionParts,
  attempt: TranscriptionAttempt,
  signal: AbortSignal,
): Promise<RecognisedSpeech> {
  const { job, folder, notes } = attempt
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    const input = join(folder, 'input')
    const pcmFile = join(folder, 'sound.pcm')
    await obtain(parts, job, input, signal)
    const decoded = await parts.decoder.decode(input, pcmFile, signal)
    if (!decoded.ok) throw new PermanentError(decoded.reason)
    await rm(input, { force: true })
    const { durationSeconds } = decoded
    const found = await listen(parts, attempt, { pcmFile, durationSeconds }, signal)
    if (job.options.translate_to !== undefined)
      notes.put(recognisedNote, JSON.stringify({ found, durationSeconds }))
    return { found, durationSeconds }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function obtain(
  { storage, download }: TranscriptionParts,
  { file_id: fileId, audio_url: url }: ClaimedTranscript,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  if (fileId !== null) {
    const stored = await storage.stat(fileId)
    if (!stored) throw new PermanentError('The file is gone.')
    const content = await storage.read(fileId, { first: 0, last: Math.max(0, stored.bytes - 1) })
    await pipeline(content, createWriteStream(path, { mode: 0o600 }), { signal })
  } else if (url !== null) {
    await download({ url, path, signal }).catch((error) => {
      throw error instanceof DownloadError && error.permanent ? new PermanentError(error.message) : error
    })
  } else throw new PermanentError('The file is gone.')
}

async function listen(
  { engine }: TranscriptionParts,
  { job: { options, job_lane: workspaceId }, notes, onProgress }: TranscriptionAttempt,
  sound: { pcmFile: string; durationSeconds: number },
  signal: AbortSignal,
): Promise<TranscriptionResult> {
  const share = 1 - readShare - (options.translate_to === undefined ? 0 : translateShare)
  onProgress(readShare)
  return engine.transcribe(
    {
      workspaceId,
      sound,
      wishes: transcriptionOptionsOf(options),
      notes,
      onProgress: (done) => onProgress(readShare + share * Math.min(1, Math.max(0, done))),
    },
    signal,
  )
}

async function translated(
  { translator }: TranscriptionParts,
  { job: { options }, onProgress }: TranscriptionAttempt,
  { segments, language: spoken }: TranscriptionResult,
  signal: AbortSignal,
): Promise<SpeechFindings['translation']> {
  const language = options.translate_to
  if (language === undefined) return null
  if (!translator) throw new PermanentError('No language model is configured any more to translate with.')
  const said = segments.map(({ text }) => text)
  const onPage = (share: number) => onProgress(1 - translateShare * (1 - share))
  const texts =
    primary(language) === spoken ? said : await translator.translate(said, language, signal, onPage)
  onProgress(1)
  return { language, text: texts.join(' '), segments: texts.map((text, id) => ({ id, text })) }
}
