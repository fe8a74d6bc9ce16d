// What a media thread does: takes orders from the main thread, runs them on one clock, tells what comes of them.
import { type MessagePort, parentPort } from 'node:worker_threads'
import { type CallSession, startCall } from '../call/session.ts'
import type { Log } from '../platform/log.ts'
import type { BrowserLink } from '../ports/browser-link.ts'
import type { CallOrder, CallOutcome, CallUpdate } from '../ports/call.ts'
import { assembleCall, EngineUnavailable } from './assemble-call.ts'
import type { FromMedia, ToMedia } from './media-messages.ts'
import type { MediaRuntime } from './media-runtime.ts'

/** To be called once in a thread, with whatever makes the runtime that its calls share. */
export function serveCalls(openMediaRuntime: (log: Pick<Log, 'info' | 'warn'>) => MediaRuntime): void {
  const main = parentPort as MessagePort
  const tell = (message: FromMedia) => main.postMessage(message)
  const logAs = (level: 'info' | 'warn') => (fields: object, message: string) =>
    tell({ type: 'log', level, fields: { ...fields }, message })

  const runtime = openMediaRuntime({ info: logAs('info'), warn: logAs('warn') } as never)
  const sessions = new Map<string, CallSession>()

  const live = async (order: CallOrder, browser: BrowserLink | undefined): Promise<CallOutcome> => {
    const { sessionId } = order
    const onUpdate = (update: CallUpdate) => tell({ type: 'update', sessionId, update })
    const session = startCall(order, assembleCall({ order, browser, runtime, onUpdate }))
    sessions.set(sessionId, session)
    const ticking = runtime.ticker.add((dueMs) => session.tick(dueMs))
    try {
      return await session.done
    } finally {
      ticking.end()
    }
  }

  const run = async (order: CallOrder, browser: BrowserLink | undefined): Promise<void> => {
    const { sessionId } = order
    const outcome = await live(order, browser).catch(unborn)
    sessions.delete(sessionId)
    // A call that never had a line leaves nobody waiting.
    browser?.port.close()
    const provider = browser ? 'browser' : runtime.carrier.name
    tell({ type: 'outcome', sessionId, outcome: { ...outcome, provider } })
  }

  main.on('message', async (message: ToMedia) => {
    // All messages wait for the same promise, so they stay in order.
    await runtime.engines.voices.ready
    switch (message.type) {
      case 'run':
        return run(message.order, message.browser)
      case 'stop':
        return sessions.get(message.sessionId)?.stop(message.why === 'api' ? 'api' : 'draining')
      case 'close':
        await runtime.close()
        return main.close()
    }
  })
}

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
