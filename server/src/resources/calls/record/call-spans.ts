// A finished call as a trace: the dial, the greeting, every turn with its steps, every tool. Made from the outcome,
// so that a running call does nothing for it.
import { genAiProvider } from '../../../platform/telemetry/gen-ai-providers.ts'
import { partContextOf, rootContextOf } from '../../../platform/telemetry/trace-context.ts'
import type { FinishedSpan } from '../../../platform/telemetry/traces.ts'
import type { AskedModel, CallOutcome, TurnLatency, TurnTimes } from '../../../ports/call.ts'
import type { CallPlan } from '../../../ports/call-plan.ts'

export interface TimedOutcome {
  readonly plan: Pick<CallPlan, 'sessionId' | 'workspaceId' | 'agentId' | 'batchId' | 'callType' | 'turn'>
  readonly outcome: CallOutcome
  /** Milliseconds since 1970. */
  readonly startedMs: number
  /** Used only if the call was never answered. */
  readonly endedMs: number
}

type Part = Omit<FinishedSpan, 'context' | 'attributes'> & {
  readonly attributes?: FinishedSpan['attributes']
  /** An id that is unique in the call; the name, unless it is given. */
  readonly id?: string
}

/** Makes the spans without telephone numbers and words, which do not belong in a collector. */
export function callSpans({ plan, outcome, startedMs, endedMs }: TimedOutcome): FinishedSpan[] {
  const { sessionId } = plan
  const root = rootContextOf(sessionId)
  const { answeredAfterMs, durationSeconds } = outcome
  const answeredMs = answeredAfterMs === null ? null : startedMs + answeredAfterMs
  const endMs = answeredMs === null ? endedMs : answeredMs + durationSeconds * 1_000
  const part = ({ id, attributes = {}, ...span }: Part): FinishedSpan => ({
    parent: root,
    ...span,
    attributes,
    context: partContextOf(sessionId, id ?? span.name),
  })
  const spans = [
    {
      name: 'call',
      kind: plan.callType === 'outbound' ? ('consumer' as const) : ('server' as const),
      context: root,
      startMs: startedMs,
      endMs,
      attributes: attributesOf(plan, outcome),
      events: answeredMs === null ? [] : [{ name: 'answer', atMs: answeredMs }],
      links: plan.batchId ? [rootContextOf(plan.batchId)] : [],
      ...(outcome.status === 'failed' && { error: outcome.errorMessage ?? outcome.hangupReason }),
    },
    part({ name: 'dial', startMs: startedMs, endMs: answeredMs ?? endMs }),
  ]
  if (answeredMs === null) return spans
  const engines = enginesOf(outcome)
  const turns = outcome.latency.flatMap((latency) =>
    turnParts(latency, answeredMs, partContextOf(sessionId, `turn ${latency.turn}`), engines).map(part),
  )
  const greeting = greetingParts(plan, outcome, answeredMs).map(part)
  return [...spans, ...greeting, ...turns, ...toolParts(outcome, answeredMs).map(part)]
}

interface Engines {
  readonly stt: string | undefined
  readonly llm: string | undefined
  readonly tts: string | undefined
  /** Undefined: the built-in policy answers, and nothing in the trace says that a model did. */
  readonly asks: AskedModel | undefined
}

const enginesOf = ({ engines }: CallOutcome): Engines => {
  const of = (part: string) => engines.find((engine) => engine.part === part)
  const mind = of('language-model')
  return { stt: of('transcriber')?.used, llm: mind?.used, tts: of('synthesizer')?.used, asks: mind?.asks }
}

const attributesOf = (
  { sessionId, workspaceId, agentId, batchId, callType }: TimedOutcome['plan'],
  { status, hangupReason, answeredBy, provider, durationSeconds, usage }: CallOutcome,
): FinishedSpan['attributes'] => ({
  'parley.call.id': sessionId,
  'parley.workspace.id': workspaceId,
  'parley.agent.id': agentId,
  'parley.batch.id': batchId ?? undefined,
  'parley.call.type': callType,
  'parley.call.carrier': provider,
  'parley.call.status': status,
  'parley.call.hangup_reason': hangupReason,
  'parley.call.answered_by': answeredBy ?? undefined,
  'parley.call.seconds': durationSeconds,
  ...(usage.models.length > 0 && {
    'gen_ai.agent.id': agentId,
    'gen_ai.conversation.id': sessionId,
    'gen_ai.usage.input_tokens': usage.llmInputTokens,
    'gen_ai.usage.output_tokens': usage.llmOutputTokens,
    'gen_ai.response.model': usage.models[0]?.model,
  }),
})

