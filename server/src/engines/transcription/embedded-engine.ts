// Transcribes recordings with the offline engines: language, words, speakers.
import type { TranscriptionEngine, TranscriptionJob, TranscriptionResult } from '../../ports/transcription.ts'
import type { EngineIdle, EngineNiceness } from '../engine/engine-pool.ts'
import type { ModelCache } from '../models/fetch-model.ts'
import { moonshinePieces } from '../moonshine/moonshine-pieces.ts'
import { sileroTracker } from '../silero/voice-track.ts'
import { openWhisper, type WhisperSize } from '../whisper/whisper.ts'
import { xvectorEmbedder } from '../xvector/xvector.ts'
import { checkpointed, LanguageCheckpoint } from './checkpoint.ts'
import { filePieces } from './file-pieces.ts'
import { type FoundLanguage, findLanguage } from './language.ts'
import { openPcmFile, type PcmFile } from './pcm-file.ts'
import { recogniserFor, whisperRules } from './recogniser.ts'
import { refusals } from './refusals.ts'
import { segmentsOf } from './segments.ts'
import { withSpeakers } from './speakers.ts'
import { type TranscribedFile, transcribeFile } from './transcribe-file.ts'

export interface EmbeddedSpeechOptions extends EngineIdle, EngineNiceness {
  readonly models: ModelCache
  /** For the recognizer. */
  readonly threads: number
  readonly whisper: WhisperSize
}

const nobody: TranscriptionResult = { language: null, languageConfidence: null, segments: [] }

export function embeddedTranscription({
  models,
  threads,
  niceness,
  idleMs,
  whisper: size,
}: EmbeddedSpeechOptions): TranscriptionEngine {
  const cache = { ...models, idleMs, niceness }
  const tracker = sileroTracker(cache)
  const english = moonshinePieces({ ...cache, threads })
  const whisper = openWhisper({ ...cache, threads, size })
  const speakerEmbedder = xvectorEmbedder({ ...cache, threads: 1 })

  function languageOf(file: PcmFile, { wishes, notes }: TranscriptionJob, signal: AbortSignal) {
    const { language } = wishes
    if (language) return { language, confidence: null }
    return checkpointed<FoundLanguage | null>(notes, 'language', LanguageCheckpoint.nullable(), () =>
      findLanguage(filePieces(file, { tracker, rules: whisperRules, signal }), file, whisper, signal),
    )
  }

  async function whoSaid(
    { words, voices }: TranscribedFile,
    { wishes }: TranscriptionJob,
    signal: AbortSignal,
  ) {
    if (!wishes.diarize) return words
    return withSpeakers(
      words,
      voices,
      await speakerEmbedder.group({ voices, bounds: wishes.diarize }, signal),
    )
  }

  async function transcribe(
    file: PcmFile,
    job: TranscriptionJob,
    signal: AbortSignal,
  ): Promise<TranscriptionResult> {
    const found = await languageOf(file, job, signal)
    if (!found) return nobody
    const recogniser = recogniserFor(found.language, { english, whisper })
    // Two more than the recognizer has threads: one waiting for a thread, one waiting to be emitted in order.
    const ahead = threads + 2
    const transcribed = await transcribeFile({
      file,
      job,
      tracker,
      recogniser,
      speakerEmbedder,
      ahead,
      signal,
    })
    if (transcribed.words.length === 0) return nobody
    return {
      language: found.language,
      languageConfidence: found.confidence,
      segments: segmentsOf(await whoSaid(transcribed, job, signal), job.wishes.align),
    }
  }

  return {
    name: 'embedded',
    refusals,
    async transcribe(job, signal) {
      const file = await openPcmFile(job.sound.pcmFile)
      try {
        return await transcribe(file, job, signal)
      } finally {
        await file.close()
      }
    },
    async close() {
      await Promise.all([tracker, english, whisper, speakerEmbedder].map((engine) => engine.close()))
    },
  }
}
