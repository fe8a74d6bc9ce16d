// The built-in policy's own sentences, at most two in a row.
import type { Brief, Question } from './brief.ts'
import type { DialogueState } from './dialogue-state.ts'
import type { RecognisedAnswer } from './recognise.ts'
import { capital, withFullStop } from './words.ts'

export const goodbye = 'Good-bye.'
export const anythingElse = 'Is there anything else I can do for you?'
export const messageOffer = 'Shall I take a message?'
export const whatElse = 'What else can I do for you?'
export const howToHelp = 'How can I help you?'
export const isThatRight = 'Is that right?'
export const notHeard = 'Sorry, I cannot hear you.'
export const whatToCorrect = 'What should I correct?'

/** Says why an answer was not accepted. */
export function notCaught({ slot }: Question): string {
  if (slot.kind === 'number' && Number.isFinite(slot.max)) {
    return `Sorry, I need a number from ${slot.min} to ${slot.max}.`
  }
  if (slot.kind === 'phone') return 'Sorry, I need the whole number, digit by digit.'
  return 'Sorry, I did not catch that.'
}

export const letItBe = 'Never mind, let us go on.'

/** Admits in varying words that it does not know. */
export const doNotKnow = (lastSaid: string): string =>
  lastSaid.includes('I do not know that')
    ? 'I cannot tell you that either.'
    : 'I am sorry, I do not know that.'

export const onlyWhatGiven = 'I can only speak about what I was given.'

export function whoIAm({ name, role, company }: Brief): string {
  const me = name && role ? `${name}, ${role}` : (name ?? role)
  return withFullStop(`This is ${me ?? `an automated assistant${company ? ` of ${company}` : ''}`}`)
}

export const robot = ({ name, company }: Brief): string =>
  `I am an automated assistant${company ? ` of ${company}` : ''}${name ? ` called ${name}` : ''}, not a human being.`

export function whyICall({ purpose, statements }: Brief): string | undefined {
  // Sales goals are not read out to the caller.
  if (purpose && !/\b(?:leads?|qualify|sell|upsell|persuade|convince)\b/i.test(purpose))
    return withFullStop(`I am calling to ${purpose}`)
  return statements.find(({ condition }) => !condition)?.text
}

const thanks = ['Thank you.', 'All right.', 'Thanks, I have noted that.']

/** Repeats what could have been misheard. `turn` varies the words. */
export function acknowledge({ slot }: Question, { words, polarity }: RecognisedAnswer, turn: number): string {
  if (slot.kind === 'name') return `Thank you, ${words.split(' ')[0]}.`
  if (slot.kind === 'yes-no' && polarity === 'no') return 'I see.'
  if (slot.kind === 'yes-no' && polarity === 'yes') return turn % 2 === 0 ? 'Great.' : 'Good.'
  if (slot.kind === 'free' || slot.kind === 'yes-no') return thanks[turn % thanks.length] ?? ''
  return withFullStop(`${turn % 2 === 0 ? 'I have' : 'Got it,'} ${words}`)
}

const called: Partial<Record<Question['slot']['kind'], string>> = {
  name: 'your name',
  phone: 'your phone number',
  email: 'your e-mail address',
  date: 'the day',
  time: 'the time',
  when: 'the time',
}

export const callIt = ({ label, slot }: Question): string | undefined => label || called[slot.kind]

// Kinds that a telephone garbles and that are costly when wrong.
const fragile = ['phone', 'email', 'date', 'time', 'when']

/** The summary of the answers; undefined: nothing needs confirmation. */
export function recap(questions: readonly Question[], { answers }: DialogueState): string | undefined {
  const given = questions.filter(({ id }) => answers.has(id))
  if (!given.some(({ slot }) => fragile.includes(slot.kind))) return undefined
  const items = given
    .filter(({ slot }) => [...fragile, 'name', 'number'].includes(slot.kind))
    .flatMap((question) => {
      const label = callIt(question)
      return label ? [`${label} is ${answers.get(question.id)?.words}`] : []
    })
  // A single answer was already repeated.
  if (items.length < 2 && !given.some(({ slot }) => slot.kind === 'phone' || slot.kind === 'email'))
    return undefined
  const last = items.pop()
  return `Let me repeat that. ${capital(items.length > 0 ? `${items.join(', ')} and ${last}` : `${last}`)}. ${isThatRight}`
}
