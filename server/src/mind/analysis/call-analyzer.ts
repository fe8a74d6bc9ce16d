// Analyses ended calls: with the agent's or the operator's language model, or else with the built-in analysis.
import { analyseEmbedded, analysisName } from '../../engines/analysis/analyse.ts'
import { miniLmEmbedder } from '../../engines/minilm/minilm.ts'
import { localTime } from '../../platform/clock/local-time.ts'
import { openUserGuard } from '../../platform/guard/guard.ts'
import type { Infrastructure } from '../../platform/infrastructure.ts'
import { traceHeaders } from '../../platform/telemetry/trace-context.ts'
import type { Analyse, AnalysisPlan, Analytics, EndedCall, Findings } from '../../ports/analysis.ts'
import type { ModelPlan } from '../../ports/call-plan.ts'
import type { ChatMessage, LanguageModel } from '../../ports/language-model.ts'
import { ModelError } from '../../vendors/over/thinks/model-error.ts'
import { chooseModel, openTrustedConnections } from '../model/choose-model.ts'
import { operatorModels } from '../model/choose-server.ts'
import { responseFormat } from './answer-schema.ts'
import { messagesFor } from './instructions.ts'
import { readFindings } from './read-findings.ts'

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

// A summary and a hundred fields; a model that writes more is running away.
const mostChars = 60_000
const mostFaults = 20

/** Asks once, and a second time with the faults of the answer if it has any. */
export async function askModel(
  model: LanguageModel,
  { plan, transcript, at }: EndedCall,
  signal: AbortSignal,
): Promise<Analytics> {
  const messages = messagesFor(plan, transcript, localTime(at, plan.timezone).date)
  const first = await answerOf(model, messages, signal)
  const found = readFindings(first, plan)
  if ('analytics' in found && found.faults.length === 0) return found.analytics
  const told: ChatMessage[] = [
    ...messages,
    { role: 'assistant', content: first.slice(0, mostChars) },
    {
      role: 'user',
      content: `${found.faults.slice(0, mostFaults).join(' ')} Send the whole JSON object again, corrected, and nothing else.`,
    },
  ]
  const again = readFindings(await answerOf(model, told, signal), plan)
  if ('analytics' in again) return again.analytics
  // The valid parts of the first answer are kept.
  if ('analytics' in found) return found.analytics
  throw new Error(`the model's analysis cannot be read: ${again.faults[0]}`)
}

async function answerOf(
  model: LanguageModel,
  messages: readonly ChatMessage[],
  signal: AbortSignal,
): Promise<string> {
  let text = ''
  for await (const part of model.reply({ messages, tools: [], isAside: true }, signal)) {
    if (part.type === 'text') text += part.text
    if (text.length > mostChars) break
  }
  signal.throwIfAborted()
  return text
}
