// The state of a conversation, derived from what was said.
import type { Brief, Condition, Question, Statement } from './brief.ts'
import { messageQuestions } from './default-questions.ts'
import type { Recognised } from './recognise.ts'

/** What the agent's last words expect. */
export type Pending =
  | { readonly of: 'nothing' }
  | { readonly of: 'question'; readonly id: string; readonly tries: number }
  | { readonly of: 'recap' }
  | { readonly of: 'correction' }
  | { readonly of: 'message-offer' }
  | { readonly of: 'anything-else' }
  | { readonly of: 'end' }

export interface State {
  readonly answers: ReadonlyMap<string, Recognised>
  /** Questions given up. */
  readonly skipped: ReadonlySet<string>
  readonly takesMessage: boolean
  readonly confirmed: boolean
  readonly stated: ReadonlySet<Statement>
  readonly pending: Pending
  readonly lastSaid: string
}

export interface Reply {
  readonly text: string
  readonly pending: Pending
}

export interface Step {
  readonly state: State
  readonly reply: Reply
}

export const beginning: State = {
  answers: new Map(),
  skipped: new Set(),
  takesMessage: false,
  confirmed: false,
  stated: new Set(),
  pending: { of: 'nothing' },
  lastSaid: '',
}

export const holds = (state: State, condition: Condition | undefined): boolean =>
  !condition || state.answers.get(condition.question)?.polarity === condition.is

/** When taking a message: its questions, less what is already known, then the answered ones of the prompt. */
export function questionsOf(brief: Brief, state: State): Question[] {
  const known = brief.questions.filter(({ id }) => state.answers.has(id)).map(({ slot }) => slot.kind)
  const forMessage = messageQuestions.filter(({ slot }) => slot.kind === 'free' || !known.includes(slot.kind))
  const listed = brief.questions.filter(({ condition }) => holds(state, condition))
  return state.takesMessage ? [...forMessage, ...listed.filter(({ id }) => state.answers.has(id))] : listed
}

export const nextQuestion = (brief: Brief, state: State): Question | undefined =>
  questionsOf(brief, state).find(({ id }) => !state.answers.has(id) && !state.skipped.has(id))

export const findQuestion = (brief: Brief, id: string): Question | undefined =>
  [...brief.questions, ...messageQuestions].find((question) => question.id === id)
