// A transcription engine that returns one word per second of audio, and fails or hangs as scripted.

import { stat } from 'node:fs/promises'
import type { OpenEngine } from '../../../src/main/service.ts'
import type {
  TranscriptionEngine,
  TranscriptionJob,
  TranscriptionRefusal,
  TranscriptionResult,
} from '../../../src/ports/transcription.ts'

const words = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

export interface ScriptedEngine {
  readonly open: OpenEngine
  readonly jobs: TranscriptionJob[]
  /** Running transcriptions, now and at most. */
  readonly underWay: { now: number; most: number }
  /** Each transcription waits for this promise at this share of its work. */
  gate: Promise<void>
  gateAt: number
  /** The error messages of the next transcriptions. */
  readonly failures: string[]
  /** Recordings of this length always fail. */
  poisonSeconds: number | undefined
  refusals: TranscriptionRefusal[]
}

export function scriptedEngine(): ScriptedEngine {
  const script: ScriptedEngine = {
    open: () => engine,
    jobs: [],
    underWay: { now: 0, most: 0 },
    gate: Promise.resolve(),
    gateAt: 0.5,
    failures: [],
    poisonSeconds: undefined,
    refusals: [],
  }

  const hear = async (job: TranscriptionJob, signal: AbortSignal): Promise<TranscriptionResult> => {
    const seconds = Math.max(1, Math.round((await stat(job.sound.pcmFile)).size / 32_000))
    job.onProgress(script.gateAt)
    job.notes.put('heard', String(seconds))
    const failure = script.failures.shift()
    if (failure) throw new Error(failure)
    if (seconds === script.poisonSeconds) throw new Error('the engine fell')
    await Promise.race([script.gate, gone(signal)])
    signal.throwIfAborted()
    const texts = Array.from({ length: seconds }, (_, at) => words[at % words.length] as string)
    const { align, diarize, language } = job.wishes
    return {
      language: language ?? 'en',
      languageConfidence: 0.9,
      segments: texts.map((text, at) => ({
        startSeconds: at,
        endSeconds: at + 0.5,
        text,
        confidence: 0.8,
        speaker: diarize ? at % 2 : null,
        words: align
          ? [
              {
                word: text,
                startSeconds: at,
                endSeconds: at + 0.5,
                confidence: 0.8,
                speaker: diarize ? at % 2 : null,
              },
            ]
          : [],
      })),
    }
  }

  const engine: TranscriptionEngine = {
    name: 'scripted',
    refusals: () => script.refusals,
    async transcribe(job, signal) {
      script.jobs.push(job)
      script.underWay.now++
      script.underWay.most = Math.max(script.underWay.most, script.underWay.now)
      try {
        return await hear(job, signal)
      } finally {
        script.underWay.now--
      }
    },
    close: async () => {},
  }
  return script
}

const gone = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
  )
