// One synthesis for any number of readers, each at its own pace; it runs no faster than the fastest of them reads.
import type { Frame } from '../../media/frame.ts'

export interface SpeechWatcher {
  readonly onWhole: () => void
  /** Reports that it cannot be read again: it failed, or all readers stopped before the end. */
  readonly onLost: () => void
}

type State = 'being-made' | 'whole' | 'lost'

export class SharedSpeech {
  readonly #watcher: SpeechWatcher
  readonly #source: AsyncIterator<Frame>
  readonly #stop = new AbortController()
  readonly #frames: Frame[] = []
  #state: State = 'being-made'
  #coming: Promise<void> | undefined
  #readers = 0

  constructor(begin: (signal: AbortSignal) => AsyncIterable<Frame>, watcher: SpeechWatcher) {
    this.#watcher = watcher
    this.#source = begin(this.#stop.signal)[Symbol.asyncIterator]()
  }

  get isWhole(): boolean {
    return this.#state === 'whole'
  }

  get bytes(): number {
    return this.#frames.reduce((sum, { samples }) => sum + samples.byteLength, 0)
  }

  /** Reads the frames. Ends without an error when the signal aborts; other readers are not affected. */
  async *read(signal: AbortSignal): AsyncGenerator<Frame> {
    this.#readers++
    const { promise: aborted, resolve } = Promise.withResolvers<void>()
    const onAbort = () => resolve()
    signal.addEventListener('abort', onAbort)
    try {
      for (let place = 0; !signal.aborted; ) {
        const frame = this.#frames[place]
        if (frame) {
          place++
          yield { ...frame, samples: frame.samples.slice() }
        } else if (this.isWhole) return
        else await Promise.race([this.#more(), aborted])
      }
    } finally {
      signal.removeEventListener('abort', onAbort)
      this.#readers--
      this.#leave()
    }
  }

  #more(): Promise<void> {
    this.#coming ??= this.#pull().finally(() => {
      this.#coming = undefined
    })
    return this.#coming
  }

  async #pull(): Promise<void> {
    try {
      const next = await this.#source.next()
      if (!next.done) this.#frames.push(next.value)
      else if (this.#state === 'being-made') {
        this.#state = 'whole'
        this.#watcher.onWhole()
      }
    } catch (error) {
      this.#lose()
      throw error
    }
  }

  /** Ends one reading; synthesis stops when no reader is left. */
  #leave(): void {
    if (this.#readers > 0 || this.#state !== 'being-made') return
    this.#stop.abort()
    this.#lose()
  }

  #lose(): void {
    this.#state = 'lost'
    this.#watcher.onLost()
  }
}
