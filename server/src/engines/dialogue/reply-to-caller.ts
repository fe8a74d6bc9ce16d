// One turn of the built-in policy: from the caller's words and the state to the reply and the next state.
import type { Brief, BriefStatement } from './brief.ts'
import {
  type DialogueState,
  type Expectation,
  findQuestion,
  isConditionMet,
  nextQuestion,
  type PolicyReply,
  type PolicyStep,
  questionsOf,
} from './dialogue-state.ts'
import { intentOf, isQuestion, polarityIn } from './intents.ts'
import { bestFact, type Closeness } from './match-facts.ts'
import * as say from './phrases.ts'
import { recognise, volunteered } from './recognise.ts'
import { takeLeave } from './take-leave.ts'
import { comparableWords, plain } from './words.ts'

// The second try uses other words; a third would annoy.
const mostTries = 2

export function replyToCaller(
  brief: Brief,
  before: DialogueState,
  heard: string,
  byMeaning?: Closeness,
): PolicyStep {
  const intent = intentOf(heard)
  if (intent === 'pardon' && before.lastSaid) return { state: before, reply: again(before) }
  const left = takeLeave(brief, before, heard, intent)
  if (left) return left
  const about = intent === 'robot' ? say.robot(brief) : intent === 'who' ? say.whoIAm(brief) : undefined
  if (about) return continueConversation(brief, before, about)
  if (intent === 'why') return continueConversation(brief, before, say.whyICall(brief) ?? say.whoIAm(brief))
  if (intent === 'human') return offerMessage(before, 'I cannot put you through.')
  return answering(brief, before, heard, byMeaning) ?? talking(brief, before, heard, byMeaning)
}

/** Replies to the expected answer, if this is one. */
function answering(
  brief: Brief,
  before: DialogueState,
  heard: string,
  byMeaning?: Closeness,
): PolicyStep | undefined {
  const { pending } = before
  const polarity = polarityIn(heard)
  if (pending.of === 'question') return answered(brief, before, pending, heard, byMeaning)
  if (pending.of === 'recap' && polarity === 'yes')
    return continueConversation(brief, { ...before, confirmed: true }, 'Good.')
  if (pending.of === 'recap' || pending.of === 'correction') return corrected(brief, before, heard)
  if (pending.of === 'message-offer') {
    if (polarity === 'yes') return continueConversation(brief, { ...before, takesMessage: true }, 'Gladly.')
    if (polarity === 'no' && hasBegun(brief, before)) return continueConversation(brief, before, 'All right.')
    if (polarity === 'no')
      return { state: before, reply: replyAsking('All right.', say.anythingElse, 'anything-else') }
  }
  if (
    pending.of === 'anything-else' &&
    polarity === 'yes' &&
    !isQuestion(heard) &&
    comparableWords(heard).length <= 3
  ) {
    return { state: before, reply: replyAsking('', say.howToHelp, 'anything-else') }
  }
  return undefined
}

function answered(
  brief: Brief,
  before: DialogueState,
  pending: Extract<Expectation, { of: 'question' }>,
  heard: string,
  byMeaning?: Closeness,
): PolicyStep | undefined {
  const question = findQuestion(brief, pending.id)
  if (!question) return undefined
  if (intentOf(heard) === 'do-not-know') return skip(brief, before, question.id, 'That is all right.')
  const answer = recognise(question.slot, heard)
  if (answer) {
    const answers = new Map(before.answers).set(question.id, answer)
    const after = volunteer(brief, { ...before, answers, pending: { of: 'nothing' } }, heard)
    return continueConversation(brief, after, say.acknowledge(question, answer, after.answers.size))
  }
  const fact = isQuestion(heard) && bestFact(brief.facts, heard, byMeaning)
  if (fact) return { state: before, reply: { text: `${fact.text} ${question.ask}`, pending } }
  const lead = isQuestion(heard) ? say.doNotKnow(before.lastSaid) : say.notCaught(question)
  if (pending.tries < mostTries) {
    const again = { ...pending, tries: pending.tries + 1 }
    return { state: before, reply: { text: `${lead} ${question.ask}`, pending: again } }
  }
  return skip(brief, before, question.id, say.letItBe)
}

function skip(brief: Brief, before: DialogueState, id: string, lead: string): PolicyStep {
  const skipped = new Set([...before.skipped, id])
  return continueConversation(brief, { ...before, skipped, pending: { of: 'nothing' } }, lead)
}

function corrected(brief: Brief, before: DialogueState, heard: string): PolicyStep {
  const given = questionsOf(brief, before).filter(({ id }) => before.answers.has(id))
  const words = comparableWords(heard)
  const meant = given.find((question) => {
    const label = comparableWords(say.callIt(question) ?? '').filter(
      (word) => !['your', 'the', 'number', 'preferred'].includes(word),
    )
    return label.some((word) => words.includes(word))
  })
  const question = meant ?? given.find(({ slot }) => volunteered(slot, heard))
  const value = question && volunteered(question.slot, heard)
  const answers = new Map(before.answers)
  if (question && value) {
    answers.set(question.id, value)
    return continueConversation(brief, { ...before, answers }, say.acknowledge(question, value, answers.size))
  }
  if (question) {
    answers.delete(question.id)
    return continueConversation(brief, { ...before, answers }, 'All right.')
  }
  // A caller who neither agrees nor says what is wrong is not asked again.
  if (before.pending.of === 'correction')
    return continueConversation(brief, { ...before, confirmed: true }, say.letItBe)
  return { state: before, reply: replyAsking('I am sorry.', say.whatToCorrect, 'correction') }
}

