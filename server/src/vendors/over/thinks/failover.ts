// Failover between models: when one fails before its first word the next is asked at once, and when all have failed, those
// that may have recovered are asked again after a pause.
import { setTimeout as sleep } from 'node:timers/promises'
import type { LanguageModel, ModelFailure, ModelPart, ModelRequest } from '../../../ports/language-model.ts'
import { ModelError, type ModelErrorKind } from './model-error.ts'

/** Resolves after so much time, and at once when the signal aborts. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>

export interface FailoverOptions {
  /** Called with the reason when a model is asked after another one has failed, or again. */
  readonly onFailure?: (sentence: string) => void
  /** On the clock of the call, if there is one. */
  readonly wait?: Wait
}

// Most overloads are over within seconds.
const pausesMs = [300, 1_000, 2_000] as const
// A caller who has heard two fillers wants to hear something else.
const longestWaitMs = 5_000

const waitForReal: Wait = (ms, signal) => sleep(ms, undefined, { signal }).catch(() => {})

/** What passes by itself within seconds. A model that was late has had its time, and a refusal stays one. */
const passes: ReadonlySet<ModelErrorKind> = new Set(['busy', 'gone', 'garbled'])

/** A model that may have recovered, and when its server wants to be asked again. */
interface Recoverable {
  readonly model: LanguageModel
  readonly afterMs: number
}

export function failover(models: readonly LanguageModel[], options: FailoverOptions = {}): LanguageModel {
  const { onFailure = () => {}, wait = waitForReal } = options
  // A model that refused will refuse again: no turn of this call waits for it twice.
  const refused = new Set<LanguageModel>()
  // A model that failed may recover, but the others go first from then on.
  const doubtful = new Set<LanguageModel>()

  const inOrder = (): readonly LanguageModel[] => {
    const willing = models.filter((model) => !refused.has(model))
    const able = willing.length > 0 ? willing : models
    return [...able.filter((model) => !doubtful.has(model)), ...able.filter((model) => doubtful.has(model))]
  }

  return {
    async *reply(request, signal) {
      let candidates = inOrder()
      let waitedMs = 0
      for (let round = 0; ; round++) {
        const recoverable: Recoverable[] = []
        let failure: unknown
        for (const model of candidates) {
          if (failure !== undefined) onFailure(sentenceOf(failure))
          try {
            return yield* ask(model, request, signal)
          } catch (error) {
            if (error instanceof ModelError && error.kind === 'refused') refused.add(model)
            else doubtful.add(model)
            if (error instanceof BrokenOff) throw error.cause
            if (error instanceof ModelError && !(error instanceof GaveUp) && passes.has(error.kind))
              recoverable.push({ model, afterMs: error.retryAfterMs ?? 0 })
            failure = error
          }
        }
        const waitMs = pauseBefore(recoverable, round)
        if (waitMs === undefined || waitedMs + waitMs > longestWaitMs) throw new GaveUp(failure)
        onFailure(`${sentenceOf(failure)}; it is asked again in ${waitMs / 1_000} s`)
        await wait(waitMs, signal)
        if (signal.aborted) return
        waitedMs += waitMs
        candidates = recoverable.filter(({ afterMs }) => afterMs <= waitMs).map(({ model }) => model)
      }
    },
  }
}

/** How long to wait before models are asked again; undefined: not worth it. */
function pauseBefore(recoverable: readonly Recoverable[], round: number): number | undefined {
  const pauseMs = pausesMs[round]
  if (pauseMs === undefined || recoverable.length === 0) return undefined
  return Math.max(pauseMs, Math.min(...recoverable.map(({ afterMs }) => afterMs)))
}

async function* ask(
  model: LanguageModel,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelPart> {
  let spoken = false
  try {
    for await (const part of model.reply(request, signal)) {
      // What a failed answer cost is no word of it.
      spoken ||= part.type !== 'usage'
      yield part
    }
  } catch (error) {
    throw spoken ? new BrokenOff(error) : error
  }
}

const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Something was said already: the consumer decides how to continue. */
class BrokenOff extends Error {
  constructor(cause: unknown) {
    super('broken off', { cause })
  }
}

/** Everything that could help within a turn was tried; the kind says whether it may help in a minute. */
class GaveUp extends ModelError implements ModelFailure {
  readonly isFinal = true

  constructor(cause: unknown) {
    super(cause instanceof ModelError ? cause.kind : 'garbled', sentenceOf(cause), { cause })
  }
}
