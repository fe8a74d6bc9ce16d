// Rounds of a disaster that comes again and again: how many, by `--rounds`, and a summary of their silences.
import { parseArgs } from 'node:util'

export function roundsAsked(usual: number): number {
  const { values } = parseArgs({ options: { rounds: { type: 'string', default: String(usual) } } })
  const rounds = Number(values.rounds)
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds must be a whole number from 1.')
  return rounds
}

/** The median and the largest of values in milliseconds, in words and in seconds. */
export function spread(valuesMs: readonly number[]): string {
  const sorted = valuesMs.toSorted((a, b) => a - b)
  const at = (share: number) => ((sorted[Math.floor(share * (sorted.length - 1))] ?? 0) / 1_000).toFixed(2)
  return `p50 ${at(0.5)} s, most ${at(1)} s`
}

/** The last line that such a disaster prints. */
export const summary = (rounds: number, silentMs: readonly number[], lost: number): string =>
  `${rounds} rounds: silence ${spread(silentMs)}; calls lost ${lost}`
