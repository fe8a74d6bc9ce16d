// Shared by the transcription benchmarks: the engine, recordings assembled from clips, and the message for missing
// files.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Model } from '../server/src/engines/models/catalogue.ts'
import { embeddedTranscription } from '../server/src/engines/transcription/embedded-engine.ts'
import { wavHeader } from '../server/src/media/wav.ts'
import type {
  TranscriptionEngine,
  TranscriptionOptions,
  TranscriptionResult,
} from '../server/src/ports/transcription.ts'
import type { Clip } from '../server/test/props/engines/clips.ts'
import { modelsAtHand } from '../server/test/props/engines/models-at-hand.ts'
import { clipsAbsent, readClips } from './clips.ts'

export interface TranscriptionFixture {
  readonly folder: string
  readonly engine: TranscriptionEngine
  /** The clips with words in them. */
  readonly clips: readonly Clip[]
  /** `notes`: stored results are not computed again. */
  transcribe(
    samples16k: Int16Array,
    wishes?: Partial<TranscriptionOptions>,
    notes?: Map<string, string>,
  ): Promise<TranscriptionResult>
  close(): Promise<void>
}

/** Opens the fixture; undefined if weights or clips are missing. */
export async function openTranscriptionFixture(
  models: readonly Model[],
  { threads = 1 } = {},
): Promise<TranscriptionFixture | undefined> {
  const { folder, absent } = await modelsAtHand(process.env.PARLEY_MODELS_DIR, ...models)
  const missing = absent ?? clipsAbsent
  if (missing) {
    console.error(`skipped: ${missing}`)
    return undefined
  }
  const engine = embeddedTranscription({ models: { folder }, threads, whisper: 'base' })
  const scratch = await mkdtemp(join(tmpdir(), 'parley-speech-'))
  let count = 0
  return {
    folder,
    engine,
    clips: readClips().filter(({ said }) => said !== ''),
    async transcribe(samples16k, wishes = {}, notes = new Map()) {
      const pcmFile = join(scratch, `${count++}.pcm`)
      await writeFile(
        pcmFile,
        new Uint8Array(samples16k.buffer, samples16k.byteOffset, samples16k.byteLength),
      )
      const job = {
        sound: { pcmFile, durationSeconds: samples16k.length / 16_000 },
        wishes: { language: 'en', align: false, keyterms: [], ...wishes },
        onProgress() {},
        notes: {
          get: (name: string) => notes.get(name),
          put: (name: string, json: string) => void notes.set(name, json),
        },
      }
      try {
        return await engine.transcribe(job, new AbortController().signal)
      } finally {
        await rm(pcmFile)
      }
    },
    async close() {
      await engine.close()
      await rm(scratch, { recursive: true })
    },
  }
}

export const textOf = ({ segments }: TranscriptionResult): string =>
  segments.map(({ text }) => text).join(' ')

/** Concatenated, with silence in between. */
export function strungTogether(sounds: readonly Int16Array[], gapMs: number): Int16Array {
  const gap = gapMs * 16
  const whole = new Int16Array(sounds.reduce((sum, { length }) => sum + length + gap, 0))
  let at = 0
  for (const sound of sounds) {
    whole.set(sound, at)
    at += sound.length + gap
  }
  return whole
}

const rateHz = 16_000
// About what people leave between two sentences.
const gapMs = 400

/** All clips with words in them, again and again. */
export function longSound(minutes: number): Int16Array {
  const clips = readClips().filter(({ said }) => said !== '')
  const once = strungTogether(
    clips.map(({ samples }) => samples),
    gapMs,
  )
  const times = Math.max(1, Math.round((minutes * 60 * rateHz) / once.length))
  return strungTogether(
    Array.from({ length: times }, () => once),
    0,
  )
}

export function wavOf(samples: Int16Array): Uint8Array<ArrayBuffer> {
  const pcm = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)
  return new Uint8Array(Buffer.concat([wavHeader({ rateHz, channels: 1 }, pcm.length), pcm]))
}
