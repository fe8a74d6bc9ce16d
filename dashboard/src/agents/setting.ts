// The description of one setting of an agent: its place on the wire, its label, its help, its unit and its default.
import type { ReactNode } from 'react'

interface SettingWords {
  /** The path on the wire, such as task_config.call_terminate. */
  readonly path: string
  readonly label: string
  readonly help: ReactNode
}

export type Setting = SettingWords &
  (
    | {
        readonly is: 'number'
        readonly unit: string
        /** The value that applies if the setting is left out. Undefined: the vendor's own default. */
        readonly usual?: number
        readonly least?: number
        readonly most?: number
        /** Fractions are allowed. */
        readonly fraction?: boolean
      }
    | { readonly is: 'flag'; readonly usual: boolean }
    | {
        readonly is: 'text' | 'area' | 'secret' | 'url'
        /** The default in words, as in "the agent's language". */
        readonly usual?: string
        /** What an emptied field means. */
        readonly blank?: '' | null
      }
    | {
        readonly is: 'choice'
        readonly options: Readonly<Record<string, string>>
        readonly usual?: string
        readonly blank?: '' | null
      }
    | { readonly is: 'list'; readonly usual?: string; readonly placeholder?: string }
    | { readonly is: 'json'; readonly usual?: string; readonly placeholder?: string }
  )

/** What is wrong with a number that the server would accept, but that no call can use. */
export function numberFault(setting: Setting, value: unknown): string | undefined {
  if (setting.is !== 'number' || value === undefined || value === null) return undefined
  const { least = 0, most = Number.POSITIVE_INFINITY, fraction = false } = setting
  const fits = typeof value === 'number' && value >= least && value <= most
  if (fits && (fraction || Number.isInteger(value))) return undefined
  const kind = fraction ? 'a number' : 'a whole number'
  return most === Number.POSITIVE_INFINITY
    ? `Enter ${kind} of at least ${least}.`
    : `Enter ${kind} from ${least} to ${most}.`
}

/** The sentence about the default that follows the help. */
export function usualWords(setting: Setting): string {
  switch (setting.is) {
    case 'number':
      return setting.usual === undefined ? '' : `Default: ${setting.usual} ${setting.unit}.`
    case 'flag':
      return `Default: ${setting.usual ? 'on' : 'off'}.`
    default:
      return setting.usual === undefined ? '' : `Default: ${setting.usual}.`
  }
}
