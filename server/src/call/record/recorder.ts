// Records a call: both sides of the same 20 ms, every 20 ms. A failing recording does not end the call.
import { type Frame, silence } from '../../media/frame.ts'
import type { RecordingSink } from '../../ports/recording.ts'
import { faultSentence } from '../contain.ts'

export class Recorder {
  readonly #sink: RecordingSink | undefined
  readonly #onFailure: (error: string) => void
  #failed = false
  #waits: boolean
  #dropping: Promise<void> | undefined

  /** `waits`: silence is recorded until `begin`, so that times stay right. */
  constructor(sink: RecordingSink | undefined, onFailure: (error: string) => void, waits = false) {
    this.#sink = sink
    this.#onFailure = onFailure
    this.#waits = waits
  }

  begin(): void {
    this.#waits = false
  }

  /** Discards the recording, and records nothing more. */
  drop(): void {
    this.#dropping ??= this.#sink?.discard().catch((error) => this.#fail(error))
  }

  write(caller: Frame, agent: Frame): void {
    if (!this.#sink || this.#failed || this.#dropping) return
    try {
      if (this.#waits) this.#sink.write(silence(caller.rateHz), silence(agent.rateHz))
      else this.#sink.write(caller, agent)
    } catch (error) {
      this.#fail(error)
    }
  }

  /** Closes the recording; true if there is one and it is complete. */
  async close(): Promise<boolean> {
    if (!this.#sink) return false
    // A call that ends before the caller has agreed has no recording.
    if (this.#waits) this.drop()
    if (this.#dropping) {
      await this.#dropping
      return false
    }
    try {
      await this.#sink.close()
    } catch (error) {
      this.#fail(error)
    }
    return !this.#failed
  }

  #fail(error: unknown): void {
    if (!this.#failed) this.#onFailure(`The recording failed: ${faultSentence(error)}`)
    this.#failed = true
  }
}
