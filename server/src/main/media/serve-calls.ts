// The media thread's work: takes calls from the main thread, runs them on one clock, reports updates and outcomes.
import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import { type MessagePort, parentPort } from 'node:worker_threads'
import { attempt } from '../../call/contain.ts'
import { Tap } from '../../call/record/tap.ts'
import { type CallParts, type CallSession, startCall } from '../../call/session.ts'
import { Punctuality } from '../../platform/clock/punctuality.ts'
import type { OnTick } from '../../platform/clock/ticker.ts'
import type { Log } from '../../platform/log.ts'
import type { HandedOver } from '../../ports/arrival.ts'
import type { CallOutcome, CallUpdate } from '../../ports/call.ts'
import type { CallPlan } from '../../ports/call-plan.ts'
import { EngineUnavailable } from '../../speech/assemble-speech.ts'
import { onPassedOver } from '../../vendors/over/wire/passed-over.ts'
import type { CallConnection } from '../open-carriers.ts'
import { assembleCall, type CallAssembly } from './assemble-call.ts'
import { loadExpected } from './load-expected.ts'
import { knowledgeOver, speechCacheOver } from './main-thread-links.ts'
import type { FromMedia, ToMedia } from './media-messages.ts'
import type { MediaRuntime } from './media-runtime.ts'

/**
 * Called once per thread, with a function that opens the runtime that its calls share. Tests pass an assembly of
 * their own, with faulty parts.
 */
export function serveCalls(
  openMediaRuntime: (log: Pick<Log, 'info' | 'warn'>) => MediaRuntime,
  assemble: (assembly: CallAssembly) => CallParts = assembleCall,
): void {
  const main = parentPort as MessagePort
  const post = (message: FromMedia) => main.postMessage(message)
  const logAs = (level: 'info' | 'warn') => (fields: object, message: string) =>
    post({ type: 'log', level, fields: { ...fields }, message })

  const log: Pick<Log, 'info' | 'warn'> = { info: logAs('info'), warn: logAs('warn') } as never
  const runtime = openMediaRuntime(log)
  runtime.carriers.onPost((carrier, message) => post({ type: 'carrier', carrier, message }))
  onPassedOver((message) => post({ type: 'passed-over', message }))
  void runtime.warmed.then(() => post({ type: 'warm', what: 'usual' }))
  const punctuality = new Punctuality({
    ticker: runtime.ticker,
    mostLateShare: runtime.config.mostLateShare,
    onChange: (keepsTime) => post({ type: 'punctuality', keepsTime }),
  })
  const knowledge = knowledgeOver(post)
  const speechCache = speechCacheOver(post)
  const sessions = new Map<string, CallSession>()
  const taps = new Map<string, Tap>()
  const scope = openCallScope((sessionId, error) => sessions.get(sessionId)?.fail(error), log)

  const live = async (plan: CallPlan, { connect }: CallConnection): Promise<CallOutcome> => {
    const { sessionId } = plan
    const onUpdate = (update: CallUpdate) => post({ type: 'update', sessionId, update })
    const parts = assemble({ plan, connect, runtime, onUpdate, knowledge, speechCache })
    const tap = new Tap((samples, rateHz) => post({ type: 'sound', sessionId, samples, rateHz }))
    taps.set(sessionId, tap)
    const session = startCall(plan, { ...parts, recording: parts.recording && tap.over(parts.recording) })
    sessions.set(sessionId, session)
    const ticking = runtime.ticker.add(scope.bind(sessionId, (dueMs, lateMs) => session.tick(dueMs, lateMs)))
    try {
      return await session.done
    } finally {
      ticking.end()
      for (const fault of attempt(() => parts.release?.()))
        log.warn({ sessionId, fault }, 'not everything of a call was released')
    }
  }

  const run = async (plan: CallPlan, arrival: HandedOver | undefined): Promise<void> => {
    const { sessionId } = plan
    const connection = runtime.carriers.connectionFor(plan, arrival)
    punctuality.callBegan()
    const outcome = await scope.run(sessionId, live, plan, connection).catch(failedToStart)
    punctuality.callEnded()
    sessions.delete(sessionId)
    taps.delete(sessionId)
    connection.release()
    const provider = connection.provider ?? undefined
    try {
      post({ type: 'outcome', sessionId, outcome: { ...outcome, provider } })
    } catch (error) {
      // A part of the outcome cannot be cloned, and without an outcome the call would never end.
      post({ type: 'outcome', sessionId, outcome: { ...unsendable(outcome, error), provider } })
    }
  }

  const stop = (sessionId: string, why: 'api' | 'draining') =>
    scope.run(sessionId, () => sessions.get(sessionId)?.stop(why))

  main.on('message', async (message: ToMedia) => {
    switch (message.type) {
      case 'run':
        return run(message.plan, message.arrival)
      case 'stop':
        return stop(message.sessionId, message.why === 'api' ? 'api' : 'draining')
      case 'expect':
        await loadExpected(runtime.engines, message.speech, log)
        return post({ type: 'warm', what: 'expected' })
      case 'listen':
        return taps.get(message.sessionId)?.open(message.on)
      case 'passages':
        return knowledge.receive(message)
      case 'speech':
        return speechCache.receive(message)
      case 'carrier':
        return runtime.carriers.receive(message.carrier, message.message)
      case 'close':
        await runtime.close()
        return main.close()
    }
  })
}

/** The outcome without the values that came from ports. */
const unsendable = (outcome: CallOutcome, error: unknown): CallOutcome => ({
  ...failedToStart(error),
  hangupReason: 'worker_lost',
  answeredAfterMs: outcome.answeredAfterMs,
  durationSeconds: outcome.durationSeconds,
  recorded: outcome.recorded,
})

/** The outcome of a call that could not begin. */
function failedToStart(error: unknown): CallOutcome {
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
    usage: { sttSeconds: 0, llmInputTokens: 0, llmOutputTokens: 0, ttsCharacters: 0, models: [] },
    engines: choice ? [{ ...choice, used: 'none' }] : [],
    recorded: false,
  }
}

// Tracks which call an asynchronous operation in the media thread belongs to, and handles uncaught errors: the call
// ends with the reason, while the thread and its other calls continue.
//
// Everything that a call and its ports do starts inside the scope of that call, so Node can attribute it. An error
// without a call comes from an engine shared by calls: it is logged, and a call that waits for its answer times out by
// itself. Ending the thread instead would end every call for the fault of one.

type FailCall = (sessionId: string, error: unknown) => void

/** Call it once per thread. */
function openCallScope(fail: FailCall, log: Pick<Log, 'warn'>) {
  const scope = new AsyncLocalStorage<string>()
  const onUncaught = (error: unknown) => {
    const sessionId = scope.getStore()
    log.warn({ sessionId, reason: reasonOf(error) }, 'a fault that nobody caught')
    if (sessionId !== undefined) fail(sessionId, error)
  }
  process.on('uncaughtException', onUncaught)
  process.on('unhandledRejection', onUncaught)
  return {
    run: <Args extends unknown[], Result>(
      sessionId: string,
      act: (...args: Args) => Result,
      ...args: Args
    ): Result => scope.run(sessionId, act, ...args),
    /** For what happens with every frame: the scope is made once, and entering it costs a twentieth of `run`. */
    bind(sessionId: string, onTick: OnTick): OnTick {
      const entered = scope.run(sessionId, () => new AsyncResource('call'))
      return (dueMs, lateMs) => entered.runInAsyncScope(onTick, undefined, dueMs, lateMs)
    },
  }
}

/** The text of an error stands for the error, which is sent in a message and may hold values that cannot be cloned. */
const reasonOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error)
