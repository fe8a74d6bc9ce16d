// Personal data in a conversation: in each entry, by what was asked before it, and in numbers that were said in
// several goes.
import { digitRuns } from '../../platform/personal-data/digit-runs.ts'
import { type FoundPersonalData, findPersonalData } from '../../platform/personal-data/find-personal-data.ts'
import type { PersonalDataKind } from '../../platform/personal-data/kinds.ts'
import type { TranscriptEntry } from '../../ports/call.ts'
import { wordsOf } from '../turn/word-list.ts'

type Said = Pick<TranscriptEntry, 'role' | 'content'>

/** What is found in each entry, in their order. Entries of tools are not searched. */
export function findInConversation(
  entries: readonly Said[],
  kinds: readonly PersonalDataKind[],
): readonly (readonly FoundPersonalData[])[] {
  const found: FoundPersonalData[][] = entries.map(({ role, content }, place) =>
    role === 'tool'
      ? []
      : findPersonalData(content, kinds, { asked: askedBefore(entries, place), isSpeech: role === 'user' }),
  )
  for (const role of ['user', 'agent'] as const) addChains(entries, kinds, role, found)
  return found.map((of) => of.toSorted((one, other) => one.start - other.start))
}

// "Go on.", "Yes?": the question before it is still the question.
const fewWords = 4

/** The agent's last words; for its own, those before, because it repeats what it was told. */
export function askedBefore(entries: readonly Said[], place: number): string {
  const asked: string[] = []
  for (let at = place - 1; at >= 0; at--) {
    const { role, content } = entries[at] as Said
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

/** "four two four two" – "yes?" – "four two four two": digits at the end of one entry and the beginning of the next. */
function addChains(
  entries: readonly Said[],
  kinds: readonly PersonalDataKind[],
  role: Said['role'],
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

/** Nothing but a filler: "uh, …", "and …", "…, yes". */
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
