// Judges whether a scripted caller reached the goal: by the agent's words, the extracted values, and who hung up.
import type { TranscriptLine } from '../contract/src/index.ts'
import type { Caller } from './mind-caller.ts'

export interface JudgedCall {
  readonly lines: readonly Pick<TranscriptLine, 'role' | 'content'>[]
  readonly hungUp: boolean
  readonly found: Readonly<Record<string, unknown>>
}

/** What was missing, in words; empty if the goal was reached. The greeting does not count. */
export function missingOf(caller: Caller, { lines, hungUp, found }: JudgedCall): string[] {
  const spoken = lines
    .slice(1)
    .map(({ role, content }) => (role === 'agent' ? content : ''))
    .join('\n')
  const has = (pattern: string) => new RegExp(pattern, 'i').test(spoken)
  return [
    ...caller.told.filter((pattern) => !has(pattern)).map((pattern) => `never said ${pattern}`),
    ...caller.never.filter(has).map((pattern) => `said ${pattern}`),
    ...Object.entries(caller.found)
      .filter(([name, wanted]) => !isFound(found[name], wanted))
      .map(([name, wanted]) => `${name} is ${found[name]}, not ${wanted}`),
    ...(caller.ends && !hungUp ? ['did not hang up'] : []),
  ]
}

/** In free text, containing the word is enough. */
const isFound = (value: unknown, wanted: unknown): boolean =>
  typeof value === 'string' && typeof wanted === 'string'
    ? value.toLowerCase().includes(wanted.toLowerCase())
    : (value ?? null) === wanted
