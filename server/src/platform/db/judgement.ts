// Whether a list of dead claimants can be trusted.
//
// A database that was away is back for one process before it is for another: a pooler may hold a statement for
// seconds and then serve it first. A process that looks then sees claimants that have not had the time to come back,
// and would take their work.
import type { Claimant } from './claim.ts'
import { DatabaseUnavailable } from './connection.ts'

// A look takes milliseconds; one that took this long was held up on the way.
const heldMs = 5_000
// Within this time every process has claimed its rows again, on a busy machine too.
const othersServedMs = 10_000

export class ClaimantJudge {
  readonly #claimant: Pick<Claimant, 'mayJudge'>
  #fromMs = Number.NEGATIVE_INFINITY

  constructor(claimant: Pick<Claimant, 'mayJudge'>) {
    this.#claimant = claimant
  }

  /** Returns undefined if the database is away, or was until a moment ago. */
  async look<Seen>(see: () => Promise<Seen>): Promise<Seen | undefined> {
    if (!this.#claimant.mayJudge) return undefined
    const begunMs = performance.now()
    const seen = await see().catch((error) => {
      if (error instanceof DatabaseUnavailable) this.#distrust()
      throw error
    })
    if (performance.now() - begunMs > heldMs) this.#distrust()
    return this.#claimant.mayJudge && performance.now() >= this.#fromMs ? seen : undefined
  }

  #distrust(): void {
    this.#fromMs = performance.now() + othersServedMs
  }
}
