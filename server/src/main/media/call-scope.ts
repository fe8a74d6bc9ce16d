// Tracks which call an asynchronous operation in the media thread belongs to, and handles uncaught errors: the call
// ends with the reason, while the thread and its other calls continue.
//
// Everything that a call and its ports do starts inside the scope of that call, so Node can attribute it. An error
// without a call comes from an engine shared by calls: it is logged, and a call that waits for its answer times out by
// itself. Ending the thread instead would end every call for the fault of one.
import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import type { Log } from '../../platform/log.ts'

export interface CallScope {
  run<Args extends unknown[], Result>(
    sessionId: string,
    act: (...args: Args) => Result,
    ...args: Args
  ): Result
  /** For what happens with every frame: the scope is made once, and entering it costs a twentieth of `run`. */
  bind<Arg>(sessionId: string, act: (arg: Arg) => void): (arg: Arg) => void
}

export type FailCall = (sessionId: string, error: unknown) => void

/** Call it once per thread. */
export function openCallScope(fail: FailCall, log: Pick<Log, 'warn'>): CallScope {
  const scope = new AsyncLocalStorage<string>()
  const onUncaught = (error: unknown) => {
    const sessionId = scope.getStore()
    log.warn({ sessionId, reason: reasonOf(error) }, 'a fault that nobody caught')
    if (sessionId !== undefined) fail(sessionId, error)
  }
  process.on('uncaughtException', onUncaught)
  process.on('unhandledRejection', onUncaught)
  return {
    run: (sessionId, act, ...args) => scope.run(sessionId, act, ...args),
    bind(sessionId, act) {
      const entered = scope.run(sessionId, () => new AsyncResource('call'))
      return (arg) => entered.runInAsyncScope(act, undefined, arg)
    },
  }
}

/** Not the error itself: it is sent in a message, and may contain values that cannot be cloned. */
const reasonOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error)
