// Which call a piece of work in the media thread belongs to, however many timers and promises later, and what becomes of a
// fault that nobody caught: the call it belongs to ends with its reason, the thread and its other calls go on.
//
// Everything that a call and its ports do begins inside the scope of that call, so Node knows whose it is. A fault without
// a call comes from an engine that calls share: it is logged, and a call that waits for an answer in vain gives up after
// its own patience. To end the thread instead would end every call for the mistake of one.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Log } from '../platform/log.ts'

export interface CallScope {
  run<Args extends unknown[], Result>(
    sessionId: string,
    act: (...args: Args) => Result,
    ...args: Args
  ): Result
}

export type FailCall = (sessionId: string, error: unknown) => void

/** To be called once in a thread. */
export function openCallScope(fail: FailCall, log: Pick<Log, 'warn'>): CallScope {
  const scope = new AsyncLocalStorage<string>()
  const onStray = (error: unknown) => {
    const sessionId = scope.getStore()
    log.warn({ sessionId, reason: reasonOf(error) }, 'a fault that nobody caught')
    if (sessionId !== undefined) fail(sessionId, error)
  }
  process.on('uncaughtException', onStray)
  process.on('unhandledRejection', onStray)
  return { run: (sessionId, act, ...args) => scope.run(sessionId, act, ...args) }
}

/** Not the error itself: it goes through a message, and may hold what cannot be copied. */
const reasonOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error)
