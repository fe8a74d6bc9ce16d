// Runs calls in a thread that handles only audio, so that no request or query delays it.
import { type Transferable, Worker } from 'node:worker_threads'
import type { DoorLink } from '../../carriers/description.ts'
import type { Config } from '../../platform/config.ts'
import type { Log } from '../../platform/log.ts'
import type { Arrival, HandedOver } from '../../ports/arrival.ts'
import type { CallOutcome, CallUpdate } from '../../ports/call.ts'
import type { KnowledgeQuestion } from '../../ports/knowledge.ts'
import type { CallSpeechCache, SpeechLookup } from '../../ports/speech-cache.ts'
import type { CallRunner, OnLiveSound } from '../../resources/calls/work.ts'
import type { KnowledgeSearch } from '../../resources/knowledge-base/knowledge-base.ts'
import { announcePassedOver } from '../../vendors/over/wire/passed-over.ts'
import { withRoomForCalls } from './heap-of-calls.ts'
import type { EnginesAhead, FromMedia, MediaThreadOptions, ToMedia } from './media-messages.ts'

interface CallInThread {
  readonly on: (update: CallUpdate) => void
  readonly resolve: (outcome: CallOutcome) => void
  readonly reject: (error: Error) => void
  readonly listeners: Set<OnLiveSound>
}

export interface MediaRunnerOptions {
  readonly config: Config
  readonly recordingsFolder: string
  readonly log: Log
  /** Answers what agents look up. Without it every question fails. */
  readonly knowledge?: Pick<KnowledgeSearch, 'search' | 'prepare'> | undefined
  /** Finds sentences that were spoken before. Without it none is kept. */
  readonly speechCache?: CallSpeechCache | undefined
}

export interface MediaRunner extends CallRunner {
  /** The link of a carrier's door to its lines. */
  linkTo(carrier: string): DoorLink
}

const mediaThread = new URL('./media-thread.ts', import.meta.url)

const handedOver = ({ carrier, handover }: Arrival): HandedOver => ({ carrier, payload: handover.payload })

/** The port knows no threads; what the carrier put into this list are transferable objects for postMessage. */
const transferOf = (arrival: Arrival | undefined) =>
  (arrival?.handover.transfer ?? []) as readonly Transferable[]

