// Continues the conversation: due statements, then the next question, the recap, or the end.
import type { Brief, Statement } from './brief.ts'
import * as say from './phrases.ts'
import { holds, nextQuestion, type Pending, questionsOf, type Reply, type State, type Step } from './state.ts'

export const dueStatements = (brief: Brief, state: State): Statement[] =>
  brief.statements.filter((one) => holds(state, one.condition) && !state.stated.has(one))

/** `lead` is said first. */
export function goOn(brief: Brief, before: State, lead: string): Step {
  const due = dueStatements(brief, before).filter(({ text }) => text !== lead)
  const state = { ...before, stated: new Set([...before.stated, ...due]) }
  const said = [brief.isEnglish ? lead : '', ...due.map(({ text }) => text)].filter(Boolean)
  const { text, pending } = due.some(({ ends }) => ends)
    ? { text: say.goodbye, pending: { of: 'end' } as const }
    : whatIsNext(brief, state, said.length > 0)
  // Avoids thanking twice.
  const words = [...said, text].filter(
    (one, place, all) => !(one === 'Thank you.' && all[place + 1]?.startsWith('Thank')),
  )
  return { state, reply: { text: words.filter(Boolean).join(' '), pending } }
}

function whatIsNext(brief: Brief, state: State, hasSpoken: boolean): Reply {
  const next = nextQuestion(brief, state)
  if (next) return { text: next.ask, pending: { of: 'question', id: next.id, tries: 1 } }
  const summary = state.confirmed ? undefined : say.recap(questionsOf(brief, state), state)
  if (summary) return { text: summary, pending: { of: 'recap' } }
  if (state.answers.size === 0)
    return ask('', hasSpoken && state.lastSaid ? say.whatElse : say.howToHelp, 'anything-else')
  if (brief.closing) return ask(brief.closing, say.goodbye, 'end')
  return ask('', say.anythingElse, 'anything-else')
}

export const ask = (lead: string, question: string, of: Exclude<Pending['of'], 'question'>): Reply => ({
  text: `${lead} ${question}`.trim(),
  pending: { of },
})
