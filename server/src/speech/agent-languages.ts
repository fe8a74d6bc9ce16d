// Judges whether the engines of an agent serve its language, when the agent is saved and can still be changed. Calls
// choose by the same lists (choose-engines.ts).

import { type Languages, languageCode, speaksLanguage } from '../engines/language-code.ts'
import { spokenOffline, whyNotOffline } from '../engines/offline-languages.ts'
import { whisperLanguages } from '../engines/whisper/languages.ts'
import { languageName } from '../platform/language-names.ts'
import type { LanguageQuestion, LanguageVerdict } from '../ports/agent-language.ts'
import { sttVendors, ttsVendors } from '../vendors/index.ts'

interface Speaker {
  readonly label: string
  readonly abilities: { readonly languages: Languages }
}

interface Part {
  readonly vendors: Readonly<Record<string, Speaker>>
  readonly offline: readonly string[]
  readonly speak: 'speak' | 'understand'
  readonly offlineName: string
}

const parts: Readonly<Record<LanguageQuestion['part'], Part>> = {
  synthesizer: {
    vendors: ttsVendors,
    offline: spokenOffline,
    speak: 'speak',
    offlineName: 'the offline voice',
  },
  transcriber: {
    vendors: sttVendors,
    offline: whisperLanguages,
    speak: 'understand',
    offlineName: 'the offline recognizer',
  },
}

/** Every language that any engine is known to speak or understand. */
const allKnown: readonly string[] = [
  ...new Set([
    ...whisperLanguages,
    ...[...Object.values<Speaker>(ttsVendors), ...Object.values<Speaker>(sttVendors)].flatMap(
      ({ abilities: { languages } }) => (languages === 'any' ? [] : languages),
    ),
  ]),
]

/** `fallback`: whether an offline engine may stand in for a vendor. */
export function judgeLanguage(question: LanguageQuestion, fallback: 'embedded' | 'fail'): LanguageVerdict {
  const { part, language, asked } = question
  const code = languageCode(language, allKnown)
  if (code === undefined) return {}
  if (!speaksLanguage(allKnown, code))
    return { warning: `"${language}" is no language that is known here; engines are asked for it as it is.` }
  return asked === null ? judgeOffline(part, code) : judgeVendor(question, asked, code, fallback)
}

function judgeOffline(part: LanguageQuestion['part'], code: string): LanguageVerdict {
  const { offline, offlineName, speak } = parts[part]
  if (speaksLanguage(offline, code)) return {}
  const why =
    part === 'synthesizer'
      ? whyNotOffline(code)
      : `${capital(offlineName)} does not ${speak} ${languageName(code)}.`
  return { refusal: `${why} ${remedy(part, code)}` }
}

function judgeVendor(
  { part, fallbacks }: LanguageQuestion,
  asked: string,
  code: string,
  fallback: 'embedded' | 'fail',
): LanguageVerdict {
  const { vendors, offline, offlineName, speak } = parts[part]
  const { [asked]: vendor } = vendors
  // The contract refuses this name, or it was valid once.
  if (!vendor) return {}
  const { languages } = vendor.abilities
  const name = languageName(code)
  if (languages === 'any')
    return code === 'en' ? {} : { warning: `Whether ${vendor.label} can ${speak} ${name} is not known here.` }
  if (speaksLanguage(languages, code)) return {}
  const cannot = `${vendor.label} does not ${speak} ${name}`
  const other = fallbacks.find((next) => speaksLanguage(vendors[next]?.abilities.languages ?? [], code))
  if (other) return { warning: `${cannot}, so ${vendors[other]?.label} of the fallbacks is used.` }
  if (fallback === 'embedded' && speaksLanguage(offline, code))
    return { warning: `${cannot}, so ${offlineName} is used. ${remedy(part, code)}` }
  return { refusal: `${cannot}. ${remedy(part, code)}` }
}

/** What to do about it: the engines that serve the language. */
function remedy(part: LanguageQuestion['part'], code: string): string {
  const { vendors, speak } = parts[part]
  const able = Object.entries(vendors)
    .filter(([, { abilities }]) => abilities.languages !== 'any' && speaksLanguage(abilities.languages, code))
    .map(([name]) => name)
  if (able.length === 0) return `No vendor is known to ${speak} it.`
  return `Name a vendor in ${part} that can ${speak} ${languageName(code)}: ${able.join(', ')}.`
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
