// Shared by all vendors that transcribe recordings over HTTP: pieces in sequence, stored as checkpoints, stitched
// together.
import { Agent, type Dispatcher } from 'undici'
import { z } from 'zod'
import type {
  TranscribedSegment,
  TranscriptionEngine,
  TranscriptionJob,
  TranscriptionResult,
} from '../../../ports/transcription.ts'
import { piecesOf, type RecordingSpan, wavOf } from './pieces.ts'
import { type Memory, openFinish } from './remote-job.ts'
import { offline, type TranscriptionServer, type TranscriptionVendor } from './vendor.ts'
import { openWire, type Pace, unhurried } from './wire.ts'

const KeptResult = z.object({
  language: z.string().nullable(),
  languageConfidence: z.number().nullable(),
  segments: z.array(z.custom<TranscribedSegment>()),
})
const KeptId = z.string().nullable()

export function transcriptionOverHttp(
  vendor: TranscriptionVendor,
  { apiKey }: Pick<TranscriptionServer, 'apiKey'>,
  pace: Pace = unhurried,
  connections: Dispatcher = new Agent({ keepAliveTimeout: 60_000 }),
): TranscriptionEngine {
  const findingsIn = async (
    job: TranscriptionJob,
    piece: RecordingSpan,
    signal: AbortSignal,
  ): Promise<TranscriptionResult> => {
    const seconds = piece.endSeconds - piece.startSeconds
    const patience = AbortSignal.timeout(pace.patienceMs(seconds))
    const options = { pace, signal: AbortSignal.any([signal, patience]) }
    const { ask, shown } = openWire(vendor, { ...options, apiKey, connections })
    const memory = memoryOf(job, `job of ${vendor.name} ${piece.startSeconds}`)
    const onProgress = (share: number) =>
      job.onProgress((piece.startSeconds + share * seconds) / job.sound.durationSeconds)
    const finish = openFinish({ ...options, name: vendor.name, shown, memory, onProgress })
    const wav = await wavOf(job.sound.pcmFile, piece)
    return vendor.transcribe({ wav, seconds }, job.wishes, { ask, finish }).catch((error) => {
      signal.throwIfAborted()
      if (!patience.aborted) throw error
      throw new Error(`${vendor.name} has not finished after ${shownTime(pace.patienceMs(seconds) / 1000)}.`)
    })
  }

  return {
    name: vendor.name,
    refusals: vendor.refusals,
    async transcribe(job, signal) {
      const results: TranscriptionResult[] = []
      for (const piece of await piecesFor(vendor, job)) {
        const name = `piece ${piece.startSeconds}`
        const kept = job.notes.get(name)
        const findings =
          kept === undefined ? await findingsIn(job, piece, signal) : KeptResult.parse(JSON.parse(kept))
        if (kept === undefined) job.notes.put(name, JSON.stringify(findings))
        results.push(later(findings, piece.startSeconds))
        job.onProgress(piece.endSeconds / job.sound.durationSeconds)
      }
      return stitched(results)
    },
    close: () => connections.destroy(),
  }
}

/** Vendors number speakers per piece, so diarization needs the whole recording in one request. */
async function piecesFor(
  { name, mostSeconds }: TranscriptionVendor,
  { sound, wishes }: TranscriptionJob,
): Promise<RecordingSpan[]> {
  if (wishes.diarize && sound.durationSeconds > mostSeconds)
    throw new Error(
      `${name} tells speakers apart in recordings of up to ${shownTime(mostSeconds)}, and this one has ${shownTime(sound.durationSeconds)}; ask without diarize, or ${offline}.`,
    )
  return piecesOf(sound, mostSeconds)
}

const shownTime = (seconds: number): string => {
  const minutes = Math.ceil(seconds / 60)
  if (minutes === 1) return 'a minute'
  return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 6) / 10} hours`
}

const memoryOf = ({ notes }: TranscriptionJob, name: string): Memory => ({
  get() {
    const json = notes.get(name)
    return json === undefined ? undefined : (KeptId.parse(JSON.parse(json)) ?? undefined)
  },
  put: (id) => notes.put(name, JSON.stringify(id ?? null)),
})

const later = (findings: TranscriptionResult, seconds: number): TranscriptionResult => ({
  ...findings,
  segments: findings.segments.map((segment) => ({
    ...shift(segment, seconds),
    words: segment.words.map((word) => shift(word, seconds)),
  })),
})

const shift = <Timed extends { startSeconds: number; endSeconds: number }>(
  timed: Timed,
  by: number,
): Timed => ({
  ...timed,
  startSeconds: timed.startSeconds + by,
  endSeconds: timed.endSeconds + by,
})

/** The language is that of most of the text. */
function stitched(results: readonly TranscriptionResult[]): TranscriptionResult {
  const letters = (findings: TranscriptionResult) =>
    findings.segments.reduce((sum, { text }) => sum + text.length, 0)
  const segments = results.flatMap((findings) => findings.segments)
  const most = [...results].sort((one, other) => letters(other) - letters(one))[0]
  if (!most || segments.length === 0) return { language: null, languageConfidence: null, segments: [] }
  return { language: most.language, languageConfidence: most.languageConfidence, segments }
}
