// Calls whose process died, or has handed them over, and whose carrier can go on with them: found, and claimed for this
// process.

import { type Claimant, liveClaimants } from '../../../platform/db/claim.ts'
import { type Db, statement } from '../../../platform/db/db.ts'
import { ClaimantJudge } from '../../../platform/db/judgement.ts'
import type { ResumedCall } from '../../../ports/call-plan.ts'
import { storedSoFar } from '../record/event-store.ts'
import { entryOfLine, latencyOfLine } from '../record/event-wire.ts'
import { type ClaimedCall, initiated } from './backlog.ts'
import { hasLetGo } from './handover.ts'

const orphans = statement(`
  SELECT c.session_id, c.claimed_by, s.carrier, s.state
  FROM call_states s JOIN calls c USING (session_id)
  WHERE c.claimed_by IS NOT NULL AND c.claimed_by NOT IN (${liveClaimants})
  ORDER BY c.session_id LIMIT $1`)

// The row decides between several processes that have found it.
const adopt = statement(`
  WITH claimed AS (
    UPDATE calls SET claimed_by = $1, updated_at = now()
    WHERE session_id = $2 AND claimed_by = $3 AND NOT finished
    RETURNING *
  ), ${initiated}`)

// A process that lost its connection has it again within a quarter of a second. One that is slower loses its calls to
// us, and abandons them.
const deadForMs = 750
const atOnce = 100

interface Orphan {
  session_id: string
  claimed_by: number
  carrier: string
  state: Buffer
}

export interface AdoptedCall {
  readonly call: ClaimedCall
  readonly carrier: string
  /** Sealed. */
  readonly state: Buffer
  readonly resumed: ResumedCall
  /** The sequence number of the next event. */
  readonly seq: number
}

export class OrphanedCalls {
  readonly #db: Db
  /** When each claimant was first seen dead. */
  readonly #deadSince = new Map<number, number>()
  readonly #judgement: ClaimantJudge

  constructor(db: Db, claimant: Pick<Claimant, 'mayJudge'>) {
    this.#db = db
    this.#judgement = new ClaimantJudge(claimant)
  }

  /** Claims at most so many. The claimant that is given is this process's. */
  async adopt(claimantId: number, most: number): Promise<readonly AdoptedCall[]> {
    const candidates = await this.#judgement.look(() => this.#db.rows<Orphan>(orphans, [atOnce]))
    if (!candidates) {
      this.#deadSince.clear()
      return []
    }
    const nowMs = performance.now()
    const dead = new Set(candidates.map(({ claimed_by }) => claimed_by))
    for (const id of this.#deadSince.keys()) if (!dead.has(id)) this.#deadSince.delete(id)
    for (const id of dead) if (!this.#deadSince.has(id)) this.#deadSince.set(id, nowMs)
    const due = candidates.filter(
      ({ claimed_by: id }) => hasLetGo(id) || nowMs - (this.#deadSince.get(id) ?? nowMs) >= deadForMs,
    )
    const adopted: AdoptedCall[] = []
    for (const orphan of due) {
      if (adopted.length >= most) break
      const call = await this.#db.row<ClaimedCall>(adopt, [claimantId, orphan.session_id, orphan.claimed_by])
      if (call) adopted.push({ ...(await this.#soFar(orphan.session_id)), ...orphan, call })
    }
    return adopted
  }

  async #soFar(sessionId: string): Promise<Pick<AdoptedCall, 'resumed' | 'seq'>> {
    const { last, answered, transcript, latency, variables } = await storedSoFar(this.#db, sessionId)
    return {
      seq: (last?.seq ?? 0) + 1,
      resumed: {
        elapsedMs: answered ? Math.max(0, Date.now() - answered.at.getTime()) : 0,
        transcript: transcript.map(entryOfLine),
        latency: latency.map(latencyOfLine),
        variables,
      },
    }
  }
}
