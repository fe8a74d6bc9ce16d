// The variables of a call while it runs.
import type { CallVariables } from '../ports/tools.ts'

export interface VariablesOptions {
  /** Names that tools cannot set. */
  readonly reserved?: readonly string[]
  /** Variables that an earlier part of the call has set; their values are among the initial ones. */
  readonly saved?: Readonly<Record<string, string>> | undefined
  readonly onSave?: (variables: Readonly<Record<string, string>>) => void
  /** Fills a text with the given values; by default the text stays as it is. */
  readonly fill?: (text: string, values: Readonly<Record<string, string>>) => string
}

const usableName = /^[A-Za-z_]\w{0,63}$/
// A variable ends up in prompts and in the record, where a page of text is more than enough.
const mostCharacters = 4_000
// An agent has a few; a model that invents names all the time stops here.
const mostSaved = 200

export function openVariables(
  initial: Readonly<Record<string, string>>,
  { reserved = [], saved: earlier = {}, onSave, fill = (text) => text }: VariablesOptions = {},
): CallVariables {
  const values: Record<string, string> = { ...initial }
  const saved: Record<string, string> = { ...earlier }
  const isUsable = (name: string) =>
    usableName.test(name) &&
    name !== '__proto__' &&
    !reserved.includes(name) &&
    (Object.hasOwn(saved, name) || Object.keys(saved).length < mostSaved)
  return {
    values,
    saved,
    save(variables) {
      const names = Object.keys(variables).filter(isUsable)
      const kept = Object.fromEntries(
        names.map((name) => [name, (variables[name] ?? '').slice(0, mostCharacters)]),
      )
      Object.assign(values, kept)
      Object.assign(saved, kept)
      if (names.length > 0) onSave?.(kept)
      return names
    },
    fill: (text) => fill(text, values),
  }
}
