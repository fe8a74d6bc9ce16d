// Asynchronous vendor jobs: submitted once, remembered across restarts, polled until they end.
import { PassedOver } from '../wire/passed-over.ts'
import { growingMs, type Pace, pause, RecordingRequestError, type Wire } from './wire.ts'

export type JobState<Told> =
  /** `news`: a status that the vendor has added. */
  | { readonly is: 'working'; readonly news?: string }
  | { readonly is: 'done'; readonly told: Told }
  | { readonly is: 'failed'; readonly reason: string }

const notOver = ['queued', 'processing']

/** A job that is not over: what the vendor says of it is one of its words for that, or news. */
export const working = (status: string): JobState<never> =>
  notOver.includes(status) ? { is: 'working' } : { is: 'working', news: status }

export interface RemoteJob<Told> {
  /** Uploads the audio and submits the job; returns its id at the vendor. */
  submit(): Promise<string>
  poll(id: string): Promise<JobState<Told>>
  /** Deletes what the vendor stores. Never rejects: leftovers do no harm. */
  discard?(id: string): Promise<void>
}

export type Finish = <Told>(job: RemoteJob<Told>) => Promise<Told>

/** Keeps the job id across restarts. */
export interface Memory {
  get(): string | undefined
  put(id: string | undefined): void
}

export interface FinishOptions {
  readonly name: string
  readonly shown: Wire['shown']
  readonly memory: Memory
  readonly pace: Pace
  readonly signal: AbortSignal
  onProgress(share: number): void
}

// Vendors report no progress: 20 % after submitting, then approaching 90 % with every poll.
const shareAfter = (polls: number): number => 0.2 + 0.7 * (1 - 0.95 ** polls)

export function openFinish({ name, shown, memory, pace, signal, onProgress }: FinishOptions): Finish {
  const passedOver = new PassedOver(name, 'recordings')
  return async (job) => {
    const submit = async () => {
      const id = await job.submit()
      memory.put(id)
      return id
    }
    const remembered = memory.get()
    let id = remembered ?? (await submit())
    for (let polls = 0; ; polls++) {
      onProgress(shareAfter(polls))
      const state = await job.poll(id).catch((error) => {
        if (id === remembered && isGone(error)) return undefined
        throw error
      })
      if (!state) id = await submit()
      else if (state.is === 'working') {
        if (state.news !== undefined) passedOver.unknown(state.news)
        await pause(growingMs(polls + 1, pace), signal)
      } else {
        if (state.is === 'failed') memory.put(undefined)
        await job.discard?.(id)
        if (state.is === 'done') return state.told
        throw new Error(`${name} could not transcribe it: ${shown(state.reason)}`)
      }
    }
  }
}

/** Whether the job was deleted meanwhile, or belongs to another account. Not every vendor answers 404 for an unknown id. */
const isGone = (error: unknown): boolean =>
  error instanceof RecordingRequestError &&
  (error.status === 400 || error.status === 404 || error.status === 410)
