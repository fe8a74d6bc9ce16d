// Decides what the built-in dialogue policy says next: a pure function of the prompt and the conversation so far.
import type { ChatMessage } from '../../ports/language-model.ts'
import type { Brief, Question } from './brief.ts'
import {
  beginning,
  type DialogueState,
  type Expectation,
  findQuestion,
  nextQuestion,
  type PolicyReply,
} from './dialogue-state.ts'
import type { Closeness } from './match-facts.ts'
import { goodbye, howToHelp, notHeard, whoIAm } from './phrases.ts'
import { replyToCaller } from './reply-to-caller.ts'
import { comparableWords, plain } from './words.ts'

export interface ReplyDecision {
  readonly text: string
  /** Whether the conversation is over once this has been said. */
  readonly ends: boolean
  /** Whether a question of the prompt is still unanswered. */
  readonly asks: boolean
}

export function decideReply(
  brief: Brief,
  messages: readonly ChatMessage[],
  byMeaning?: Closeness,
): ReplyDecision {
  const turns = turnsOf(messages)
  let state = beginning
  let proposed: PolicyReply | undefined
  for (const { role, text } of turns) {
    if (role === 'assistant') {
      state = afterSaying(brief, state, text, proposed)
      proposed = undefined
    } else {
      const { state: after, reply } = replyToCaller(brief, state, text, byMeaning)
      state = after
      proposed = reply
    }
  }
  const { text, pending } = proposed ?? unasked(brief, state)
  const last = messages.findLast(({ role }) => role === 'assistant')?.content ?? ''
  const asks = nextQuestion(brief, state) !== undefined
  return { text: unlike(last, text), ends: pending.of === 'end', asks }
}

interface MindTurn {
  readonly role: 'user' | 'assistant'
  readonly text: string
}

/** Consecutive messages of one role are one turn. */
function turnsOf(messages: readonly ChatMessage[]): MindTurn[] {
  const turns: MindTurn[] = []
  for (const { role, content } of messages) {
    if ((role !== 'user' && role !== 'assistant') || content.trim() === '') continue
    const last = turns.at(-1)
    if (last?.role === role) turns[turns.length - 1] = { role, text: `${last.text} ${content}` }
    else turns.push({ role, text: content })
  }
  return turns
}

/** The reply when the caller has said nothing yet, or nothing since our last words. */
function unasked(brief: Brief, { lastSaid, pending }: DialogueState): PolicyReply {
  if (!lastSaid) return { text: `Hello. ${whoIAm(brief)} ${howToHelp}`, pending }
  return { text: pending.of === 'end' ? goodbye : notHeard, pending }
}

/**
 * The state after the agent has spoken. Only the words that were actually heard count: an interrupted question was not
 * asked.
 */
function afterSaying(
  brief: Brief,
  state: DialogueState,
  text: string,
  proposed: PolicyReply | undefined,
): DialogueState {
  const stated = new Set(state.stated)
  for (const statement of brief.statements) if (shares(text, statement.text)) stated.add(statement)
  return { ...state, stated, lastSaid: text, pending: pendingAfter(brief, state, text, proposed) }
}

function pendingAfter(
  brief: Brief,
  state: DialogueState,
  text: string,
  proposed: PolicyReply | undefined,
): Expectation {
  if (!proposed) {
    const asked = brief.questions.find(({ ask, condition }) => !condition && asksFor(text, ask))
    return asked ? { of: 'question', id: asked.id, tries: 1 } : state.pending
  }
  const { pending } = proposed
  const asked = pending.of === 'question' ? findQuestion(brief, pending.id) : undefined
  return asked && !wasHeard(text, asked) ? { of: 'nothing' } : pending
}

const wasHeard = (text: string, { ask }: Question): boolean => {
  const said = plain(text)
  const words = comparableWords(ask)
  return said.includes(words.slice(0, Math.ceil(words.length / 2)).join(' '))
}

/** Whether a text asks the question in its own words, as a greeting may do. */
const asksFor = (text: string, ask: string): boolean =>
  text.trim().endsWith('?') && shares(text.slice(-120), ask)

function shares(text: string, wanted: string): boolean {
  const words = new Set(comparableWords(text))
  const needed = comparableWords(wanted)
  return needed.length > 0 && needed.filter((word) => words.has(word)).length >= needed.length * 0.7
}

const unlike = (last: string, text: string): string =>
  plain(last) === plain(text) ? `As I said: ${text}` : text
