// A transcript as the analysis reads it: each utterance of the caller with what the agent had said before.
import type { SpokenLine } from '../../ports/analysis.ts'
import { polarityIn } from '../dialogue/intents.ts'

export interface Exchange {
  /** The agent's words before; empty if the caller spoke first. */
  readonly asked: string
  readonly said: string
}

/** Groups what either side says in a row into one utterance; answers of tools are left out, because nobody said them. */
export function exchangesOf(transcript: readonly SpokenLine[]): Exchange[] {
  const exchanges: Exchange[] = []
  let asked = ''
  let last: SpokenLine['role'] | undefined
  for (const { role, content } of transcript) {
    const words = content.trim()
    if (role === 'tool' || words === '') continue
    const previous = exchanges.at(-1)
    if (role === 'agent') asked = last === 'agent' ? `${asked} ${words}` : words
    else if (last === 'user' && previous)
      exchanges[exchanges.length - 1] = { ...previous, said: `${previous.said} ${words}` }
    else exchanges.push({ asked: previous || asked ? asked : '', said: words })
    last = role
  }
  return exchanges
}

/** The facts that the agent read back and the caller confirmed: "Your name is Ada and the day is Friday. Is that right?" */
export function confirmedIn({ asked, said }: Exchange): Exchange[] {
  if (polarityIn(said) !== 'yes' || !/\bis that (?:right|correct)\?/i.test(asked)) return []
  return asked
    .split(/(?:^|[,.] |,? and )(?=(?:your|the) [\w -]{2,40}? is )/i)
    .map((clause) => clause.match(/^((?:your|the) [\w -]{2,40}?) is (.+?)(?:[,.]? Is that.*)?$/is))
    .flatMap((clause) => (clause ? [{ asked: clause[1] ?? '', said: clause[2] ?? '' }] : []))
}

/** The question at the end of the agent's words; all of them if there is none. */
export function questionIn(asked: string): string {
  const sentences = asked.split(/(?<=[.!?])\s+/)
  return sentences.findLast((sentence) => sentence.endsWith('?')) ?? asked
}
