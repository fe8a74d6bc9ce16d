// Analyses ended calls: with the agent's or the operator's language model, or else with the built-in analysis.
import { analyseEmbedded, analysisName } from '../../engines/analysis/analyse.ts'
import { miniLmEmbedder } from '../../engines/minilm/minilm.ts'
import { openUserGuard } from '../../platform/guard/guard.ts'
import type { Infrastructure } from '../../platform/infrastructure.ts'
import { traceHeaders } from '../../platform/telemetry/trace-context.ts'
import type { Analyse, AnalysisPlan, EndedCall, Findings } from '../../ports/analysis.ts'
import type { ModelPlan } from '../../ports/call-plan.ts'
import { ModelError } from '../../vendors/over/thinks/model-error.ts'
import { chooseModel, openTrustedConnections, operatorModels } from '../model/choose-model.ts'
import { responseFormat } from './answer-schema.ts'
import { askModel } from './ask-model.ts'

export interface CallAnalyzer {
  readonly analyse: Analyse
  close(): Promise<void>
}

// Nothing waits for it: a model may think for a minute before its first token.
const timeouts = { firstTokenMs: 60_000, silenceMs: 30_000 }

export function openCallAnalyzer({ config, log }: Pick<Infrastructure, 'config' | 'log'>): CallAnalyzer {
  const guard = openUserGuard(config)
  const trusted = openTrustedConnections()
  // Loaded for the first call that needs it.
  const embedder = miniLmEmbedder({ folder: config.modelsDir })
  const operator = operatorModels(config)

  const builtIn = async (call: EndedCall, signal: AbortSignal, why: string | null): Promise<Findings> => {
    const analytics = await analyseEmbedded(call, embedder, signal)
    const engine = { part: 'analysis', asked: null, used: analysisName, why } as const
    return { analytics, rubric: call.plan.rubric, engine }
  }

  return {
    async analyse(call, signal, isLastTry) {
      const { model, isBuiltIn, choice } = chooseModel({
        plan: modelFor(call.plan),
        operator,
        guard,
        trusted,
        timeouts,
        headers: traceHeaders(call, { config }),
        onFailover: (reason: string) => log.warn({ reason }, 'analysis failed over to another model'),
      })
      if (isBuiltIn) return builtIn(call, signal, choice.why)
      try {
        const analytics = await askModel(model, call, signal)
        return { analytics, rubric: call.plan.rubric, engine: { ...choice, part: 'analysis' } }
      } catch (error) {
        signal.throwIfAborted()
        if (isTransient(error) && !isLastTry) throw error
        const reason = error instanceof Error ? error.message : String(error)
        return builtIn(call, signal, reason)
      }
    },
    async close() {
      await Promise.all([guard.close(), trusted.destroy(), embedder.close()])
    },
  }
}

/**
 * The agent's model, held to the form of the answer. Its other options are for talking: a limit of a few sentences
 * would cut the answer off.
 */
const modelFor = (plan: AnalysisPlan): ModelPlan => ({
  ...plan.model,
  options: { temperature: 0, responseFormat: responseFormat(plan) },
})

/** A server that is unavailable or overloaded may be back in a minute. */
const isTransient = (error: unknown): boolean =>
  error instanceof ModelError && ['busy', 'late', 'gone'].includes(error.kind)