/** Benchmarks and tests pass a thread of their own, with other carriers. */
export function openMediaRunner(
  { config, recordingsFolder, log, knowledge, speechCache }: MediaRunnerOptions,
  threadUrl = mediaThread,
): MediaRunner {
  const running = new Map<string, CallInThread>()
  const doors = new Map<string, (message: unknown) => void>()
  const lostListeners: (() => void)[] = []
  let thread: Worker | undefined
  let isClosed = false
  const loading = new Set<EnginesAhead>(config.warmEngines ? ['usual'] : [])
  let keepsTime = true

  const receive = (message: FromMedia) => {
    if (message.type === 'log') return log[message.level](message.fields, message.message)
    if (message.type === 'knowledge') return void lookUp(message.id, message.question)
    if (message.type === 'prepare-knowledge') return prepare(message.repositoryIds)
    if (message.type === 'find-speech') return void findSpeech(message.id, message.lookup)
    if (message.type === 'warm-speech') return speechCache?.warm(message.agentId)
    if (message.type === 'passed-over') return announcePassedOver(message.message)
    if (message.type === 'warm') return void loading.delete(message.what)
    if (message.type === 'punctuality') return notePunctuality(message.keepsTime)
    if (message.type === 'carrier') return doors.get(message.carrier)?.(message.message)
    const call = running.get(message.sessionId)
    if (message.type === 'update') return call?.on(message.update)
    if (message.type === 'sound') {
      for (const onSound of call?.listeners ?? []) onSound(message.samples, message.rateHz)
      return
    }
    running.delete(message.sessionId)
    call?.resolve(message.outcome)
  }
  const notePunctuality = (isKept: boolean) => {
    keepsTime = isKept
    if (isKept) log.info('sound leaves in time again: new calls are taken')
    else log.warn('sound leaves late, because the machine is overloaded: new calls are refused')
  }
  const lookUp = async (id: number, question: KnowledgeQuestion): Promise<void> => {
    try {
      if (!knowledge) throw new Error('There is no knowledge base.')
      const passages = await knowledge.search(question)
      thread?.postMessage({ type: 'passages', id, passages, error: '' } satisfies ToMedia)
    } catch (err) {
      log.warn({ err }, 'the knowledge base did not answer a call')
      const error = err instanceof Error ? err.message : String(err)
      thread?.postMessage({ type: 'passages', id, passages: undefined, error } satisfies ToMedia)
    }
  }
  const prepare = (repositoryIds: readonly string[]) =>
    void knowledge
      ?.prepare(repositoryIds)
      .catch((err) => log.warn({ err }, 'the knowledge base is not prepared'))
  const findSpeech = async (id: number, lookup: SpeechLookup): Promise<void> => {
    const files = (await speechCache?.find(lookup)) ?? new Map<string, Uint8Array>()
    thread?.postMessage({ type: 'speech', id, files } satisfies ToMedia)
  }
  /** When a thread dies its calls are lost; the next call gets a new thread, which is loaded ahead if this one was. */
  const onExit = (died: Worker) => {
    if (thread !== died) return
    thread = undefined
    keepsTime = true
    // A thread that died while it was being loaded would do so again and again.
    const isReplaced = config.warmEngines && loading.size === 0 && !isClosed
    loading.clear()
    if (isReplaced) {
      loading.add('usual')
      thread = start()
    }
    const lost = [...running.values()]
    running.clear()
    for (const { reject } of lost) reject(new Error('the media thread has ended'))
    for (const tell of lostListeners) tell()
  }
  const start = (): Worker => {
    const workerData: MediaThreadOptions = { config, recordingsFolder }
    const worker = withRoomForCalls(() => new Worker(threadUrl, { workerData, execArgv: [] }))
    worker.on('message', receive)
    worker.on('error', (err) => log.error({ err }, 'the media thread broke down'))
    worker.on('exit', () => onExit(worker))
    return worker
  }
  const post = (message: ToMedia, given: readonly Transferable[] = []) => {
    thread ??= start()
    thread.postMessage(message, given)
  }
  if (config.warmEngines) thread = start()

  return {
    capacity: config.mediaCapacity,
    isWarm: () => loading.size === 0,
    keepsTime: () => keepsTime,

    expect(speech) {
      if (speech.length === 0) return
      loading.add('expected')
      post({ type: 'expect', speech })
    },

    run(plan, on, arrival) {
      const { promise, resolve, reject } = Promise.withResolvers<CallOutcome>()
      post({ type: 'run', plan, arrival: arrival && handedOver(arrival) }, transferOf(arrival))
      const { sessionId } = plan
      const listeners = new Set<OnLiveSound>()
      running.set(sessionId, { on, resolve, reject, listeners })
      const open = (isOpen: boolean) =>
        running.has(sessionId) && post({ type: 'listen', sessionId, on: isOpen })
      return {
        outcome: promise,
        listen(onSound) {
          if (listeners.add(onSound).size === 1) open(true)
          return {
            stop() {
              if (listeners.delete(onSound) && listeners.size === 0) open(false)
            },
          }
        },
        stop(why) {
          if (running.has(sessionId)) post({ type: 'stop', sessionId, why })
        },
      }
    },

    linkTo: (carrier) => ({
      post: (message) => isClosed || post({ type: 'carrier', carrier, message }),
      onMessage: (listener) => void doors.set(carrier, listener),
      onLost: (listener) => void lostListeners.push(listener),
    }),

    async close() {
      isClosed = true
      const leaving = thread
      if (!leaving) return
      const gone = new Promise((resolve) => leaving.once('exit', resolve))
      leaving.postMessage({ type: 'close' } satisfies ToMedia)
      await gone
    },
  }
}
