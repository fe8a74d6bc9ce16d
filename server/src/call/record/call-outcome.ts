// The outcome of a call, and the wait until its recording is safe.
import type {
  CallOutcome,
  CallUsage,
  EngineChoice,
  TurnLatency,
  TurnTimes,
  UsageOfSpeech,
} from '../../ports/call.ts'
import type { CallContext } from '../call-context.ts'
import type { Clock } from '../call-parts.ts'
import type { AnsweredCall } from '../pick-up.ts'
import type { Ending } from '../turn/endings.ts'
import type { Turn } from '../turn/turn-state.ts'
import { wordsOfCaller } from '../turn/utterance.ts'
import type { Recorder } from './recorder.ts'
import { UsageMeter } from './usage-meter.ts'

// A disk that has not responded within this time will not; the call record does not wait for it.
const patienceMs = 10_000

export type OutcomeFacts = Omit<
  CallOutcome,
  'recorded' | 'status' | 'terminatedBy' | 'hangupReason' | 'errorMessage'
>

export class CallCompletion {
  readonly done: Promise<CallOutcome>
  readonly #clock: Clock
  readonly #resolve: (outcome: CallOutcome) => void
  #late: (() => void) | undefined
  #byMs = Number.POSITIVE_INFINITY

  constructor(clock: Clock) {
    const { promise, resolve } = Promise.withResolvers<CallOutcome>()
    this.#clock = clock
    this.done = promise
    this.#resolve = resolve
  }

  begin(ending: Ending, remains: OutcomeFacts, recorder: Recorder | undefined): void {
    const finish = (recorded: boolean) =>
      this.#resolve({
        status: ending.status,
        terminatedBy: ending.by,
        hangupReason: ending.reason,
        errorMessage: ending.error,
        ...remains,
        recorded,
      })
    if (!recorder) {
      finish(false)
      return
    }
    this.#byMs = this.#clock.nowMs + patienceMs
    this.#late = () => finish(false)
    void recorder.close().then(finish)
  }

  tick(): void {
    if (this.#clock.nowMs < this.#byMs) return
    this.#byMs = Number.POSITIVE_INFINITY
    this.#late?.()
  }
}

/** A speaker who was not recognised as a machine is a person. */
export function answeredBy(turn: Turn | undefined, answered: boolean): CallOutcome['answeredBy'] {
  if (!turn) return null
  const { is } = turn.answerer
  if (!answered) return is === 'unavailable' ? is : null
  const hasSpoken = turn.turnsTaken > 0 || turn.answerer.earlier !== '' || wordsOfCaller(turn.caller) !== ''
  return is === 'unknown' && hasSpoken ? 'human' : is
}

export interface CallRemnants extends Pick<CallOutcome, 'callSid' | 'answeredBy' | 'engines' | 'line'> {
  readonly answer: AnsweredCall | undefined
  readonly context: CallContext | undefined
  readonly speech: readonly UsageOfSpeech[] | undefined
  readonly startedMs: number
  readonly endedMs: number
}

export function remainsOf(left: CallRemnants): OutcomeFacts {
  const { answer, context, callSid, answeredBy, engines, line } = left
  const total = (context?.usage ?? new UsageMeter()).total(answer?.recognition.heardSeconds ?? 0)
  const usage = left.speech ? { ...total, speech: left.speech } : total
  return {
    callSid,
    line,
    answeredBy,
    engines: engines.map((choice) => withAnswering(choice, usage)),
    answeredAfterMs: answer ? Math.max(0, answer.atMs - left.startedMs) : null,
    durationSeconds: answer ? (left.endedMs - answer.atMs) / 1_000 : 0,
    transcript: context?.conversation.entries ?? [],
    latency: (context?.latency ?? []).map((latency) => sinceAnswer(latency, answer?.atMs ?? 0)),
    variables: context?.variables.saved,
    usage,
  }
}

const sinceAnswer = ({ times, ...latency }: TurnLatency, answeredMs: number): TurnLatency => ({
  ...latency,
  ...(times && { times: shifted(times, answeredMs) }),
})

const shifted = (times: TurnTimes, byMs: number): TurnTimes => ({
  endMs: times.endMs - byMs,
  wordsMs: times.wordsMs - byMs,
  decidedMs: times.decidedMs - byMs,
  askedMs: times.askedMs && times.askedMs - byMs,
  firstTokenMs: times.firstTokenMs && times.firstTokenMs - byMs,
  voicedMs: times.voicedMs && times.voicedMs - byMs,
  soundMs: times.soundMs && times.soundMs - byMs,
  heardMs: times.heardMs - byMs,
})

/** Adds the model that answered, if it differs from the one that was asked: a dated name, or another model. */
function withAnswering(choice: EngineChoice, { models }: CallUsage): EngineChoice {
  if (choice.part !== 'language-model') return choice
  const answering = models.filter(({ requests, abortedRequests }) => requests > abortedRequests)
  if (answering.length === 0 || isNamed(choice.used, answering)) return choice
  const names = answering.map(({ model, provider }) => `${model} (${provider})`)
  return { ...choice, used: `${choice.used}; answered by ${names.join(', ')}` }
}

const isNamed = (used: string, [only, ...others]: CallUsage['models']): boolean =>
  others.length === 0 && used.split(', then ').at(-1)?.startsWith(`${only?.model} at `) === true
