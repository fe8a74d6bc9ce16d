// Works off the backlog of transcripts: takes what waits, has it transcribed, writes down what came of it.
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Claimant } from '../../platform/db/claim.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Log } from '../../platform/log.ts'
import { type Loop, startLoop } from '../../platform/loop.ts'
import {
  aliveAmong,
  claimNext,
  giveBackJob,
  type Job,
  recoverLost,
  reportProgress,
  untilNextTranscript,
} from './backlog.ts'
import { Notes } from './checkpoints.ts'
import { endTranscript } from './complete-transcript.ts'
import { Hopeless, type TranscriptionParts, transcribe } from './transcription.ts'

export interface TranscriptionWorkerOptions {
  readonly db: Db
  readonly log: Log
  readonly claimant: Claimant
  readonly parts: TranscriptionParts
  /** Sound is decoded there; each claimant has a folder of its own in it. */
  readonly workFolder: string
  /** Transcripts at a time. */
  readonly most: number
}

// Also counts attempts that ended with their process: a file that kills is not tried for ever.
const mostTries = 3
// After a failure of the engine; doubles. Most pass within seconds: a model server that restarts, memory that is short.
const againMs = 2_000
// How often progress is written, what was deleted is noticed, and lost work is looked for.
const beatMs = 1_000
const brokenMs = 250
// No piece of sound takes an engine that long. One that hangs must not hold its place for ever.
const stalledMs = 15 * 60 * 1000

/** Why an attempt was broken off. */
type Break = 'stopping' | 'gone'

class Broken extends Error {
  readonly why: Break

  constructor(why: Break) {
    super(`broken off: ${why}`)
    this.why = why
  }
}

interface UnderWay {
  readonly claimantId: number
  readonly end: AbortController
  notes: Notes | undefined
  progress: number
  progressAtMs: number
  over: Promise<void>
}

export class TranscriptionWorker {
  private readonly options: TranscriptionWorkerOptions
  private readonly underWay = new Map<string, UnderWay>()
  private lastWorkspace = '00000000-0000-0000-0000-000000000000'
  private lastRecoveryMs = Number.NEGATIVE_INFINITY
  private readonly taker: Loop
  private readonly heart: Loop

  constructor(options: TranscriptionWorkerOptions) {
    this.options = options
    const afterError = (err: unknown) => {
      options.log.warn({ err }, 'transcripts wait for the database')
      return brokenMs
    }
    this.taker = startLoop(() => this.takeTurn(), afterError)
    this.heart = startLoop(() => this.beat(), afterError)
  }

  /** There may be something to do. */
  wake = (): void => this.taker.wake()

  /** Takes nothing new; what is not done in time goes back to the backlog, with what was found so far. */
  async stop(withinMs: number): Promise<void> {
    await this.taker.stop()
    const impatient = setTimeout(() => this.breakOff('stopping'), withinMs)
    await Promise.all([...this.underWay.values()].map(({ over }) => over))
    clearTimeout(impatient)
    await this.heart.stop()
    await rm(this.folderOf(this.options.claimant.id), { recursive: true, force: true })
  }

  private breakOff(why: Break): void {
    for (const { end } of this.underWay.values()) end.abort(new Broken(why))
  }

  private async takeTurn(): Promise<number> {
    const { db, claimant, most } = this.options
    await this.recover()
    if (!claimant.alive || this.underWay.size >= most) return beatMs
    const claimantId = claimant.id
    const job = await claimNext(db, claimantId, this.lastWorkspace)
    if (!job) return Math.min(beatMs, Math.max(0, (await untilNextTranscript(db)) ?? beatMs))
    this.lastWorkspace = job.workspace_id
    this.launch(job, claimantId)
    return 0
  }

  private launch(job: Job, claimantId: number): void {
    const one: UnderWay = {
      claimantId,
      end: new AbortController(),
      notes: undefined,
      progress: 0,
      progressAtMs: performance.now(),
      over: Promise.resolve(),
    }
    this.underWay.set(job.transcript_id, one)
    one.over = this.attempt(job, one)
      .catch((err) =>
        this.options.log.error({ err, transcript_id: job.transcript_id }, 'end not written down'),
      )
      .finally(() => {
        this.underWay.delete(job.transcript_id)
        this.wake()
      })
  }

