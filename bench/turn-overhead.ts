// Breaks down one call's turns: when the caller's turn ended, when engines worked, when the first frame left.

export interface TurnOverhead {
  /** The time from the decision to the first frame, less the time engines were working in between. */
  readonly ownMs: number
  /** The same time, less the wait for the first possible frame slot. */
  readonly beyondSlotMs: number
}

const slotMs = 20

export class TurnClock {
  /** The current tick. */
  dueMs = 0
  readonly #onTurn: (turn: TurnOverhead) => void
  #work: { readonly fromMs: number; readonly toMs: number }[] = []
  #decidedMs: number | undefined

  constructor(onTurn: (turn: TurnOverhead) => void) {
    this.#onTurn = onTurn
  }

  worked(fromMs: number, toMs: number): void {
    this.#work.push({ fromMs, toMs })
  }

  /** Measured from the due time of the deciding tick: running late counts as ours. */
  decided(): void {
    this.#decidedMs = this.dueMs
  }

  sent(atMs: number, audible: boolean): void {
    if (this.#decidedMs === undefined || !audible) return
    const decidedMs = this.#decidedMs
    const engineMs = this.#work.reduce(
      (sum, { fromMs, toMs }) => sum + Math.max(0, Math.min(toMs, atMs) - Math.max(fromMs, decidedMs)),
      0,
    )
    const readyMs = this.#work.reduce((latest, { toMs }) => Math.max(latest, toMs), decidedMs)
    const slot = Math.ceil((readyMs - decidedMs) / slotMs)
    this.#onTurn({
      ownMs: atMs - decidedMs - engineMs,
      beyondSlotMs: atMs - decidedMs - slot * slotMs,
    })
    this.#decidedMs = undefined
    this.#work = []
  }
}
