// What a media thread does: takes orders from the main thread, runs them on one clock, tells what comes of them.
import { type MessagePort, parentPort } from 'node:worker_threads'
import { type CallParts, type CallSession, startCall } from '../call/session.ts'
import type { Log } from '../platform/log.ts'
import type { BrowserLink } from '../ports/browser-link.ts'
import type { CallOrder, CallOutcome, CallUpdate } from '../ports/call.ts'
import { assembleCall, type CallAssembly, EngineUnavailable } from './assemble-call.ts'
import { openCallScope } from './call-scope.ts'
import type { FromMedia, ToMedia } from './media-messages.ts'
import type { MediaRuntime } from './media-runtime.ts'

/**
 * To be called once in a thread, with what makes the runtime that its calls share. Another assembly than ours is for
 * tests, which have parts that break.
 */
export function serveCalls(
  openMediaRuntime: (log: Pick<Log, 'info' | 'warn'>) => MediaRuntime,
  assemble: (assembly: CallAssembly) => CallParts = assembleCall,
): void {
  const main = parentPort as MessagePort
  const tell = (message: FromMedia) => main.postMessage(message)
  const logAs = (level: 'info' | 'warn') => (fields: object, message: string) =>
    tell({ type: 'log', level, fields: { ...fields }, message })

  const log = { info: logAs('info'), warn: logAs('warn') } as never
  const runtime = openMediaRuntime(log)
  const sessions = new Map<string, CallSession>()
  const scope = openCallScope((sessionId, error) => sessions.get(sessionId)?.fail(error), log)

  const live = async (order: CallOrder, browser: BrowserLink | undefined): Promise<CallOutcome> => {
    const { sessionId } = order
    const onUpdate = (update: CallUpdate) => tell({ type: 'update', sessionId, update })
    const session = startCall(order, assemble({ order, browser, runtime, onUpdate }))
    sessions.set(sessionId, session)
    const tick = (dueMs: number) => session.tick(dueMs)
    const ticking = runtime.ticker.add((dueMs) => scope.run(sessionId, tick, dueMs))
    try {
      return await session.done
    } finally {
      ticking.end()
    }
  }

  const run = async (order: CallOrder, browser: BrowserLink | undefined): Promise<void> => {
    const { sessionId } = order
    const outcome = await scope.run(sessionId, live, order, browser).catch(unborn)
    sessions.delete(sessionId)
    // A call that never had a line leaves nobody waiting.
    browser?.port.close()
    const provider = browser ? 'browser' : runtime.carrier.name
    try {
      tell({ type: 'outcome', sessionId, outcome: { ...outcome, provider } })
    } catch (error) {
      // Something in it cannot be sent to another thread. Without any outcome the call would never end.
      tell({ type: 'outcome', sessionId, outcome: { ...unsendable(outcome, error), provider } })
    }
  }

  const stop = (sessionId: string, why: 'api' | 'draining') =>
    scope.run(sessionId, () => sessions.get(sessionId)?.stop(why))

  main.on('message', async (message: ToMedia) => {
    // All messages wait for the same promise, so they stay in order.
    await runtime.engines.voices.ready
    switch (message.type) {
      case 'run':
        return run(message.order, message.browser)
      case 'stop':
        return stop(message.sessionId, message.why === 'api' ? 'api' : 'draining')
      case 'close':
        await runtime.close()
        return main.close()
    }
  })
}

/** The outcome without what came from the ports. */
const unsendable = (outcome: CallOutcome, error: unknown): CallOutcome => ({
  ...unborn(error),
  hangupReason: 'worker_lost',
  answeredAfterMs: outcome.answeredAfterMs,
  durationSeconds: outcome.durationSeconds,
  recorded: outcome.recorded,
})

/** A call that could not even begin has an outcome, too. */
function unborn(error: unknown): CallOutcome {
  const choice = error instanceof EngineUnavailable ? error.choice : undefined
  return {
    status: 'failed',
    terminatedBy: 'system',
    hangupReason: choice ? (choice.part === 'transcriber' ? 'stt_error' : 'tts_error') : 'dial_failed',
    errorMessage: error instanceof Error ? error.message : String(error),
    answeredBy: null,
    answeredAfterMs: null,
    durationSeconds: 0,
    callSid: null,
    transcript: [],
    latency: [],
    usage: { sttSeconds: 0, llmInputTokens: 0, llmOutputTokens: 0, ttsCharacters: 0 },
    engines: choice ? [{ ...choice, used: 'none' }] : [],
    recorded: false,
  }
}
