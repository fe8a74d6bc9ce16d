// Whether something was arranged: booked, scheduled, ordered. Nobody's yes settles it, only the agent's word that it is done.
import type { ExtractionField, SpokenLine } from '../../ports/analysis.ts'
import { sentencesOf } from '../dialogue/words.ts'
import { plainAnswer } from './answers.ts'

const arranging =
  /\b(?:book(?:ed|ing)?|schedul(?:ed|ing)|reserv(?:ed|ation)|appointment|sign(?:ed)? up|enrol(?:led)?)\b/i
const whether = /\b(?:was|were|is|has been|got|made|booked|scheduled|reserved|confirmed)\b/i

/** A yes-or-no field about an arrangement. */
export const isArrangement = ({ name, description }: ExtractionField): boolean =>
  arranging.test(`${name.replaceAll('_', ' ')} ${description}`) &&
  whether.test(`${name.replaceAll('_', ' ')} ${description}`) &&
  !/\b(?:wants?|keeps?|asked|before|earlier|cancel\w*)\b/i.test(`${name.replaceAll('_', ' ')} ${description}`)

const confirming =
  /\b(?:(?:you(?:'re| are)|it(?:'s| is)|that(?:'s| is)|(?:table|appointment|room|booking|reservation|visit|place) (?:for \\w+ )?is|(?:i|we)(?:'ve| have)) (?:now |all )?(?:booked|confirmed|scheduled|reserved|set|arranged|in|put you down)|(?:is|are) (?:now )?(?:booked|confirmed|scheduled|reserved)|i(?:'ve| have) (?:booked|scheduled|reserved)|it is\.?$|see you (?:on|at|then|tomorrow)|all set)\b/i
const undoing = /\b(?:cancel(?:led|ed)?|taken|not available|afraid|unfortunately|full(?:y booked)?|sorry)\b/i
const offering =
  /\b(?:shall|should|can|may|could) (?:i|we) (?:book|schedule|reserve|put)|\b(?:would you like|do you want) (?:me )?to (?:book|make|schedule)|does that (?:work|suit)|\bbook\b.*\?$/i

export type Arranged = { readonly value: boolean; readonly reason: string } | { readonly unknown: string }

export function arrangedIn(transcript: readonly SpokenLine[]): Arranged {
  const confirmed = transcript.findLastIndex(
    ({ role, content }) =>
      role === 'agent' &&
      sentencesOf(content).some((one) => !one.endsWith('?') && confirming.test(one) && !undoing.test(one)),
  )
  const undone = transcript.findLastIndex(
    ({ role, content }) => role === 'agent' && undoing.test(content) && !/sorry to hear/i.test(content),
  )
  if (confirmed >= 0 && confirmed > undone)
    return { value: true, reason: `The agent confirmed it: “${transcript[confirmed]?.content}”` }
  if (confirmed >= 0) return { unknown: 'It was confirmed, and something was called off later.' }
  const offered = transcript.findLastIndex(({ role, content }) => role === 'agent' && offering.test(content))
  const answer = transcript.slice(offered + 1).find(({ role }) => role === 'user')?.content ?? ''
  if (offered >= 0 && plainAnswer(answer) === false)
    return { value: false, reason: `It was declined: “${answer}”` }
  return { unknown: 'Nobody said that it was done, or that it was not.' }
}