  private async attempt(job: Job, one: UnderWay): Promise<void> {
    const { db, parts } = this.options
    const { transcript_id: transcriptId } = job
    try {
      one.notes = await Notes.open(db, transcriptId)
      const work = transcribe(
        parts,
        {
          job,
          notes: one.notes,
          folder: join(this.folderOf(one.claimantId), transcriptId),
          onProgress(share) {
            if (share <= one.progress) return
            one.progress = share
            one.progressAtMs = performance.now()
          },
        },
        one.end.signal,
      )
      // An engine that hangs does not hear the signal; its place is given to others all the same.
      const ending = await Promise.race([work, aborted(one.end.signal)])
      await endTranscript(db, transcriptId, one.claimantId, ending)
    } catch (error) {
      await this.settleFailure(job, one, error)
    }
  }

  private async settleFailure(job: Job, one: UnderWay, error: unknown): Promise<void> {
    const { db, log } = this.options
    const { transcript_id: transcriptId, tries } = job
    const { claimantId } = one
    if (error instanceof Broken && error.why === 'gone') return
    await one.notes?.save().catch((err) => log.warn({ err }, 'notes of a transcript not kept'))
    if (error instanceof Broken) {
      await giveBackJob(db, transcriptId, claimantId, { delayMs: 0, counted: false })
      return
    }
    const last = error instanceof Hopeless || tries >= mostTries
    log[last ? 'info' : 'warn']({ transcript_id: transcriptId, tries, err: error }, 'transcription failed')
    if (!last) {
      const delayMs = againMs * 2 ** (tries - 1)
      await giveBackJob(db, transcriptId, claimantId, { delayMs, counted: true })
      return
    }
    const durationSeconds = error instanceof Hopeless ? error.durationSeconds : null
    await endTranscript(db, transcriptId, claimantId, {
      status: 'failed',
      error: sentenceOf(error),
      durationSeconds,
    })
  }

  /** Once a second: what was found, how far it is, and whether it is still wanted. */
  private async beat(): Promise<number> {
    const { db, claimant } = this.options
    if (this.underWay.size === 0) return beatMs
    for (const one of this.underWay.values()) {
      await one.notes?.save()
      if (performance.now() - one.progressAtMs > stalledMs)
        one.end.abort(new Error(`The engine made no progress for ${stalledMs / 60_000} minutes.`))
    }
    const asked = [...this.underWay]
    const ours = await reportProgress(db, claimant.id, new Map(asked.map(([id, one]) => [id, one.progress])))
    for (const [id, one] of asked) if (!ours.has(id)) one.end.abort(new Broken('gone'))
    return beatMs
  }

  private async recover(): Promise<void> {
    const { db, claimant } = this.options
    if (!claimant.alive || performance.now() - this.lastRecoveryMs < beatMs) return
    const first = this.lastRecoveryMs === Number.NEGATIVE_INFINITY
    this.lastRecoveryMs = performance.now()
    const deadly = await recoverLost(db, claimant.id, [...this.underWay.keys()], mostTries)
    for (const { transcript_id, claimed_by } of deadly) {
      const error = `The process that transcribed it died ${mostTries} times; it is not tried again.`
      await endTranscript(db, transcript_id, claimed_by, { status: 'failed', error, durationSeconds: null })
    }
    if (first) await this.tidyUp()
  }

  /** Sound that processes left behind when they died. */
  private async tidyUp(): Promise<void> {
    const { db, workFolder } = this.options
    const names = await readdir(workFolder).catch(() => [] as string[])
    const alive = await aliveAmong(db, names.map(Number).filter(Number.isInteger))
    for (const name of names) {
      if (!alive.has(Number(name))) await rm(join(workFolder, name), { recursive: true, force: true })
    }
  }

  private folderOf(claimantId: number): string {
    return join(this.options.workFolder, String(claimantId))
  }
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

function sentenceOf(error: unknown): string {
  const message = error instanceof Error ? error.message.trim() : ''
  const sentence = message === '' ? 'The engine failed without a word' : message
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}${/[.!?]$/.test(sentence) ? '' : '.'}`
}
