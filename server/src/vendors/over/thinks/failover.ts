// Failover between models: one that fails before its first word is retried once if that may help, then the next is asked.
import { tracingChannel } from 'node:diagnostics_channel'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LanguageModel, ModelPart, ModelRequest } from '../../../ports/language-model.ts'
import { ModelError } from './model-error.ts'

export interface FailoverOptions {
  /** Called with the reason when the next model is asked. */
  readonly onFailure?: (sentence: string) => void
  readonly retryMs?: number
}

/** Every pause before a retry is announced here. */
export const modelRetries = tracingChannel('parley:model-retry')

// The caller is waiting: a moment for a server to recover, and no more.
const usualRetryMs = 300
const longestRetryMs = 1_000

export function failover(models: readonly LanguageModel[], options: FailoverOptions = {}): LanguageModel {
  const { onFailure = () => {}, retryMs = usualRetryMs } = options
  // A model that refused will refuse again: no turn of this call waits for it twice.
  const refused = new Set<LanguageModel>()
  // A model that was late or unreachable may recover, but is not worth another wait: the others go first from then on.
  const doubtful = new Set<LanguageModel>()

  /** How long to wait before this model is retried; undefined: not worth it. */
  const retryAfter = (error: unknown, tries: number): number | undefined => {
    if (tries > 0 || !(error instanceof ModelError) || error.kind !== 'busy') return undefined
    const waitMs = error.retryAfterMs ?? retryMs
    return waitMs <= longestRetryMs ? waitMs : undefined
  }

  async function* askOne(
    model: LanguageModel,
    request: ModelRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ModelPart> {
    for (let tries = 0; ; tries++) {
      let spoken = false
      try {
        for await (const part of model.reply(request, signal)) {
          // What a failed answer cost is no word of it.
          spoken ||= part.type !== 'usage'
          yield part
        }
        return
      } catch (error) {
        const waitMs = spoken ? undefined : retryAfter(error, tries)
        if (waitMs === undefined) throw spoken ? new BrokenOff(error) : error
        await modelRetries.tracePromise(() => sleep(waitMs, undefined, { signal }).catch(() => {}))
      }
      if (signal.aborted) return
    }
  }

  return {
    async *reply(request, signal) {
      const willing = models.filter((model) => !refused.has(model))
      const able = willing.length > 0 ? willing : models
      const candidates = [
        ...able.filter((model) => !doubtful.has(model)),
        ...able.filter((model) => doubtful.has(model)),
      ]
      for (const [place, model] of candidates.entries()) {
        try {
          return yield* askOne(model, request, signal)
        } catch (error) {
          if (error instanceof BrokenOff) throw error.cause
          if (error instanceof ModelError && error.kind === 'refused') refused.add(model)
          else doubtful.add(model)
          if (place === candidates.length - 1) throw error
          onFailure(error instanceof Error ? error.message : String(error))
        }
      }
    },
  }
}

/** Something was said already: the consumer decides how to continue. */
class BrokenOff extends Error {
  constructor(cause: unknown) {
    super('broken off', { cause })
  }
}