/** What the caller hears first: from the answer to its first sound. It was synthesized while the telephone rang. */
function greetingParts({ turn }: TimedOutcome['plan'], outcome: CallOutcome, answeredMs: number): Part[] {
  // Whether the agent has greeted: without a greeting, its first words may be a question after a long silence.
  const isGreeted = (turn.consent?.question ?? turn.sayings.greeting) !== ''
  const first = outcome.transcript.find((entry) => entry.turn === 0 && entry.role === 'agent')
  if (!isGreeted || !first) return []
  return [
    {
      name: 'greeting',
      startMs: answeredMs,
      endMs: answeredMs + first.startSeconds * 1_000,
      attributes: { 'parley.engine': enginesOf(outcome).tts },
    },
  ]
}

/** The turn as the caller hears it, from the last sound to the first; its steps cover all of it. */
function turnParts(
  { turn, times }: TurnLatency,
  answeredMs: number,
  context: FinishedSpan['context'],
  engines: Engines,
): Part[] {
  if (!times) return []
  const step = (
    name: string,
    from: keyof TurnTimes,
    to: keyof TurnTimes,
    attributes: FinishedSpan['attributes'] = {},
  ): Part[] => {
    const { [from]: startMs, [to]: endMs } = times
    if (startMs === undefined || endMs === undefined || endMs < startMs) return []
    const id = `turn ${turn} ${name}`
    return [
      { id, name, parent: context, startMs: answeredMs + startMs, endMs: answeredMs + endMs, attributes },
    ]
  }
  // A step begins where the step before it ended; words that are ready need no model, and kept speech needs no
  // synthesis.
  const lastOf = (...marks: readonly (keyof TurnTimes)[]) =>
    marks.find((mark) => times[mark] !== undefined) ?? 'decidedMs'
  const isAskedLate = times.askedMs !== undefined && times.askedMs > times.decidedMs
  return [
    {
      name: 'turn',
      id: `turn ${turn}`,
      startMs: answeredMs + times.endMs,
      endMs: answeredMs + times.heardMs,
      attributes: { 'parley.turn': turn },
    },
    ...step('recognition', 'endMs', 'wordsMs', { 'parley.engine': engines.stt }),
    ...step('endpointing', 'endMs', 'decidedMs'),
    ...(isAskedLate ? step('preparation', 'decidedMs', 'askedMs') : []),
    // Until its first token; it may have begun before the turn was over.
    ...step('chat', 'askedMs', 'firstTokenMs', { 'parley.engine': engines.llm }).map(asModel(engines.asks)),
    ...step('first clause', lastOf('firstTokenMs', 'askedMs'), 'voicedMs'),
    ...step('synthesis', lastOf('voicedMs', 'firstTokenMs', 'askedMs'), 'soundMs', {
      'parley.engine': engines.tts,
    }),
    ...step('line', lastOf('soundMs', 'voicedMs', 'firstTokenMs', 'askedMs'), 'heardMs'),
  ]
}

/** As the semantic conventions for generative AI have a request to a model. */
const asModel =
  (asks: AskedModel | undefined) =>
  (chat: Part): Part =>
    asks
      ? {
          ...chat,
          name: `chat ${asks.model}`,
          kind: 'client',
          attributes: {
            'gen_ai.operation.name': 'chat',
            'gen_ai.provider.name': genAiProvider(asks.provider),
            'gen_ai.request.model': asks.model,
            // In seconds, and the length of the span: when the answer was complete is not kept.
            'gen_ai.response.time_to_first_chunk': (chat.endMs - chat.startMs) / 1_000,
          },
        }
      : chat

const toolParts = ({ transcript }: CallOutcome, answeredMs: number): Part[] =>
  transcript.flatMap(({ role, tool, startSeconds, endSeconds }, place) => {
    if (role !== 'tool' || !tool) return []
    return {
      name: `execute_tool ${tool.name}`,
      id: `tool ${place}`,
      startMs: answeredMs + startSeconds * 1_000,
      endMs: answeredMs + Math.max(startSeconds, endSeconds) * 1_000,
      attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': tool.name },
    }
  })
