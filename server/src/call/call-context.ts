// Puts together what one call thinks, speaks and is remembered with.
import type { RateHz } from '../media/frame.ts'
import type { CallOrder, TurnLatency } from '../ports/call.ts'
import type { CallParts } from './call-parts.ts'
import type { Clock } from './clock.ts'
import { Conversation } from './think/conversation.ts'
import { withEndCall } from './think/end-call.ts'
import { Minds } from './think/replies.ts'
import { Mouth, type MouthEvents } from './speak/mouth.ts'
import { PartialNews } from './record/partial-transcripts.ts'
import type { Stage } from './perform.ts'
import { fill } from './placeholders.ts'
import { languagesOf } from './turn/rules.ts'
import type { Saying } from './speak/saying.ts'
import { Stopwatch } from './record/stopwatch.ts'
import { UsageMeter } from './record/usage-meter.ts'

export interface StageOptions extends Pick<Stage, 'askFinal' | 'dispatch'> {
  readonly order: CallOrder
  readonly parts: CallParts
  readonly values: Readonly<Record<string, string>>
  readonly clock: Clock
  readonly rateHz: RateHz
}

/** With what the call leaves behind. */
export interface SetStage extends Stage {
  readonly latency: readonly TurnLatency[]
}

export function setStage(options: StageOptions): SetStage {
  const { order, parts, values, clock, rateHz, dispatch } = options
  const { onNews } = parts
  const conversation = new Conversation((entry) => onNews({ type: 'transcript', entry }))
  const stopwatch = new Stopwatch(clock)
  const partials = new PartialNews(clock, onNews)
  const usage = new UsageMeter()
  const latency: TurnLatency[] = []
  const nodes = new Map<number, string>()

  const mouth = new Mouth(
    { synthesizer: parts.synthesizer, voice: parts.voice, language: spoken(order), rateHz },
    clock,
    mouthEvents({ conversation, stopwatch, partials, usage, nodes, clock, dispatch, onNews }, latency),
    parts.ambience?.(rateHz),
  )
  const descriptions = withEndCall(parts.tools.descriptions, order.agent.task_config.end_call_tool_mode)
  const minds = new Minds({ model: parts.model, tools: parts.tools, descriptions }, clock)
  return {
    ...{ clock, mouth, minds, conversation, stopwatch, partials, usage, nodes, onNews, latency, dispatch },
    prompt: fill(order.agent.agent_prompt, values),
    askFinal: options.askFinal,
  }
}

const spoken = ({ agent }: CallOrder): string | undefined =>
  agent.synthesizer?.language ?? languagesOf(agent)[0]

type Heard = Pick<
  Stage,
  'conversation' | 'stopwatch' | 'partials' | 'usage' | 'nodes' | 'clock' | 'dispatch' | 'onNews'
>

function mouthEvents(stage: Heard, latency: TurnLatency[]): MouthEvents {
  const { conversation, stopwatch, partials, usage, nodes, clock, dispatch, onNews } = stage
  const tellLatency = (measured: TurnLatency) => {
    latency.push(measured)
    onNews({ type: 'latency', latency: measured })
  }
  return {
    onSound: (generation) => stopwatch.mark(generation, 'sound'),
    onCharacters: (count) => usage.characters(count),
    onFailure: (error) => dispatch({ type: 'voice-failed', error }),
    onBegan({ generation }) {
      const measured = stopwatch.heard(generation)
      if (measured) tellLatency(measured)
      dispatch({ type: 'began', generation })
    },
    onPiece(saying) {
      if (saying.what !== 'nod') partials.tell('agent', saying.begunText)
    },
    // A nod is no turn: the caller is speaking.
    onSaid(saying: Saying, interrupted) {
      const { what, generation, begunMs, heardUntilMs = clock.nowMs } = saying
      const nodeId = nodes.get(generation)
      nodes.delete(generation)
      if (what === 'nod' || begunMs === undefined) return
      partials.forget('agent')
      const span = { startMs: begunMs, endMs: heardUntilMs }
      conversation.agentSaid(saying.heard(), span, { interrupted, ...(nodeId !== undefined && { nodeId }) })
    },
    onDrained: (generation) => dispatch({ type: 'drained', generation }),
  }
}
