// Whether anybody on the way of a call that we place has said anything yet. A trunk that is gone says nothing, and that is
// another end than a telephone that nobody picks up.
import { type After, firstWordMs } from '../transport/timers.ts'

type State = 'idle' | 'waiting' | 'late' | 'proven' | 'over'

export class TrunkReach {
  readonly #after: After
  readonly #onChange: (isInReach: boolean) => void
  #state: State = 'idle'
  #stopWaiting = () => {}

  constructor(after: After, onChange: (isInReach: boolean) => void) {
    this.#after = after
    this.#onChange = onChange
  }

  get isProven(): boolean {
    return this.#state === 'proven'
  }

  /** The first INVITE goes out; those to further servers change nothing. */
  begin(): void {
    if (this.#state !== 'idle') return
    this.#state = 'waiting'
    this.#stopWaiting = this.#after(firstWordMs, () => {
      this.#state = 'late'
      this.#onChange(false)
    })
  }

  prove(): void {
    if (this.#state === 'late') this.#onChange(true)
    if (this.#state === 'waiting' || this.#state === 'late') this.#become('proven')
  }

  end(): void {
    if (this.#state !== 'proven') this.#become('over')
  }

  #become(state: State): void {
    this.#stopWaiting()
    this.#state = state
  }
}
