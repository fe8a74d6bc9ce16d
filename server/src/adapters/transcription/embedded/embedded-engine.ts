// Recordings into transcripts with the offline engines: which language, what is said, who says it.
import type {
  TranscriptionEngine,
  TranscriptionJob,
  TranscriptionResult,
} from '../../../ports/transcription.ts'
import type { EngineIdle } from '../../embedded/engine/engine-pool.ts'
import type { ModelCache } from '../../embedded/models/fetch-model.ts'
import { moonshinePieces } from '../../embedded/moonshine/moonshine-pieces.ts'
import { sileroTracker } from '../../embedded/silero/voice-track.ts'
import { openWhisper, type WhisperSize } from '../../embedded/whisper/whisper.ts'
import { xvectorTeller } from '../../embedded/xvector/xvector.ts'
import { filePieces } from './file-pieces.ts'
import { type FoundLanguage, findLanguage } from './language.ts'
import { NotedLanguage, noted } from './noted.ts'
import { openPcmFile, type PcmFile } from './pcm-file.ts'
import { recogniserFor, whisperRules } from './recogniser.ts'
import { refusals } from './refusals.ts'
import { segmentsOf } from './segments.ts'
import { withSpeakers } from './speakers.ts'
import { type Understood, understandFile } from './understand.ts'

export interface EmbeddedSpeechOptions extends EngineIdle {
  readonly models: ModelCache
  /** For the recognizer; they give way to the threads of calls. */
  readonly threads: number
  readonly whisper: WhisperSize
}

const nobody: TranscriptionResult = { language: null, languageConfidence: null, segments: [] }

export function embeddedTranscription({
  models,
  threads,
  idleMs,
  whisper: size,
}: EmbeddedSpeechOptions): TranscriptionEngine {
  const cache = { ...models, idleMs }
  const tracker = sileroTracker(cache)
  const english = moonshinePieces({ ...cache, threads })
  const whisper = openWhisper({ ...cache, threads, size })
  const eventPublisher = xvectorTeller({ ...cache, threads: 1 })

  function languageOf(file: PcmFile, { wishes, notes }: TranscriptionJob, signal: AbortSignal) {
    const { language } = wishes
    if (language) return { language, confidence: null }
    return noted<FoundLanguage | null>(notes, 'language', NotedLanguage.nullable(), () =>
      findLanguage(filePieces(file, { tracker, rules: whisperRules, signal }), file, whisper, signal),
    )
  }

  async function whoSaid({ words, voices }: Understood, { wishes }: TranscriptionJob, signal: AbortSignal) {
    if (!wishes.diarize) return words
    return withSpeakers(words, voices, await eventPublisher.group({ voices, bounds: wishes.diarize }, signal))
  }

  async function transcribe(
    file: PcmFile,
    job: TranscriptionJob,
    signal: AbortSignal,
  ): Promise<TranscriptionResult> {
    const found = await languageOf(file, job, signal)
    if (!found) return nobody
    const recogniser = recogniserFor(found.language, { english, whisper })
    // One more than work, so that nobody waits for the cutter; one more that waits to be put together.
    const ahead = threads + 2
    const understood = await understandFile({ file, job, tracker, recogniser, eventPublisher, ahead, signal })
    if (understood.words.length === 0) return nobody
    return {
      language: found.language,
      languageConfidence: found.confidence,
      segments: segmentsOf(await whoSaid(understood, job, signal), job.wishes.align),
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
      await Promise.all([tracker, english, whisper, eventPublisher].map((engine) => engine.close()))
    },
  }
}
