// The history of a value, in which changes can be undone and redone. Pure.

// The number of steps that can be undone: more than anybody remembers.
const mostSteps = 200

export interface History<State> {
  readonly past: readonly State[]
  readonly present: State
  readonly future: readonly State[]
  /** The subject of the last change: successive changes with the same subject, such as typing, are one step. */
  readonly about: string | undefined
}

export const begin = <State>(present: State): History<State> => ({
  past: [],
  present,
  future: [],
  about: undefined,
})

export function change<State>(history: History<State>, next: State, about?: string): History<State> {
  const goesOn = about !== undefined && about === history.about
  const past = goesOn ? history.past : [...history.past, history.present].slice(-mostSteps)
  return { past, present: next, future: [], about }
}

export function undo<State>({ past, present, future, about }: History<State>): History<State> {
  const before = past.at(-1)
  if (before === undefined) return { past, present, future, about }
  return { past: past.slice(0, -1), present: before, future: [present, ...future], about: undefined }
}

export function redo<State>({ past, present, future, about }: History<State>): History<State> {
  const [next, ...rest] = future
  if (next === undefined) return { past, present, future, about }
  return { past: [...past, present], present: next, future: rest, about: undefined }
}
