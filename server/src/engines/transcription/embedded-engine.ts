// Transcribes recordings with the offline engines: language, words, speakers.
import type {
  TranscriptionEngine,
  TranscriptionJob,
  TranscriptionOptions,
  TranscriptionRefusal,
  TranscriptionResult,
} from '../../ports/transcription.ts'
import type { RecordingEngine } from '../engine/engine-pool.ts'
import type { ModelCache } from '../models/fetch-model.ts'
import { moonshinePieces } from '../moonshine/moonshine.ts'
import { sileroTracker } from '../silero/voice-track.ts'
import { whisperLanguages } from '../whisper/languages.ts'
import { openWhisper, type Whisper, type WhisperSize } from '../whisper/whisper.ts'
import { xvectorEmbedder } from '../xvector/xvector.ts'
import { filePieces } from './file-pieces.ts'
import { openPcmFile, type PcmFile } from './pcm-file.ts'
import type { RecordingPiece } from './piece-cutter.ts'
import { recogniserFor, whisperRules } from './recogniser.ts'
import { segmentsOfWords, withSpeakers } from './segments.ts'
import { checkpointed, LanguageCheckpoint, type TranscribedFile, transcribeFile } from './transcribe-file.ts'

export interface EmbeddedSpeechOptions extends RecordingEngine {
  readonly models: ModelCache
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
    const detected = await languageOf(file, job, signal)
    if (!detected) return nobody
    const recogniser = recogniserFor(detected.language, { english, whisper })
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
      language: detected.language,
      languageConfidence: detected.confidence,
      segments: segmentsOfWords(await whoSaid(transcribed, job, signal), job.wishes.align),
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

function refusals({ language, keyterms }: TranscriptionOptions): TranscriptionRefusal[] {
  const found: TranscriptionRefusal[] = []
  if (language && !whisperLanguages.includes(language))
    found.push({
      option: 'language',
      sentence: `The embedded engine does not know the language "${language}". It knows: ${whisperLanguages.toSorted().join(', ')}.`,
    })
  if (keyterms.length > 0)
    found.push({
      option: 'keyterms',
      sentence:
        'The embedded engine cannot be told which words to expect. Leave keyterms out, or have the operator set PARLEY_STT_PROTOCOL to a vendor that can.',
    })
  return found
}

interface FoundLanguage {
  readonly language: string
  readonly confidence: number | null
}

const sureEnough = 0.9
const mostPieces = 4

/** The language of a recording; null: there is no speech. */
export async function findLanguage(
  pieces: AsyncIterable<RecordingPiece>,
  file: PcmFile,
  whisper: Pick<Whisper, 'languages'>,
  signal: AbortSignal,
): Promise<FoundLanguage | null> {
  const sharesIn = (samples: Int16Array) =>
    whisper.languages(samples, signal).catch((cause) => {
      signal.throwIfAborted()
      throw new Error(`the language could not be found out, name it in language: ${reasonOf(cause)}`, {
        cause,
      })
    })
  const shares = new Map<string, number>()
  let [heardMs, count] = [0, 0]
  for await (const { fromMs, toMs } of pieces) {
    const lengthMs = toMs - fromMs
    heardMs += lengthMs
    count++
    for (const { language, probability } of await sharesIn(await file.read(fromMs, toMs)))
      shares.set(language, (shares.get(language) ?? 0) + probability * lengthMs)
    if (count === mostPieces || likeliest(shares, heardMs).confidence >= sureEnough) break
  }
  return count === 0 ? null : likeliest(shares, heardMs)
}

function likeliest(shares: ReadonlyMap<string, number>, heardMs: number) {
  const [[language, share] = ['en', 0]] = [...shares].toSorted(([, a], [, b]) => b - a)
  return { language, confidence: Math.round((share / heardMs) * 1000) / 1000 }
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