/** Replies when no answer was expected, or something else was said. */
function talking(brief: Brief, before: DialogueState, heard: string, byMeaning?: Closeness): PolicyStep {
  const intent = intentOf(heard)
  const fact =
    isQuestion(heard) || !hasBegun(brief, before) ? bestFact(brief.facts, heard, byMeaning) : undefined
  const after = volunteer(brief, before, heard)
  const isTold = after.answers.size > before.answers.size
  const wants = isTold || wantsTask(heard)
  // "Are you open on Sunday?" names a day but does not answer with one.
  if (fact && isQuestion(heard) && !wantsTask(heard)) {
    const isUnderWay = hasBegun(brief, before)
    return isUnderWay
      ? continueConversation(brief, before, fact.text)
      : { state: before, reply: replyAsking(fact.text, say.whatElse, 'anything-else') }
  }
  if (isQuestion(heard) && !wants && intent !== 'how-are-you' && intent !== 'hello')
    return unknown(brief, before)
  if (intent === 'how-are-you') return continueConversation(brief, after, 'I am well, thank you.')
  if (intent === 'hello' && !before.lastSaid)
    return continueConversation(brief, after, `Hello. ${say.whoIAm(brief)}`)
  if (intent === 'thanks') return continueConversation(brief, after, 'You are welcome.')
  if (nextQuestion(brief, after)) return continueConversation(brief, after, wants ? 'Gladly.' : '')
  if (fact) return { state: before, reply: replyAsking(fact.text, say.whatElse, 'anything-else') }
  if (intent === 'hello' || intent === 'yes' || dueStatements(brief, after).length > 0)
    return continueConversation(brief, after, '')
  return unknown(brief, after)
}

const wantsTask = (heard: string): boolean =>
  /\b(?:i(?:'d| would)? (?:like|want|need)|i'm (?:calling|looking) (?:to|for)|can i|could i|may i)\b.*\b(?:book|reserve|reservation|appointment|table|schedule|order|register|sign up|message|make)\b/i.test(
    heard,
  )

/** Whether a question is pending or answered, or we called in order to ask. */
const hasBegun = (brief: Brief, { answers, skipped, pending }: DialogueState): boolean =>
  brief.questions.length > 0 &&
  (answers.size > 0 || skipped.size > 0 || pending.of === 'question' || brief.statements.length > 0)

function unknown(brief: Brief, state: DialogueState): PolicyStep {
  if (!brief.isEnglish) return continueConversation(brief, state, say.onlyWhatGiven)
  return offerMessage(state, say.doNotKnow(state.lastSaid))
}

const offerMessage = (state: DialogueState, lead: string): PolicyStep => ({
  state,
  reply: state.takesMessage
    ? replyAsking(lead, say.anythingElse, 'anything-else')
    : replyAsking(lead, say.messageOffer, 'message-offer'),
})

const again = ({ lastSaid, pending }: DialogueState): PolicyReply => {
  const words = lastSaid.replace(/^(?:I said: |Once more: )/, '')
  return { text: `${lastSaid.startsWith('I said: ') ? 'Once more' : 'I said'}: ${words}`, pending }
}

/** Takes further answers from the same words: the time with the day, the number of guests with both. */
function volunteer(brief: Brief, state: DialogueState, heard: string): DialogueState {
  const answers = new Map(state.answers)
  for (const { id, slot } of questionsOf(brief, state)) {
    const answer = answers.has(id) ? undefined : volunteered(slot, heard)
    if (answer && !repeats(state.lastSaid, answer.words)) answers.set(id, answer)
  }
  return { ...state, answers }
}

/**
 * Whether an answer only repeats what the agent said: "I am away on Tuesday" adds nothing after the agent named
 * Tuesday.
 */
const repeats = (lastSaid: string, words: string): boolean => plain(lastSaid).includes(plain(words))

const dueStatements = (brief: Brief, state: DialogueState): BriefStatement[] =>
  brief.statements.filter((one) => isConditionMet(state, one.condition) && !state.stated.has(one))

/** Continues the conversation: due statements, then the next question, the recap, or the end. `lead` is said first. */
function continueConversation(brief: Brief, before: DialogueState, lead: string): PolicyStep {
  const due = dueStatements(brief, before).filter(({ text }) => text !== lead)
  const state = { ...before, stated: new Set([...before.stated, ...due]) }
  const said = [brief.isEnglish ? lead : '', ...due.map(({ text }) => text)].filter(Boolean)
  const { text, pending } = due.some(({ ends }) => ends)
    ? { text: say.goodbye, pending: { of: 'end' } as const }
    : whatIsNext(brief, state, said.length > 0)
  // One of two thanks in a row is left out.
  const words = [...said, text].filter(
    (one, place, all) => !(one === 'Thank you.' && all[place + 1]?.startsWith('Thank')),
  )
  return { state, reply: { text: words.filter(Boolean).join(' '), pending } }
}

function whatIsNext(brief: Brief, state: DialogueState, hasSpoken: boolean): PolicyReply {
  const next = nextQuestion(brief, state)
  if (next) return { text: next.ask, pending: { of: 'question', id: next.id, tries: 1 } }
  const summary = state.confirmed ? undefined : say.recap(questionsOf(brief, state), state)
  if (summary) return { text: summary, pending: { of: 'recap' } }
  if (state.answers.size === 0)
    return replyAsking('', hasSpoken && state.lastSaid ? say.whatElse : say.howToHelp, 'anything-else')
  if (brief.closing) return replyAsking(brief.closing, say.goodbye, 'end')
  return replyAsking('', say.anythingElse, 'anything-else')
}

const replyAsking = (
  lead: string,
  question: string,
  of: Exclude<Expectation['of'], 'question'>,
): PolicyReply => ({
  text: `${lead} ${question}`.trim(),
  pending: { of },
})
