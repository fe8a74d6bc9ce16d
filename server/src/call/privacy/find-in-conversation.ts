// Personal data in a conversation: searched entry by entry with the question that each entry answers, and in numbers
// that were said in several parts.
import { digitRuns } from '../../platform/personal-data/digit-runs.ts'
import { type FoundPersonalData, findPersonalData } from '../../platform/personal-data/find-personal-data.ts'
import type { PersonalDataKind } from '../../platform/personal-data/kinds.ts'
import type { TranscriptEntry } from '../../ports/call.ts'
import { wordsOf } from '../turn/word-list.ts'

type SpokenEntry = Pick<TranscriptEntry, 'role' | 'content'>

/** Returns what was found for each entry, in the order of the entries. Entries of tools are not searched. */
export function findInConversation(
  entries: readonly SpokenEntry[],
  kinds: readonly PersonalDataKind[],
): readonly (readonly FoundPersonalData[])[] {
  const matches: FoundPersonalData[][] = entries.map(({ role, content }, place) =>
    role === 'tool'
      ? []
      : findPersonalData(content, kinds, { asked: askedBefore(entries, place), isSpeech: role === 'user' }),
  )
  for (const role of ['user', 'agent'] as const) addChains(entries, kinds, role, matches)
  return matches.map((of) => of.toSorted((one, other) => one.start - other.start))
}

// After "Go on." or "Yes?" the question before it still stands.
const fewWords = 4

/**
 * The question that an entry answers: the agent's last words. For an entry of the agent itself, the question before
 * it, because the agent repeats what it was told.
 */
export function askedBefore(entries: readonly SpokenEntry[], place: number): string {
  const asked: string[] = []
  for (let at = place - 1; at >= 0; at--) {
    const { role, content } = entries[at] as SpokenEntry
    if (role !== 'agent') continue
    asked.unshift(content)
    if (wordsOf(content).length > fewWords) break
  }
  return asked.join(' ')
}

interface Link {
  readonly place: number
  readonly start: number
  readonly end: number
  readonly digits: string
}

/** Joins the digits that end one entry and begin the next: "four two four two" – "yes?" – "four two four two". */
function addChains(
  entries: readonly SpokenEntry[],
  kinds: readonly PersonalDataKind[],
  role: SpokenEntry['role'],
  found: FoundPersonalData[][],
): void {
  let chain: Link[] = []
  for (const [place, { role: by, content }] of entries.entries()) {
    if (by !== role) continue
    const runs = digitRuns(content).map((run) => ({ ...run, place }))
    const [first] = runs
    const last = runs.at(-1)
    const continues = first !== undefined && isQuiet(content.slice(0, first.start))
    chain = continues ? [...chain, first] : []
    if (chain.length > 1) addChain(chain, kinds, role === 'user', found)
    const goesOn = last !== undefined && isQuiet(content.slice(last.end))
    if (!goesOn) chain = []
    else if (last !== first || !continues) chain = [last]
  }
}

/** Whether there is nothing but a filler: "uh, …", "and …", "…, yes". */
const isQuiet = (text: string): boolean =>
  wordsOf(text).every((word) => ['uh', 'um', 'and', 'then', 'ok', 'okay', 'yes', 'pressed'].includes(word))

function addChain(
  chain: readonly Link[],
  kinds: readonly PersonalDataKind[],
  isSpeech: boolean,
  found: FoundPersonalData[][],
): void {
  const digits = chain.map((link) => link.digits).join('')
  const [whole] = findPersonalData(digits, kinds, { isSpeech })
  if (!whole) return
  for (const { place, start, end } of chain) {
    const here = found[place] ?? []
    found[place] = [
      ...here.filter((one) => one.end <= start || one.start >= end),
      { kind: whole.kind, start, end },
    ]
  }
}
