// Work that a server does in its own time: ordered once, remembered, and looked after until it is done.
import { growingMs, type Pace, pause } from './pace.ts'
import { Trouble, type Wire } from './wire.ts'

export type Look<Told> =
  | { readonly is: 'working' }
  | { readonly is: 'done'; readonly told: Told }
  | { readonly is: 'failed'; readonly reason: string }

export interface RemoteJob<Told> {
  /** Sends the sound and orders the work; answers with the name under which the server knows it. */
  order(): Promise<string>
  look(id: string): Promise<Look<Told>>
  /** Has the server throw away what it need not keep. Never rejects: it is nobody's misfortune if it stays. */
  forget?(id: string): Promise<void>
}

export type Finish = <Told>(job: RemoteJob<Told>) => Promise<Told>

/** Where the name of the work outlives this process. */
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

// Nobody says how far it is: after the order a fifth is done, and the rest comes nearer with every look.
const shareAfter = (looks: number): number => 0.2 + 0.7 * (1 - 0.95 ** looks)

export function openFinish({ name, shown, memory, pace, signal, onProgress }: FinishOptions): Finish {
  return async (job) => {
    const order = async () => {
      const id = await job.order()
      memory.put(id)
      return id
    }
    const remembered = memory.get()
    let id = remembered ?? (await order())
    for (let looks = 0; ; looks++) {
      onProgress(shareAfter(looks))
      const look = await job.look(id).catch((error) => {
        if (id === remembered && isGone(error)) return undefined
        throw error
      })
      if (!look) id = await order()
      else if (look.is === 'working') await pause(growingMs(looks + 1, pace), signal)
      else {
        if (look.is === 'failed') memory.put(undefined)
        await job.forget?.(id)
        if (look.is === 'done') return look.told
        throw new Error(`${name} could not transcribe it: ${shown(look.reason)}`)
      }
    }
  }
}

/** Deleted since, or of another account. Not every server says 404 of a name that it does not know. */
const isGone = (error: unknown): boolean =>
  error instanceof Trouble && (error.status === 400 || error.status === 404 || error.status === 410)
