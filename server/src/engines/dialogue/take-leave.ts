// Ends the conversation, because the caller wants to or because nothing is left to say.
import type { Brief } from './brief.ts'
import type { DialogueState, PolicyStep } from './dialogue-state.ts'
import { type Intent, isQuestion, polarityIn } from './intents.ts'
import * as say from './phrases.ts'
import { dateIn, timeIn } from './spoken-time.ts'

/** The last reply; undefined: the call continues. */
export function takeLeave(
  brief: Brief,
  state: DialogueState,
  heard: string,
  intent: Intent | undefined,
): PolicyStep | undefined {
  const end = (words: string): PolicyStep => ({ state, reply: { text: words, pending: { of: 'end' } } })
  const closing = brief.closing ?? 'Thank you for your time.'
  if (state.pending.of === 'end' && !isQuestion(heard)) {
    return end(state.lastSaid === say.goodbye ? `Thank you. ${say.goodbye}` : say.goodbye)
  }
  const isWaiting = state.pending.of === 'question' || state.pending.of === 'recap'
  switch (intent) {
    case 'wrong-number':
      return end(`I am sorry for the mistake. ${say.goodbye}`)
    case 'stop':
      return end(`I understand, and I am sorry for the trouble. ${say.goodbye}`)
    case 'call-back': {
      // "No, I am busy then" may be the expected answer.
      if (isWaiting && polarityIn(heard)) return undefined
      const when = [dateIn(heard), timeIn(heard)].filter(Boolean).join(' ')
      return end(`Of course${when ? `, ${when}` : ', another time then'}. ${say.goodbye}`)
    }
    case 'goodbye':
      return isQuestion(heard) ? undefined : end(`${closing} ${say.goodbye}`)
    case 'nothing-else':
      return isWaiting && !isFarewell(heard) ? undefined : end(`${closing} ${say.goodbye}`)
    case 'no':
      return state.pending.of === 'anything-else' || declines(state)
        ? end(`${state.pending.of === 'anything-else' ? closing : 'All right. Thank you.'} ${say.goodbye}`)
        : undefined
    case 'thanks':
      return state.pending.of === 'anything-else' ? end(`You are welcome. ${say.goodbye}`) : undefined
    default:
      return undefined
  }
}

const isFarewell = (heard: string): boolean => /\b(?:good[- ]?bye|bye)\b/i.test(heard)

/** Whether the caller declines a greeting's "Do you have a minute?", which ends the call. */
const declines = ({ pending, answers, lastSaid }: DialogueState): boolean =>
  pending.of === 'nothing' &&
  answers.size === 0 &&
  /\b(?:minutes?|moment|good time|time to talk|few questions|speak now|convenient)\b[^.?]*\?\s*$/i.test(
    lastSaid,
  )
