// Reports words while they are said, no more often than people can read.
import type { CallUpdate } from '../../ports/call.ts'
import type { Clock } from '../call-parts.ts'

type Role = 'agent' | 'user'

// Four reports a second.
const gapMs = 250

export class PartialTranscripts {
  readonly #clock: Clock
  readonly #onUpdate: (update: CallUpdate) => void
  readonly #toldMs: Record<Role, number> = { agent: Number.NEGATIVE_INFINITY, user: Number.NEGATIVE_INFINITY }
  readonly #waiting: Record<Role, string> = { agent: '', user: '' }

  constructor(clock: Clock, onUpdate: (update: CallUpdate) => void) {
    this.#clock = clock
    this.#onUpdate = onUpdate
  }

  tell(role: Role, text: string): void {
    this.#waiting[role] = text
    this.#flush(role)
  }

  /** The final text was reported; anything pending is older. */
  forget(role: Role): void {
    this.#waiting[role] = ''
  }

  tick(): void {
    this.#flush('agent')
    this.#flush('user')
  }

  #flush(role: Role): void {
    const text = this.#waiting[role]
    if (!text || this.#clock.nowMs - this.#toldMs[role] < gapMs) return
    this.#toldMs[role] = this.#clock.nowMs
    this.#waiting[role] = ''
    this.#onUpdate({ type: 'partial', role, text })
  }
}
