// Records a call: both sides of the same 20 ms, every 20 ms. A failing recording does not end the call.
import type { Frame } from '../../media/frame.ts'
import type { RecordingSink } from '../../ports/recording.ts'
import { sentence } from '../engine-fault.ts'

export class Recorder {
  readonly #sink: RecordingSink | undefined
  readonly #onFailure: (error: string) => void
  #failed = false

  constructor(sink: RecordingSink | undefined, onFailure: (error: string) => void) {
    this.#sink = sink
    this.#onFailure = onFailure
  }

  write(caller: Frame, agent: Frame): void {
    if (!this.#sink || this.#failed) return
    try {
      this.#sink.write(caller, agent)
    } catch (error) {
      this.#fail(error)
    }
  }

  /** True when there is a recording and it is complete. */
  async close(): Promise<boolean> {
    if (!this.#sink) return false
    try {
      await this.#sink.close()
    } catch (error) {
      this.#fail(error)
    }
    return !this.#failed
  }

  #fail(error: unknown): void {
    if (!this.#failed) this.#onFailure(`The recording failed: ${sentence(error)}`)
    this.#failed = true
  }
}
