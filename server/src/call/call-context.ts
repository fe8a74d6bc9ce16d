// Assembles what one call needs to think, speak and keep its record.
import type { RateHz } from '../media/frame.ts'
import type { PassageSource, TurnLatency } from '../ports/call.ts'
import type { CallPlan } from '../ports/call-plan.ts'
import type { ToolCall } from '../ports/language-model.ts'
import type { CallVariables } from '../ports/tools.ts'
import type { CallParts, Clock } from './call-parts.ts'
import { openVariables } from './call-variables.ts'
import type { PerformContext } from './perform.ts'
import { CallerLanguage } from './perform.ts'
import { ArrivalTimes } from './record/arrival-times.ts'
import { LateSound } from './record/late-sound.ts'
import { PartialTranscripts } from './record/partial-transcripts.ts'
import { Stopwatch } from './record/stopwatch.ts'
import { UsageMeter } from './record/usage-meter.ts'
import type { Saying } from './speak/saying.ts'
import { SpeechOutput, type SpeechOutputEvents } from './speak/speech-output.ts'
import { withCallTools, withOwnTools } from './think/call-tools.ts'
import { Conversation } from './think/conversation.ts'
import { NodePath } from './think/node-path.ts'
import { Replies } from './think/replies.ts'

export interface CallContextOptions extends Pick<PerformContext, 'askFinal' | 'dispatch'> {
  readonly plan: CallPlan
  readonly parts: CallParts
  readonly clock: Clock
  readonly rateHz: RateHz
  readonly sendDigits: (digits: string) => Promise<void>
}

/** The parts of `perform` with what the session reports after the call has ended. */
export interface CallContext extends PerformContext {
  readonly latency: readonly TurnLatency[]
  readonly variables: CallVariables
  readonly lateSound: LateSound
  /** Summarises in a sentence or two what the caller wants; empty if the model cannot. */
  readonly summarise: () => Promise<string>
  /** Keeps the result of a transfer in the conversation, if a model asked for it. */
  readonly transferAnswered: (text: string, startMs: number) => void
}

export function openCallContext(options: CallContextOptions): CallContext {
  const { plan, parts, clock, rateHz, dispatch } = options
  const { onUpdate } = parts
  const conversation = new Conversation((entry) => onUpdate({ type: 'transcript', entry }))
  if (plan.resumed) conversation.continue(plan.resumed.transcript)
  const stopwatch = new Stopwatch(clock)
  const partials = new PartialTranscripts(clock, onUpdate)
  const usage = new UsageMeter()
  const lateSound = new LateSound(clock, onUpdate)
  const latency: TurnLatency[] = [...(plan.resumed?.latency ?? [])]
  const nodes = new NodePath((nodeId) => onUpdate({ type: 'node', nodeId }), plan.dialogue.graph?.start.id)
  if (plan.resumed) nodes.resume()
  const sources = new Map<number, readonly PassageSource[]>()

  const output = new SpeechOutput(
    {
      synthesizer: parts.synthesizer,
      ...plan.synthesizer.options,
      voice: parts.voice,
      voiceId: plan.synthesizer.voiceId,
      language: plan.synthesizer.language,
      model: plan.synthesizer.model,
      rateHz,
    },
    clock,
    outputEvents(
      { conversation, stopwatch, partials, usage, nodes, sources, lateSound, clock, dispatch, onUpdate },
      latency,
      plan.guardRails.mask.length > 0,
    ),
    parts.ambience?.(rateHz),
  )
  const callerLanguage = new CallerLanguage(parts, output)
  const variables = parts.variables ?? openVariables(plan.variables)
  const tools = withOwnTools(parts.tools, plan.dialogue, { sendDigits: options.sendDigits, variables })
  const replies = new Replies(
    {
      model: parts.model,
      tools,
      get descriptions() {
        return withCallTools(tools.descriptions, plan)
      },
      transfers: plan.transfers,
      connecting: plan.turn.sayings.connecting,
    },
    clock,
  )
  const transferAsked: { call: ToolCall | undefined } = { call: undefined }
  return {
    clock,
    output,
    replies,
    conversation,
    stopwatch,
    lateSound,
    arrivals: new ArrivalTimes(),
    partials,
    usage,
    nodes,
    sources,
    onUpdate,
    latency,
    dispatch,
    callerLanguage,
    variables,
    prompt: () => callerLanguage.addedTo(variables.fill(plan.dialogue.prompt)),
    askFinal: options.askFinal,
    transferAsked,
    summarise: () => replies.summarise(conversation.messages(), (used) => usage.request(used)),
    transferAnswered(text, startMs) {
      const { call } = transferAsked
      transferAsked.call = undefined
      if (call) conversation.toolAnswered(call, text, { startMs, endMs: clock.nowMs })
    },
  }
}

type HearingContext = Omit<
  PerformContext & Pick<CallContext, 'lateSound'>,
  'prompt' | 'callerLanguage' | 'output' | 'replies' | 'askFinal' | 'transferAsked' | 'arrivals'
>

function outputEvents(
  context: HearingContext,
  latency: TurnLatency[],
  timesPieces: boolean,
): SpeechOutputEvents {
  const { conversation, stopwatch, partials, usage, nodes, sources, lateSound } = context
  const { clock, dispatch, onUpdate } = context
  const tellLatency = (measured: TurnLatency) => {
    latency.push(measured)
    onUpdate({ type: 'latency', latency: measured })
  }
  return {
    onSound: (generation) => stopwatch.mark(generation, 'sound'),
    onCharacters: (count) => usage.characters(count),
    onCached: (count) => usage.cachedCharacters(count),
    onFailure: (error) => dispatch({ type: 'voice-failed', error }),
    onBegan({ generation }) {
      lateSound.began()
      const measured = stopwatch.heard(generation)
      if (measured) tellLatency(measured)
      nodes.heard(generation)
      dispatch({ type: 'began', generation })
    },
    onPiece(saying) {
      if (saying.what !== 'backchannel') partials.tell('agent', saying.begunText)
    },
    // A backchannel is not a turn: the caller is still speaking.
    onSaid(saying: Saying, interrupted) {
      const { what, generation, begunMs, heardUntilMs = clock.nowMs } = saying
      if (begunMs !== undefined) nodes.heard(generation)
      const nodeId = nodes.leave(generation)
      const found = sources.get(generation)
      sources.delete(generation)
      if (what === 'backchannel' || begunMs === undefined) return
      partials.forget('agent')
      const span = { startMs: begunMs, endMs: heardUntilMs }
      const how = {
        interrupted,
        ...(nodeId !== undefined && { nodeId }),
        ...(found && { sources: found }),
      }
      conversation.agentSaid(saying.heard(), span, how, timesPieces ? saying.heardPieces() : [])
    },
    onDrained: (generation) => dispatch({ type: 'drained', generation }),
    onQuiet: (generation) => dispatch({ type: 'quiet', generation }),
    onSounding: (generation) => dispatch({ type: 'sounding', generation }),
  }
}
