// Takes one call's turns apart: when it was decided that the caller is done, when engines worked, when the first frame left.

export interface OwnShare {
  /** From the decision to the first frame, without the time that engines were at work in between. */
  readonly ownMs: number
  /** What is left of it when the first slot is also taken away in which the frame could have left. */
  readonly beyondSlotMs: number
}

const slotMs = 20

export class TurnClock {
  /** The tick that is being run. */
  dueMs = 0
  readonly #onTurn: (turn: OwnShare) => void
  #work: { readonly fromMs: number; readonly toMs: number }[] = []
  #decidedMs: number | undefined

  constructor(onTurn: (turn: OwnShare) => void) {
    this.#onTurn = onTurn
  }

  worked(fromMs: number, toMs: number): void {
    this.#work.push({ fromMs, toMs })
  }

  /** Counted from when the tick was due that decided it: being late for it is ours, too. */
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
