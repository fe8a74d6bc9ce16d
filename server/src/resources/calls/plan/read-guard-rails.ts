// An agent's guard rails: `api_tools.guard_rails`. They were checked when the agent was written; where they cannot be
// read all the same, the careful reading applies, because a rail that is missing is not noticed.
import { GuardRailsConfig, personalDataKinds } from '@parley/contract'
import type { RefusedTopic } from '../../../ports/call-plan.ts'
import type { Fill } from './fill-variables.ts'
import { type GuardRailSentences, guardRailSentences } from './guard-rail-sentences.ts'
import { jsonIn } from './read-api-tools.ts'
import type { Words } from './read-telephone.ts'
import { inLanguage } from './turn-rules.ts'

/** `problems`: a sentence for each setting that could not be used. */
export function readGuardRails(apiTools: unknown, fill: Fill, languages: readonly string[]) {
  const own = sentencesIn(languages)
  const words = (text: Words | null | undefined, usual: string) =>
    fill(inLanguage(text, languages)).trim() || usual
  const { rails, problems } = readWritten(guardRailsIn(apiTools))
  return {
    problems,
    guardRails: {
      topics: (rails.refuse_topics ?? []).map(
        ({ topic, examples, words }): RefusedTopic => ({
          name: topic,
          examples: [topic, ...examples],
          words,
        }),
      ),
      refusal: words(rails.refusal, own.refusal),
      neverSay: rails.never_say ?? [],
      replacement: words(rails.replacement, own.replacement),
      mask: [...new Set(rails.mask ?? [])],
      records: rails.recording !== 'off',
    },
    consent:
      rails.recording === 'ask'
        ? {
            question: words(rails.consent?.question, own.consent),
            refused: words(rails.consent?.refused, own.notRecorded),
            needsYes: rails.consent?.needs_yes ?? false,
          }
        : null,
  }
}

/** Returns the written guard rails, or undefined. The whole of `api_tools` may be JSON in a text. */
function guardRailsIn(apiTools: unknown): unknown {
  const tools = typeof apiTools === 'string' ? jsonIn(apiTools) : apiTools
  return typeof tools === 'object' && tools !== null
    ? ((tools as Record<string, unknown>).guard_rails ?? undefined)
    : undefined
}

// The values that apply instead of settings that cannot be read.
const careful: GuardRailsConfig = { mask: [...personalDataKinds], recording: 'off' }

function readWritten(written: unknown): { rails: GuardRailsConfig; problems: string[] } {
  if (written === undefined) return { rails: {}, problems: [] }
  const whole = GuardRailsConfig.safeParse(written)
  if (whole.success) return { rails: whole.data, problems: [] }
  const problems = whole.error.issues.map(
    ({ path, message }) =>
      `api_tools.guard_rails${pathText(path)} ${message}; until it does, nothing is recorded and all personal data is masked`,
  )
  const faulty = new Set(whole.error.issues.map(({ path }) => path[0]))
  const readable =
    typeof written === 'object' && written !== null
      ? Object.fromEntries(Object.entries(written).filter(([key]) => !faulty.has(key)))
      : {}
  const rest = GuardRailsConfig.safeParse(readable).data ?? {}
  return { rails: { ...rest, ...careful }, problems }
}

const pathText = (path: readonly PropertyKey[]): string =>
  path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('')

function sentencesIn(languages: readonly string[]): GuardRailSentences {
  const codes = [...languages.map((language) => language.toLowerCase().split(/[-_]/)[0] ?? ''), 'en']
  const found = codes.map((code) => guardRailSentences[code]).find((sentences) => sentences !== undefined)
  if (!found) throw new Error('there are no English sentences')
  return found
}
