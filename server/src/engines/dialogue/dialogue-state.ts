// The state of a conversation, derived from what was said.
import type { Brief, BriefStatement, Condition, Question } from './brief.ts'
import { messageQuestions } from './default-questions.ts'
import type { RecognisedAnswer } from './recognise.ts'

/** The answer that the agent's last words expect. */
export type Expectation =
  | { readonly of: 'nothing' }
  | { readonly of: 'question'; readonly id: string; readonly tries: number }
  | { readonly of: 'recap' }
  | { readonly of: 'correction' }
  | { readonly of: 'message-offer' }
  | { readonly of: 'anything-else' }
  | { readonly of: 'end' }

export interface DialogueState {
  readonly answers: ReadonlyMap<string, RecognisedAnswer>
  /** The questions that were given up. */
  readonly skipped: ReadonlySet<string>
  readonly takesMessage: boolean
  readonly confirmed: boolean
  readonly stated: ReadonlySet<BriefStatement>
  readonly pending: Expectation
  readonly lastSaid: string
}

export interface PolicyReply {
  readonly text: string
  readonly pending: Expectation
}

export interface PolicyStep {
  readonly state: DialogueState
  readonly reply: PolicyReply
}

export const beginning: DialogueState = {
  answers: new Map(),
  skipped: new Set(),
  takesMessage: false,
  confirmed: false,
  stated: new Set(),
  pending: { of: 'nothing' },
  lastSaid: '',
}

export const isConditionMet = (state: DialogueState, condition: Condition | undefined): boolean =>
  !condition || state.answers.get(condition.question)?.polarity === condition.is

/**
 * The questions to ask. When taking a message: the message's questions, less what is already known, then the answered
 * ones of the prompt.
 */
export function questionsOf(brief: Brief, state: DialogueState): Question[] {
  const known = brief.questions.filter(({ id }) => state.answers.has(id)).map(({ slot }) => slot.kind)
  const forMessage = messageQuestions.filter(({ slot }) => slot.kind === 'free' || !known.includes(slot.kind))
  const listed = brief.questions.filter(({ condition }) => isConditionMet(state, condition))
  return state.takesMessage ? [...forMessage, ...listed.filter(({ id }) => state.answers.has(id))] : listed
}

export const nextQuestion = (brief: Brief, state: DialogueState): Question | undefined =>
  questionsOf(brief, state).find(({ id }) => !state.answers.has(id) && !state.skipped.has(id))

export const findQuestion = (brief: Brief, id: string): Question | undefined =>
  [...brief.questions, ...messageQuestions].find((question) => question.id === id)
