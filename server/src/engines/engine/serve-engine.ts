// The worker's side of an engine thread: loads once, then answers one question after the other.
import { parentPort, workerData } from 'node:worker_threads'
import { giveWay } from '../../platform/clock/thread-priority.ts'
import {
  type EngineWorkerData,
  type FromEngine,
  firstLine,
  type ToEngine,
  type TransferredBuffers,
} from './engine-messages.ts'

export interface Engine<Question, Answer> {
  /** Answers a question. Only engines that yield between steps can react to the signal. */
  answer(question: Question, signal: AbortSignal): Answer | Promise<Answer>
  moved?(answer: Answer): TransferredBuffers
  release(): void | Promise<void>
}

export function serveEngine<Load, Question, Answer>(
  load: (from: Load) => Promise<Engine<Question, Answer>>,
): void {
  const port = parentPort
  if (!port) throw new Error('an engine must run in a worker thread')
  const post = (message: FromEngine<Answer>, moved: TransferredBuffers = []) =>
    port.postMessage(message, [...moved])
  const options = workerData as EngineWorkerData<Load>
  const park = () => {
    Atomics.store(options.parked, 0, 1)
    Atomics.notify(options.parked, 0)
    port.close()
  }
  // The thread that started it may be one that goes first.
  giveWay(options.niceness)
  const engine = load(options.load)
  engine.then(
    () => post({ type: 'ready' }),
    (error) => {
      post({ type: 'failed', reason: firstLine(error) })
      park()
    },
  )
  let underWay = new AbortController()
  let idle = Promise.resolve()
  port.on('message', async (message: ToEngine<Question>) => {
    if (message.type === 'cancel') {
      underWay.abort()
      return
    }
    const loaded = await engine.catch(() => undefined)
    if (!loaded) return
    if (message.type === 'close') {
      await idle
      await loaded.release()
      park()
      return
    }
    const answered = Promise.withResolvers<void>()
    idle = answered.promise
    try {
      underWay = new AbortController()
      const answer = await loaded.answer(message.question, underWay.signal)
      post({ type: 'answer', answer }, loaded.moved?.(answer))
    } catch (error) {
      post({ type: 'refused', reason: firstLine(error) })
    }
    answered.resolve()
  })
}
