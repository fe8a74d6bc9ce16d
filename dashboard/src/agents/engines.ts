// Which speech engines work here: those of the installation always do, a vendor's with its credentials.
import { synthesizerWords, transcriberWords } from './agent-words.ts'

export type EnginePart = 'synthesizer' | 'transcriber'

export interface VendorHere {
  readonly name: string
  readonly label: string
  /** Why it does not work here; undefined: it does. */
  readonly why: string | undefined
}

const labels: Record<EnginePart, Readonly<Record<string, string>>> = {
  synthesizer: synthesizerWords,
  transcriber: transcriberWords,
}

/** Those that work first, each kind by name. `connected`: undefined while it is not known. */
export function vendorsHere(part: EnginePart, connected: ReadonlySet<string> | undefined): VendorHere[] {
  return Object.entries(labels[part])
    .map(([name, label]) => ({
      name,
      label,
      why: connected?.has(name) ? undefined : `There is no key for ${label} in this workspace.`,
    }))
    .toSorted(
      (one, other) =>
        Number(Boolean(one.why)) - Number(Boolean(other.why)) || one.label.localeCompare(other.label),
    )
}

export const useVendors = (part: EnginePart): VendorHere[] => vendorsHere(part, undefined)
