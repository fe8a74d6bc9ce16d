// Carries out the acts of the turn logic: one row per act.
import { languageName } from '../platform/language-names.ts'
import type { CallUpdate, PassageSource } from '../ports/call.ts'
import type { ChatMessage, ModelUsage, ToolCall } from '../ports/language-model.ts'
import type { CallParts, Clock } from './call-parts.ts'
import type { ArrivalTimes } from './record/arrival-times.ts'
import type { PartialTranscripts } from './record/partial-transcripts.ts'
import type { Stopwatch } from './record/stopwatch.ts'
import type { UsageMeter } from './record/usage-meter.ts'
import type { SpeechOutput } from './speak/speech-output.ts'
import { clausesOf } from './think/clauses.ts'
import type { Conversation } from './think/conversation.ts'
import type { NodePath } from './think/node-path.ts'
import type { Replies } from './think/replies.ts'
import type { ReplyEvents } from './think/reply.ts'
import type { Act, LineAct, RecordAct, TurnEvent } from './turn/turn-state.ts'

/** The language of a caller who may speak any: the agent answers in that language from the next sentence on. */
export class CallerLanguage {
  readonly #parts: Pick<CallParts, 'voice' | 'voiceIn' | 'onUpdate'>
  readonly #output: Pick<SpeechOutput, 'speakWith'>
  #name: string | undefined

  constructor(
    parts: Pick<CallParts, 'voice' | 'voiceIn' | 'onUpdate'>,
    output: Pick<SpeechOutput, 'speakWith'>,
  ) {
    this.#parts = parts
    this.#output = output
  }

  /** Reports each change of language once, however often the transcriber names it. */
  take(language: string): void {
    const { voice, voiceIn, onUpdate } = this.#parts
    const name = languageName(language)
    if (name === this.#name) return
    this.#name = name
    this.#output.speakWith({ voice: voiceIn?.(language) ?? voice, language })
    onUpdate({ type: 'note', note: `The caller speaks ${this.#name}.` })
  }

  /** A model follows the language of its prompt unless it is told otherwise. */
  addedTo(prompt: string): string {
    if (this.#name === undefined) return prompt
    return `${prompt}\n\nThe caller speaks ${this.#name}: answer in ${this.#name}.`.trim()
  }
}

export interface PerformContext {
  readonly clock: Clock
  /** The system prompt, as of now. */
  readonly prompt: () => string
  readonly callerLanguage: CallerLanguage
  readonly output: SpeechOutput
  readonly replies: Replies
  readonly conversation: Conversation
  readonly stopwatch: Stopwatch
  readonly arrivals: ArrivalTimes
  readonly partials: PartialTranscripts
  readonly usage: UsageMeter
  /** The graph nodes that made each reply, by generation, until the reply has been said. */
  readonly nodes: NodePath
  /** The passages that each reply is based on, by generation, until the reply has been said. */
  readonly sources: Map<number, readonly PassageSource[]>
  readonly askFinal: () => void
  /** The model's request for the transfer that is under way. */
  readonly transferAsked: { call: ToolCall | undefined }
  readonly onUpdate: (update: CallUpdate) => void
  /** Reports the result to the turn logic. */
  readonly dispatch: (event: TurnEvent) => void
}

/** The acts that are carried out here: `end`, the recording and the commands to the line belong to the session. */
export type PerformedAct = Exclude<Act, { do: 'end' } | RecordAct | LineAct>

type Rows = { readonly [Name in PerformedAct['do']]: (act: Extract<PerformedAct, { do: Name }>) => void }

export function performer(context: PerformContext): (act: PerformedAct) => void {
  const { output, replies, conversation, stopwatch, partials, usage, nodes, onUpdate, dispatch } = context
  const { sources, arrivals } = context
  const onUsage = (used: ModelUsage) => usage.request(used)

  const rows: Rows = {
    say({ generation, what, text, held }) {
      output.say(generation, what, clausesOf(text), held)
    },
    think({ generation, words, ahead }) {
      stopwatch.mark(generation, 'asked')
      output.open(generation, 'reply', ahead)
      replies.think(generation, withPrompt(context.prompt(), conversation.messages(ahead ? words : '')), {
        ...replyEvents(context, generation),
        onUsage,
      })
      if (!ahead) replies.confirm(generation)
    },
    confirm({ generation }) {
      replies.confirm(generation)
      output.confirm(generation)
    },
    fill: ({ generation, text }) => output.add(generation, text),
    discard({ generation }) {
      replies.discard(generation)
      output.discard(generation)
      stopwatch.forget(generation)
      nodes.forget(generation)
      sources.delete(generation)
    },
    pause: () => output.pause(),
    resume: () => output.resume(),
    'ask-final': () => context.askFinal(),
    hear({ generation, words, startMs, endMs, wordsMs }) {
      partials.forget('user')
      conversation.callerSaid(words, { startMs, endMs })
      stopwatch.taken({ generation, turn: conversation.turn, endMs: arrivals.of(endMs), wordsMs })
    },
    overhear({ words, startMs, endMs }) {
      partials.forget('user')
      conversation.callerSaid(words, { startMs, endMs })
    },
    correct: ({ words }) => conversation.callerMeant(words),
    judge({ generation, question }) {
      const messages = withPrompt(context.prompt(), conversation.messages())
      void replies.judge(question, messages, onUsage).then((over) => {
        if (over) dispatch({ type: 'judged-over', generation })
      })
    },
    'forget-latency': () => stopwatch.abandon(),
    note: ({ note }) => onUpdate({ type: 'note', note }),
  }
  return (act) => (rows[act.do] as (act: PerformedAct) => void)(act)
}

const withPrompt = (prompt: string, messages: readonly ChatMessage[]): readonly ChatMessage[] =>
  prompt ? [{ role: 'system', content: prompt }, ...messages] : messages

function replyEvents(context: PerformContext, generation: number): Omit<ReplyEvents, 'onUsage'> {
  const { clock, output, conversation, stopwatch, nodes, onUpdate, dispatch } = context
  const tell = (
    call: ToolCall,
    phase: Extract<CallUpdate, { type: 'tool' }>['phase'],
    detail: string | null,
  ) => onUpdate({ type: 'tool', name: call.name, phase, detail })
  return {
    onClause(text) {
      stopwatch.mark(generation, 'voiced')
      output.add(generation, text)
    },
    onToken: () => stopwatch.mark(generation, 'token'),
    onNode: (nodeId) => nodes.reach(generation, nodeId),
    onSources: (found) => void context.sources.set(generation, found),
    onWords() {
      stopwatch.mark(generation, 'words')
      dispatch({ type: 'reply-words', generation })
    },
    onWait: (what) => dispatch({ type: 'reply-waits', generation, for: what }),
    onDone: () => output.close(generation),
    onFailure(error, isFinal) {
      onUpdate({ type: 'note', note: `The model failed: ${error}` })
      output.close(generation)
      dispatch({ type: 'reply-failed', generation, error, isFinal })
    },
    onHangUp: () => dispatch({ type: 'hang-up-wanted', generation }),
    onTransfer(call, destination) {
      context.transferAsked.call = call
      dispatch({ type: 'transfer-wanted', generation, destination })
    },
    onTool: (call, phase) => tell(call, phase, null),
    onToolResult(call, { text, ok, startMs }) {
      tell(call, ok ? 'finished' : 'failed', text)
      conversation.toolAnswered(call, text, { startMs, endMs: clock.nowMs })
    },
  }
}
