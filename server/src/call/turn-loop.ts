// Takes the events of a call through the turn logic, one at a time, even when handling one raises another.
import type { TurnRules } from '../ports/call-plan.ts'
import { newTurn, takeTurn } from './turn/turn.ts'
import { type Act, isApart, type Turn, type TurnEvent } from './turn/turn-state.ts'

export interface TurnLoopParts {
  readonly rules: TurnRules
  readonly act: (act: Act) => void
  readonly fail: (error: unknown) => void
}

export class TurnLoop {
  readonly #parts: TurnLoopParts
  readonly #events: TurnEvent[] = []
  #turn: Turn | undefined
  #isBusy = false
  #isOver = false

  constructor(parts: TurnLoopParts) {
    this.#parts = parts
  }

  /** The state of the turn logic; undefined before the call has begun. */
  get turn(): Turn | undefined {
    return this.#turn
  }

  get isApart(): boolean {
    return this.#turn !== undefined && isApart(this.#turn)
  }

  begin(nowMs: number): void {
    this.#turn ??= newTurn(nowMs, this.#parts.rules.language)
  }

  dispatch(event: TurnEvent): void {
    this.#events.push(event)
    if (this.#isBusy) return
    this.#isBusy = true
    const { rules, act, fail } = this.#parts
    try {
      for (let next = this.#next(); next && this.#turn; next = this.#next()) {
        const { turn, acts } = takeTurn(this.#turn, next, rules)
        this.#turn = turn
        for (const one of acts) act(one)
      }
    } catch (error) {
      fail(error)
    } finally {
      this.#isBusy = false
    }
  }

  /** Ignores all further events. */
  close(): void {
    this.#isOver = true
  }

  #next(): TurnEvent | undefined {
    const event = this.#events.shift()
    return this.#isOver ? undefined : event
  }
}
