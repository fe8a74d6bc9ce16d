// Takes the agent's own words out of what was heard on a line that echoes.
import { wordsOf } from './word-list.ts'

// A recognizer hears an echo badly: one word in four may be another, and it may leave out two in a row.
const alike = 0.75
const leftOut = 2
// Fewer words are repeated by anybody who agrees.
export const tellingWords = 3

/** What is left of the heard words when those at the beginning repeat what was said, in its order. */
export function withoutEcho(heard: string, said: string, fewest = tellingWords): string {
  const spoken = heard.split(/\s+/).filter((word) => wordsOf(word).length > 0)
  const plain = spoken.map((word) => wordsOf(word).join(''))
  const own = wordsOf(said)
  const echoed = Math.max(0, ...own.map((_, start) => echoedFrom(start, plain, own)))
  return echoed < fewest ? heard : spoken.slice(echoed).join(' ')
}

/** How many of the heard words follow what was said from `start` on. */
function echoedFrom(start: number, heard: readonly string[], said: readonly string[]): number {
  let at = start
  let matched = 0
  let echoed = 0
  heard.forEach((word, place) => {
    const next = said.indexOf(word, at)
    const follows = next >= 0 && next <= at + leftOut
    at = follows ? next + 1 : at + 1
    if (follows) matched++
    if (follows && matched >= (place + 1) * alike) echoed = place + 1
  })
  return echoed
}
