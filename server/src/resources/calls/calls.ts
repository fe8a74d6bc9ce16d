// The rules of calls. However a call was made, it ends here, once, and its event follows.
import type { Queries } from '../../platform/db.ts'
import { newId } from '../../platform/ids.ts'
import { type CallEnd, finishCall, insertCall, type NewCall } from './store.ts'

export { type CallEnd, takeDueCalls, untilNextDue } from './store.ts'

export const calls = (db: Queries, eventDelaySeconds: number) => ({
  async begin(call: Omit<NewCall, 'sessionId'>): Promise<string> {
    const sessionId = newId()
    await insertCall(db, { ...call, sessionId })
    return sessionId
  },

  /** The end of the call and the promise of its event, together or not at all. */
  async finish(sessionId: string, end: CallEnd): Promise<void> {
    await finishCall(db, sessionId, end, eventDelaySeconds)
  },
})
