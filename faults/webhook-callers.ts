// Ends calls one after the other, whatever else happens, and records which ends were acknowledged.
import { setTimeout as sleep } from 'node:timers/promises'
import { workspaceId } from '../bench/service-process.ts'
import type { Db } from '../server/src/platform/db/db.ts'
import { calls } from '../server/src/resources/calls/calls.ts'

// The pause between ends of calls. Fifty a second: with three endpoints some deliveries are always in progress, and a restart catches up quickly.
const everyMs = 20
// The pause before a retry: an immediate one would fail the same way.
const pauseMs = 50
// The longest recovery: beyond it, the run itself has failed.
const patienceMs = 60_000

const ending = {
  callStatus: 'completed',
  duration: 12.5,
  callSid: null,
  completedAt: null,
  terminatedBy: 'user',
  // Non-ASCII on purpose: bytes are compared.
  transcript: [{ role: 'user', content: 'Grüße — 你好 \u2028 "quoted"' }],
  recording: null,
  analytics: null,
}

export interface CallEnder {
  /** Session ids of the calls whose end was acknowledged. */
  readonly acknowledged: ReadonlySet<string>
  /** Ends repeated because the response never came. */
  readonly saidAgain: () => number
  /** Resolves when every end is acknowledged. */
  stop(): Promise<void>
}

/** Starts to end calls, which are distributed over the agents. */
export function startCalling(db: Db, agentIds: readonly string[]): CallEnder {
  const acknowledged = new Set<string>()
  const underWay = new Set<Promise<void>>()
  const book = calls(db, 0)
  let begun = 0
  let saidAgain = 0
  let failure: unknown

  const end = async (sessionId: string) => {
    const giveUpAt = Date.now() + patienceMs
    for (;;) {
      const error = await book.finish(sessionId, ending).catch((reason: unknown) => reason)
      if (error === undefined) return acknowledged.add(sessionId)
      if (Date.now() > giveUpAt) throw error
      saidAgain++
      await sleep(pauseMs)
    }
  }
  const call = async (agentId: string) => {
    const who = { workspaceId, agentId, callType: 'outbound', toPhoneNumber: null }
    // Without a database no call can be created: it is tried again.
    const sessionId = await book.begin(who).catch(() => undefined)
    if (sessionId !== undefined) await end(sessionId)
  }
  const timer = setInterval(() => {
    const running = call(agentIds[begun++ % agentIds.length] as string)
      .catch((error) => (failure = error))
      .finally(() => underWay.delete(running))
    underWay.add(running)
  }, everyMs)

  return {
    acknowledged,
    saidAgain: () => saidAgain,
    async stop() {
      clearInterval(timer)
      await Promise.all(underWay)
      if (failure) throw failure
    },
  }
}
