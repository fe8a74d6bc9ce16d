// Transcribes recordings: in at most three attempts, with progress saved once a second; cancelled when the transcript
// is deleted.
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '../../platform/db/db.ts'
import {
  BrokenOff,
  type Job,
  type JobRow,
  type JobRun,
  OwnerDied,
  type Sweep,
  sentenceOf,
} from '../../platform/jobs/job.ts'
import type { Log } from '../../platform/log.ts'
import {
  aliveAmong,
  type ClaimedTranscript,
  exposeLostClaims,
  reportTranscribing,
  transcriptsTable,
} from './backlog.ts'
import { Checkpoints } from './checkpoints.ts'
import { endTranscripts, type TranscriptEnd } from './complete-transcript.ts'
import { PermanentError, type TranscriptionParts, transcribe, withoutTranslation } from './transcription.ts'

export interface TranscriptionJobOptions {
  readonly db: Db
  readonly log: Log
  readonly parts: TranscriptionParts
  /** Where audio is decoded; each claimant has a subfolder. */
  readonly workFolder: string
  /** Concurrent transcripts. */
  readonly most: number
  /** How long a transcription may continue when the process stops. */
  readonly drainMs: number
}

// Attempts that ended with their process count too: a file that crashes the process is not retried forever.
const mostTries = 3
// After an engine failure; doubles. Most are over within seconds: a model server restarting, a lack of memory.
const retryMs = 2_000
// How often progress and checkpoints are saved, and deleted transcripts noticed.
const beatMs = 1_000
// No piece of audio takes an engine this long. An engine that hangs must not occupy its slot forever.
const stalledMs = 15 * 60 * 1000
// Far more than all processes together have in progress.
const mostOfWorkspace = 256

interface UnderWay {
  readonly stalled: AbortController
  checkpoints: Checkpoints | undefined
  progress: number
  progressAtMs: number
}

export function transcriptionJob(options: TranscriptionJobOptions): Job<ClaimedTranscript, TranscriptEnd> {
  const underWay = new Map<string, UnderWay>()
  return {
    name: 'transcripts',
    table: transcriptsTable,
    // One per claim: each claim changes which workspace has the fewest.
    caps: { process: options.most, lane: mostOfWorkspace, claim: 1 },
    retry: {
      mostTries,
      delayMs: (tries) => retryMs * 2 ** (tries - 1),
      isPermanent: (error) => error instanceof PermanentError,
      giveUp: failed,
    },
    drainMs: options.drainMs,
    heartbeat: { everyMs: beatMs, beat: (db, held) => beat(db, held, underWay) },
    settle: endTranscripts,

    async run(row, run) {
      const one = { stalled: new AbortController(), checkpoints: undefined, progress: 0, progressAtMs: 0 }
      one.progressAtMs = performance.now()
      underWay.set(row.job_id, one)
      try {
        return await attempt(options, row, run, one)
      } finally {
        underWay.delete(row.job_id)
      }
    },
  }
}

async function attempt(
  { db, log, parts, workFolder }: TranscriptionJobOptions,
  row: ClaimedTranscript & JobRow,
  { claimantId, signal }: JobRun,
  one: UnderWay,
): Promise<TranscriptEnd> {
  const { job_id: transcriptId } = row
  const ended = AbortSignal.any([signal, one.stalled.signal])
  try {
    const notes = await Checkpoints.open(db, transcriptId)
    one.checkpoints = notes
    const folder = join(workFolder, String(claimantId), transcriptId)
    const onProgress = (share: number) => {
      if (share <= one.progress) return
      one.progress = share
      one.progressAtMs = performance.now()
    }
    const work = transcribe(parts, { job: row, notes, folder, onProgress }, ended)
    // The slot is freed even if the engine hangs and does not react to the signal.
    return await Promise.race([work, aborted(ended)])
  } catch (error) {
    const isLast = row.job_tries >= mostTries || error instanceof PermanentError
    if (isLast && !signal.aborted && one.checkpoints) {
      const kept = withoutTranslation(
        one.checkpoints,
        `The translation failed: ${sentenceOf(error, unexplained)}`,
      )
      if (kept) {
        log.info({ err: error, id: transcriptId }, 'transcript completed without its translation')
        return kept
      }
    }
    const isGone = signal.reason instanceof BrokenOff && signal.reason.why === 'gone'
    // The next attempt continues from there.
    if (!isGone) await one.checkpoints?.save().catch((err) => log.warn({ err }, 'checkpoints not saved'))
    throw error
  }
}

/** Saves checkpoints and progress. Returns the transcripts that are still ours. */
async function beat(
  db: Db,
  held: ReadonlyMap<string, number>,
  underWay: ReadonlyMap<string, UnderWay>,
): Promise<Set<string>> {
  for (const { checkpoints, progressAtMs, stalled } of underWay.values()) {
    await checkpoints?.save()
    if (performance.now() - progressAtMs > stalledMs)
      stalled.abort(new Error(`The engine made no progress for ${stalledMs / 60_000} minutes.`))
  }
  return reportTranscribing(
    db,
    [...held].map(([transcriptId, claimantId]) => ({
      transcriptId,
      claimantId,
      share: underWay.get(transcriptId)?.progress ?? 0,
    })),
  )
}

// Audio is large, but processes rarely die.
const sweepEveryMs = 60 * 60 * 1000

/** Removes decoded audio left behind by processes that died. */
export const abandonedSoundSweep = (db: Db, workFolder: string): Sweep => ({
  name: 'abandoned sound',
  everyMs: sweepEveryMs,
  afterErrorMs: 1_000,
  async run() {
    const names = await readdir(workFolder).catch(() => [] as string[])
    const alive = await aliveAmong(db, names.map(Number).filter(Number.isInteger))
    for (const name of names)
      if (!alive.has(Number(name))) await rm(join(workFolder, name), { recursive: true, force: true })
    return sweepEveryMs
  },
})

// The same patience as for other lost claims would do, but such processes are rare.
const exposeEveryMs = 5_000

/** For processes of release 0.1 that run beside this one. */
export const lostClaimSweep = (db: Db): Sweep => ({
  name: 'lost claims',
  everyMs: exposeEveryMs,
  afterErrorMs: exposeEveryMs,
  async run() {
    await exposeLostClaims(db)
    return exposeEveryMs
  },
})

const unexplained = 'The engine failed without a word'

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

const failed = (error: unknown): TranscriptEnd => ({
  status: 'failed',
  error:
    error instanceof OwnerDied
      ? `The process that transcribed it died ${mostTries} times; it is not tried again.`
      : sentenceOf(error, unexplained),
  durationSeconds: error instanceof PermanentError ? error.durationSeconds : null,
})
