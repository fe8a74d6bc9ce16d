// Which engines a call gets, and why: a pure function of what the agent asks for, which credentials exist, which
// languages each engine supports, and whether the operator allows a fallback.

import { type Languages, speaksLanguage } from '../engines/language-code.ts'
import { languageName } from '../platform/language-names.ts'
import type { EngineChoice } from '../ports/call.ts'
import type { VendorAccount } from '../ports/vendor.ts'

/** The facts about a vendor that the choice depends on. */
export interface EngineCandidate {
  readonly label: string
  readonly credentials: readonly string[]
  readonly abilities: { readonly languages: Languages }
}

export interface EngineQuestion {
  readonly part: 'transcriber' | 'synthesizer'
  /** The vendor that the agent names; null: it names none. */
  readonly asked: string | null
  readonly language: string | undefined
  readonly vendors: Readonly<Record<string, EngineCandidate>>
  readonly accounts: Readonly<Record<string, VendorAccount>>
  /** Vendors that the agent would rather have than the embedded engine, in order. */
  readonly fallbacks?: readonly string[]
  /** Why a vendor is not to be used now: it failed a moment ago. */
  readonly faultOf?: (vendor: string) => string | undefined
  /** The embedded engine, and its name in the call record. */
  readonly embedded: { readonly used: string; readonly languages: Languages }
  /** `fail`: an agent that names a vendor gets that vendor or no call. */
  readonly fallback: 'embedded' | 'fail'
}

export interface EngineAnswer {
  readonly engine:
    | { readonly is: 'vendor'; readonly name: string }
    | { readonly is: 'embedded' }
    | { readonly is: 'none' }
  readonly choice: EngineChoice
}

const words = {
  transcriber: { engine: 'the offline recognizer', understands: 'understands' },
  synthesizer: { engine: 'the offline voice', understands: 'speaks' },
} as const

export function chooseEngine(question: EngineQuestion): EngineAnswer {
  const { part, asked, language, embedded, fallback } = question
  const obstacle = asked === null ? undefined : obstacleTo(asked, question)
  const offlineSpeaks = speaksLanguage(embedded.languages, language)
  // If the embedded engine does not support the language either, the vendor is still the better choice.
  const isUsable = asked !== null && (!obstacle || (obstacle.is === 'language' && !offlineSpeaks))
  if (isUsable) {
    const choice = { part, asked, used: asked, why: obstacle ? `${obstacle.sentence}.` : null }
    return { engine: { is: 'vendor', name: asked }, choice }
  }
  const [next] = usableVendors(question).filter((name) => name !== asked)
  if (obstacle && next !== undefined)
    return {
      engine: { is: 'vendor', name: next },
      choice: {
        part,
        asked,
        used: next,
        why: `${obstacle.sentence}, so ${labelOf(next, question)} is used.`,
      },
    }
  const why = [
    ...(obstacle ? [`${obstacle.sentence}, so ${words[part].engine} is used.`] : []),
    ...(offlineSpeaks ? [] : [only(capital(words[part].engine), part, embedded.languages, language)]),
  ].join(' ')
  if (asked !== null && fallback === 'fail')
    return { engine: { is: 'none' }, choice: { part, asked, used: 'none', why: `${obstacle?.sentence}.` } }
  return { engine: { is: 'embedded' }, choice: { part, asked, used: embedded.used, why: why || null } }
}

/** The vendors that the agent names and that nothing stands against, in its order. */
export function usableVendors(question: EngineQuestion): readonly string[] {
  const { asked, fallbacks = [] } = question
  const named = [...new Set([...(asked === null ? [] : [asked]), ...fallbacks])]
  return named.filter((name) => obstacleTo(name, question) === undefined)
}

const labelOf = (name: string, { vendors }: EngineQuestion): string => vendors[name]?.label ?? name

/** The note on a choice for the call record; undefined when there is nothing to note. */
export const noteOn = ({ used, why }: EngineChoice): string | undefined =>
  why === null ? undefined : `Using ${used}: ${/[.!?]$/.test(why) ? why : `${why}.`}`

interface Obstacle {
  readonly is: 'absence' | 'language'
  /** One sentence without its full stop. */
  readonly sentence: string
}

function obstacleTo(
  asked: string,
  { part, language, vendors, accounts, faultOf }: EngineQuestion,
): Obstacle | undefined {
  const vendor = Object.hasOwn(vendors, asked) ? vendors[asked] : undefined
  if (!vendor) return { is: 'absence', sentence: `The vendor ${asked} is not known here` }
  const account = Object.hasOwn(accounts, asked) ? accounts[asked] : undefined
  if (!account) return { is: 'absence', sentence: `No credentials for ${asked} are configured here` }
  const missing = vendor.credentials.filter((name) => !account.credentials[name])
  if (missing.length > 0)
    return { is: 'absence', sentence: `The credentials for ${asked} lack ${missing.join(' and ')}` }
  const fault = faultOf?.(asked)
  if (fault)
    return { is: 'absence', sentence: `${vendor.label} failed a moment ago (${fault.replace(/\.$/, '')})` }
  if (speaksLanguage(vendor.abilities.languages, language)) return undefined
  return {
    is: 'language',
    sentence: only(vendor.label, part, vendor.abilities.languages, language).slice(0, -1),
  }
}

// A longer list does not help those who read why a call sounds as it does.
const mostNamed = 10

const only = (
  who: string,
  part: EngineQuestion['part'],
  languages: Languages,
  language: string | undefined,
): string => {
  const known = languages === 'any' ? [] : languages.map(languageName)
  if (known.length > mostNamed) return `${who} does not ${words[part].understands.slice(0, -1)} ${language}.`
  return `${who} ${words[part].understands} ${known.join(', ')} only, not ${language}.`
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
