// What answering machines, screening services, menus and networks say when they pick up, and people hardly ever do.
import { BoundedMap } from '../../platform/bounded-map.ts'
import { turnLanguages } from './languages/index.ts'
import type { MachineWords, TurnLanguage } from './languages/turn-language.ts'

export type { MachineWords } from './languages/turn-language.ts'

// A machine speaks the language of its network or its owner, which need not be that of the call.
const all: readonly TurnLanguage[] = Object.values(turnLanguages)

const read = (who: MachineWords) =>
  all.flatMap(({ machines }) => machines[who]).map((source) => new RegExp(source, 'u'))
const table: Readonly<Record<MachineWords, readonly RegExp[]>> = {
  screening: read('screening'),
  'out-of-service': read('out-of-service'),
  voicemail: read('voicemail'),
  ivr: read('ivr'),
  'not-reachable': read('not-reachable'),
}

const plain = (words: string): string =>
  words
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/[^\p{L}\p{M}\p{N}'*# ]+/gu, ' ')
    .replace(/ +/g, ' ')
    .trim()

/** The kind of machine that speaks: screening, else the first that was heard; undefined: it may be a person. */
export function machineWords(words: string): MachineWords | undefined {
  if (words === '') return undefined
  const known = judged.get(words)
  if (known !== undefined) return known ?? undefined
  const who = judge(words)
  judged.set(words, who ?? null)
  return who
}

// The judgement is asked for at every tick, of words that seldom change: there are fewer calls in a process than this.
const mostJudged = 1_000
const judged = new BoundedMap<string, MachineWords | null>(mostJudged)

function judge(words: string): MachineWords | undefined {
  const text = plain(words)
  const said = (Object.keys(table) as MachineWords[])
    .map((who) => ({ who, at: placeIn(text, table[who]) }))
    .filter(({ at }) => at >= 0)
    .toSorted((one, other) => one.at - other.at)
    .map(({ who }) => who)
  if (said.includes('screening')) return 'screening'
  // An announcement that nobody is there may go on with the offer to record a message.
  return said.find((who) => who !== 'not-reachable') ?? said[0]
}

/** The position where the first expression begins; -1: none does. */
function placeIn(text: string, expressions: readonly RegExp[]): number {
  const places = expressions.map((expression) => text.search(expression)).filter((at) => at >= 0)
  return places.length === 0 ? -1 : Math.min(...places)
}

// Businesses that pick up say these words as well as their machines: only the length decides.
const recorded = all.flatMap((language) => language.recorded ?? [])
const toPerson = all.flatMap((language) => language.toPerson ?? [])

/** The words of a greeting that a machine may have recorded. */
export const mayBeRecorded = (words: string): boolean => {
  const text = plain(words)
  return (
    recorded.some((expression) => expression.test(text)) &&
    !toPerson.some((expression) => expression.test(text))
  )
}

/** A screening service, or somebody who fetches the person, asks for patience. */
export const asksToWait = (words: string): boolean => {
  const text = plain(words)
  return all.some(({ waits }) => waits.test(text))
}
