// Which vendors have failed lately, by workspace: the next call does not wait for the same fault.

interface Circuit {
  readonly failures: number
  readonly why: string
  readonly untilMs: number
}

// The first failure may be an accident, so it counts briefly; a vendor that fails whenever it is tried is down, or its
// key is not valid.
const firstMs = 15_000
const longestMs = 300_000

export class Circuits {
  readonly #open = new Map<string, Circuit>()
  readonly #nowMs: () => number

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs
  }

  /** Why a vendor is not to be used now; undefined: it may be used. */
  faultOf(name: string): string | undefined {
    const circuit = this.#open.get(name)
    return circuit && this.#nowMs() < circuit.untilMs ? circuit.why : undefined
  }

  /** `why` is one sentence. */
  fail(name: string, why: string): void {
    const failures = (this.#open.get(name)?.failures ?? 0) + 1
    const restMs = Math.min(firstMs * 2 ** (failures - 1), longestMs)
    this.#open.set(name, { failures, why, untilMs: this.#nowMs() + restMs })
  }

  succeed(name: string): void {
    this.#open.delete(name)
  }
}
